import { type RegenerateAnswer, type RegenerateBody, regenerateDays } from '@parley/contract/slot-dates'
import type { Branch } from '../branches/branch.ts'
import { listHolidays } from '../branches/holidays.service.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { type Fault, fault, validationError } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { datesFrom, spansIn } from '../platform/local-time.ts'
import { recordEvents } from '../webhooks/events.service.ts'
import { selectRecounts } from './bookings.store.ts'
import { dateFaults } from './date-range.ts'
import { type BranchRules, type Day, type DaySlot, dayOf, fallsOn } from './day.ts'
import { findNamed } from './named-ids.ts'
import { insertDaySlots, lockDaySlots, selectDaySlotsOf, writeDayPlans } from './regenerate.store.ts'
import { type DayPlan, planDay } from './regenerate-plan.ts'
import { slotOnDateView } from './slot-views.ts'
import type { WindowRecord } from './window.ts'
import { isWindowOf } from './windows.service.ts'
import { selectBranchWindows } from './windows.store.ts'

export const regenerateFaults = (body: Record<string, unknown>): Fault[] => dateFaults(body, regenerateDays)

type Done = RegenerateAnswer['data']
type Job = { organisationId: string; branch: Branch; body: RegenerateBody }

/**
 * Brings the stored dates in line with the rules: makes those that are missing, gives them the rule's capacity, counts
 * the bookings again. What cannot be brought in line without dropping a booking is left and named.
 */
export async function regenerate(db: Database, organisationId: string, body: RegenerateBody): Promise<Done> {
  const { branch, faults } = await findWhere(db, organisationId, body)
  if (!branch || faults.length > 0) throw validationError(faults)
  const job = { organisationId, branch, body }
  const windows = await windowsOf(db, job)
  const wanted = windows.flatMap((window) =>
    datesFrom(body.start_date, body.end_date)
      .filter((date) => fallsOn(window, date))
      .map((date) => ({ calendarId: window.calendarId, date })),
  )
  if (body.dry_run) {
    const slots = await selectDaySlotsOf(db, ...placesOf(job, windows))
    const known = new Set(slots.map((each) => `${each.calendarId} ${each.date}`))
    const missing = wanted.filter((each) => !known.has(`${each.calendarId} ${each.date}`))
    return summary(missing.length, (await plansFor(db, job, slots)).plans)
  }
  const created = await insertDaySlots(db, branch.branchId, wanted)
  return db.transaction(async (tx) => {
    const { plans, rules } = await plansFor(tx, job, await lockDaySlots(tx, ...placesOf(job, windows)))
    const changed = changedDays(plans, await writeDayPlans(tx, plans), rules)
    const events = changed.map((day) => ({ ...slotUpdated, organisationId, data: slotOnDateView(day) }))
    await recordEvents(tx, events)
    return summary(created, plans, created)
  })
}

/** The branch, and the window that must be one of its own. */
export async function findWhere(
  db: Queryable,
  organisationId: string,
  body: Record<string, unknown>,
): Promise<{ branch: Branch | null; faults: Fault[] }> {
  const { branch, faults } = await findNamed(db, organisationId, { branch_id: body.branch_id })
  const { calendar_id: id } = body
  const isThere = typeof id !== 'string' || (await isWindowOf(db, organisationId, id, branch?.branchId))
  if (!isThere) faults.push(fault('calendar_id', 'not_found', 'There is no slot with this id at this branch.'))
  return { branch, faults }
}

const slotUpdated = { type: 'slot.updated', callId: null } as const

async function windowsOf(db: Queryable, { organisationId, branch, body }: Job): Promise<WindowRecord[]> {
  const { calendar_id: calendarId = null } = body
  if (calendarId !== null && !isUuid(calendarId)) return []
  const filter = { branchId: branch.branchId, calendarId, session: null, day: null, appointmentTypeId: null }
  return selectBranchWindows(db, organisationId, filter)
}

const placesOf = ({ branch, body }: Job, windows: WindowRecord[]): [string, string[], string, string] => [
  branch.branchId,
  windows.map((each) => each.calendarId),
  body.start_date,
  body.end_date,
]

/** The rules are read after the dates are locked: what somebody changed meanwhile counts. */
async function plansFor(db: Queryable, job: Job, slots: DaySlot[]): Promise<{ plans: DayPlan[]; rules: BranchRules }> {
  const { organisationId, branch, body } = job
  const range = { from: body.start_date, to: body.end_date }
  const windows = await windowsOf(db, job)
  const holidays = await listHolidays(db, organisationId, [branch.branchId], range)
  const recounts = await selectRecounts(db, branch.branchId, range.from, range.to)
  const counted = new Map(recounts.map((each) => [`${each.calendarId} ${each.date}`, each]))
  const byId = new Map(windows.map((each) => [each.calendarId, each]))
  const rules = { timezone: branch.timezone, sessionHours: branch.sessionHours, holidays }
  const spanOn = spansIn(branch.timezone)
  const plans = slots.flatMap((slot) => {
    const window = byId.get(slot.calendarId)
    if (!window) return []
    const { filled, aiFilled } = counted.get(`${slot.calendarId} ${slot.date}`) ?? { filled: 0, aiFilled: 0 }
    return [planDay(window, slot, { filled, aiFilled }, body.keep_overrides ?? true, rules, spanOn)]
  })
  return { plans, rules }
}

const shown = ['maxSlots', 'aiSlots', 'filled', 'aiFilled', 'startTime', 'endTime', 'status', 'note'] as const

/** Those that look different now. A row that only caught up with its rule is nothing to tell. */
function changedDays(plans: DayPlan[], written: DaySlot[], rules: BranchRules): Day[] {
  const after = new Map(written.map((each) => [`${each.calendarId} ${each.date}`, each]))
  const spanOn = spansIn(rules.timezone)
  return plans.flatMap(({ window, slot }) => {
    const now = after.get(`${slot.calendarId} ${slot.date}`)
    if (!now) return []
    const [old, day] = [slot, now].map((each) => dayOf(window, each, slot.date, rules, spanOn, null)) as [Day, Day]
    return shown.some((name) => old[name] !== day[name]) ? [day] : []
  })
}

/** `fresh` of the plans are of rows made just now: those are `created`, not `unchanged`. */
function summary(created: number, plans: DayPlan[], fresh = 0): Done {
  const updated = plans.filter((each) => each.next !== null).length
  return {
    created,
    updated,
    unchanged: Math.max(0, plans.length - updated - fresh),
    repaired_counters: plans.filter((each) => each.isRepaired).length,
    conflicts: plans.flatMap((each) => each.conflict ?? []),
  }
}
