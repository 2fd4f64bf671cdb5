import { listBranchNames } from '../branches/branches.service.ts'
import type { Holiday } from '../branches/holiday.ts'
import { addHoliday, listHolidays, removeHoliday } from '../branches/holidays.service.ts'
import { type Action, actingCommand, type Command, CommandError } from './command.ts'

const text = { type: 'string' } as const
type Options = { branch?: string; from?: string; to?: string; reason?: string }

const actions: Record<string, Action<Options>> = {
  add: async ({ db }, { organisationId, options: { branch, from, to, reason } }) => {
    if (!branch || !from) throw new CommandError('Say where and when: --branch NAME --from DATE [--to DATE].')
    const names = await listBranchNames(db, organisationId)
    const holiday = { startDate: from, endDate: to ?? from, reason: reason ?? null, hours: null }
    return view(await addHoliday(db, organisationId, branchNamed(names, branch), holiday), names)
  },
  list: async ({ db }, { organisationId, options: { branch } }) => {
    const names = await listBranchNames(db, organisationId)
    const ids = branch === undefined ? [...names.values()] : [branchNamed(names, branch)]
    return (await listHolidays(db, organisationId, ids)).map((each) => view(each, names))
  },
  remove: async ({ db }, { organisationId, words: [holidayId] }) => {
    if (!holidayId) throw new CommandError('Say which: parley holidays remove HOLIDAY_ID.')
    return view(await removeHoliday(db, organisationId, holidayId), await listBranchNames(db, organisationId))
  },
}

function branchNamed(names: Map<string, string>, name: string): string {
  const branchId = names.get(name)
  if (!branchId) throw new CommandError(`There is no branch ${name}. There are: ${[...names.keys()].join(', ')}.`)
  return branchId
}

const view = (holiday: Holiday, names: Map<string, string>) => ({
  holiday_id: holiday.holidayId,
  branch: [...names].find(([, id]) => id === holiday.branchId)?.[0] ?? null,
  start_date: holiday.startDate,
  end_date: holiday.endDate,
  reason: holiday.reason,
  hours: holiday.hours,
})

/** `parley holidays add|list|remove`: days on which a branch is closed. */
export const holidays: Command = actingCommand({
  usage: [
    'holidays add --branch NAME --from DATE [--to DATE] [--reason TEXT] [--organisation ID]',
    'holidays list [--branch NAME] [--organisation ID]',
    'holidays remove HOLIDAY_ID [--organisation ID]',
  ],
  options: { branch: text, from: text, to: text, reason: text },
  actions,
})
