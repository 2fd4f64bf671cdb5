import { parseArgs } from 'node:util'
import { listBranchNames } from '../branches/branches.service.ts'
import type { Holiday } from '../branches/holiday.ts'
import { addHoliday, listHolidays, removeHoliday } from '../branches/holidays.service.ts'
import type { Runtime } from '../runtime.ts'
import { type Command, CommandError, chosenOrganisation, printJson, withRuntime } from './command.ts'

type Options = { organisation?: string; branch?: string; from?: string; to?: string; reason?: string }
type Action = (runtime: Runtime, organisationId: string, options: Options, words: string[]) => Promise<unknown>

/** `parley holidays add|list|remove`: days on which a branch is closed. */
export const holidays: Command = {
  usage: [
    'holidays add --branch NAME --from DATE [--to DATE] [--reason TEXT] [--organisation ID]',
    'holidays list [--branch NAME] [--organisation ID]',
    'holidays remove HOLIDAY_ID [--organisation ID]',
  ],
  async run(words, config) {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { organisation: text, branch: text, from: text, to: text, reason: text },
    })
    const action = actions[positionals[0] ?? '']
    if (!action)
      throw new CommandError(`Say what to do:\n${holidays.usage.map((line) => `  parley ${line}`).join('\n')}`)
    const options: Options = values
    await withRuntime(config, async (runtime) => {
      const organisationId = await chosenOrganisation(runtime, options.organisation)
      printJson(await action(runtime, organisationId, options, positionals.slice(1)))
    })
    return 0
  },
}

const actions: Record<string, Action> = {
  add: async ({ db }, organisationId, { branch, from, to, reason }) => {
    if (!branch || !from) throw new CommandError('Say where and when: --branch NAME --from DATE [--to DATE].')
    const names = await listBranchNames(db, organisationId)
    const holiday = { startDate: from, endDate: to ?? from, reason: reason ?? null, hours: null }
    return view(await addHoliday(db, organisationId, branchNamed(names, branch), holiday), names)
  },
  list: async ({ db }, organisationId, { branch }) => {
    const names = await listBranchNames(db, organisationId)
    const ids = branch === undefined ? [...names.values()] : [branchNamed(names, branch)]
    return (await listHolidays(db, organisationId, ids)).map((each) => view(each, names))
  },
  remove: async ({ db }, organisationId, _options, [holidayId]) => {
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
