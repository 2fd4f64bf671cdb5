import { type Session, sessions, type Day as Weekday } from '@parley/contract/appointment-slots'
import { type AvailabilityQuery, availabilityDays, type BookedBy } from '@parley/contract/slot-dates'
import type { Branch } from '../branches/branch.ts'
import { findBranch } from '../branches/branches.service.ts'
import { listHolidays } from '../branches/holidays.service.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/db.ts'
import { validationError } from '../platform/errors.ts'
import { addDays, datesFrom, spansIn, todayIn, weekdayOf } from '../platform/local-time.ts'
import { type DateRange, orderFaults, rangeOf } from './date-range.ts'
import { type Day, type DaySlot, dayOf, freeFor } from './day.ts'
import { selectDaySlots } from './day-slots.store.ts'
import { findNamed } from './named-ids.ts'
import type { WindowRecord } from './window.ts'
import { selectBranchWindows } from './windows.store.ts'

export type SlotsDeps = { db: Queryable; clock: Clock }

export type DaysFilter = {
  from: string
  to: string
  session?: Session | undefined
  day?: Weekday | undefined
  appointmentTypeId?: string | undefined
  calendarId?: string | undefined
  /** Also dates on which a window no longer falls but somebody is booked. */
  withStrays?: boolean
}

/** Every window of the branch on every date it falls on, in time order. `now` null: past or not makes no difference. */
export async function daysAt(
  db: Queryable,
  organisationId: string,
  branch: Branch,
  filter: DaysFilter,
  now: Date | null,
): Promise<Day[]> {
  const { from, to } = filter
  // One after the other: `db` may be a transaction, which is one connection.
  const windows = await selectBranchWindows(db, organisationId, {
    branchId: branch.branchId,
    calendarId: filter.calendarId ?? null,
    session: filter.session ?? null,
    day: filter.withStrays ? null : (filter.day ?? null),
    appointmentTypeId: filter.appointmentTypeId ?? null,
  })
  const slots = await selectDaySlots(db, branch.branchId, from, to)
  const holidays = await listHolidays(db, organisationId, [branch.branchId], { from, to })
  const slotsOf = byWindowAndDate(slots)
  const dates = datesFrom(from, to).map((date) => ({ date, weekday: weekdayOf(date) }))
  const rules = { timezone: branch.timezone, sessionHours: branch.sessionHours, holidays }
  const spanOn = spansIn(branch.timezone)
  const days: Day[] = []
  for (const window of windows) {
    const stored = slotsOf.get(window.calendarId)
    for (const { date, weekday } of dates) {
      if (weekday !== window.day && !filter.withStrays) continue
      if (filter.day !== undefined && weekday !== filter.day) continue
      const slot = stored?.get(date) ?? null
      if (weekday === window.day || isBooked(slot)) days.push(dayOf(window, slot, date, rules, spanOn, now))
    }
  }
  return days.sort(inTimeOrder)
}

function byWindowAndDate(slots: DaySlot[]): Map<string, Map<string, DaySlot>> {
  const found = new Map<string, Map<string, DaySlot>>()
  for (const slot of slots) {
    const dates = found.get(slot.calendarId)
    if (dates) dates.set(slot.date, slot)
    else found.set(slot.calendarId, new Map([[slot.date, slot]]))
  }
  return found
}

const isBooked = (slot: DaySlot | null): boolean => (slot?.filled ?? 0) > 0

const inTimeOrder = (a: Day, b: Day): number =>
  a.span.startsAt.at.getTime() - b.span.startsAt.at.getTime() ||
  sessions.indexOf(a.window.session) - sessions.indexOf(b.window.session) ||
  byId(a.window, b.window)
const byId = (a: WindowRecord, b: WindowRecord): number => (a.calendarId < b.calendarId ? -1 : 1)

/** Where and when a query means; what day it is, only the branch can say. */
export async function branchAndDates(
  { db, clock }: SlotsDeps,
  organisationId: string,
  query: Pick<AvailabilityQuery, 'branch_id' | 'appointment_type_id' | 'date' | 'start_date' | 'end_date'>,
): Promise<{ branch: Branch; range: DateRange }> {
  const { branch, faults } = await findNamed(db, organisationId, query)
  if (!branch) throw validationError(faults)
  const range = rangeOf(query, todayIn(branch.timezone, clock.now()))
  faults.push(...orderFaults(range, availabilityDays))
  if (faults.length > 0) throw validationError(faults)
  return { branch, range }
}

type Shown = Pick<AvailabilityQuery, 'booked_by' | 'include_full' | 'include_closed'>
export const isShown = (day: Day, query: Shown): boolean =>
  day.status === 'CLOSED'
    ? query.include_closed === true
    : query.include_full === true || freeFor(day, query.booked_by) > 0

export async function listAvailability(
  deps: SlotsDeps,
  organisationId: string,
  query: AvailabilityQuery,
): Promise<Day[]> {
  const { branch, range } = await branchAndDates(deps, organisationId, query)
  const { session, day, appointment_type_id: appointmentTypeId } = query
  const filter = { ...range, session, day, appointmentTypeId }
  const days = await daysAt(deps.db, organisationId, branch, filter, deps.clock.now())
  return days.filter((each) => isShown(each, query))
}

export type OpenSlotsWanted = {
  branchId: string
  bookedBy: BookedBy
  /** The first date; today at the branch when omitted or past. */
  from?: string | undefined
  days?: number | undefined
  appointmentTypeId?: string | undefined
  limit?: number | undefined
}

/** What can be offered to somebody: open, a place free, not begun yet; earliest first. Empty for an unknown branch. */
export async function findOpenSlots(
  { db, clock }: SlotsDeps,
  organisationId: string,
  wanted: OpenSlotsWanted,
): Promise<Day[]> {
  const branch = await findBranch(db, organisationId, wanted.branchId)
  if (!branch) return []
  const now = clock.now()
  const today = todayIn(branch.timezone, now)
  const from = wanted.from !== undefined && wanted.from > today ? wanted.from : today
  const to = addDays(from, (wanted.days ?? availabilityDays) - 1)
  const { appointmentTypeId } = wanted
  const days = await daysAt(db, organisationId, branch, { from, to, appointmentTypeId }, now)
  return days
    .filter((day) => day.status === 'OPEN' && freeFor(day, wanted.bookedBy) > 0 && day.span.startsAt.at > now)
    .slice(0, wanted.limit)
}
