import type { WindowStatus } from '@parley/contract/appointment-slots'
import type { ErrorCode } from '@parley/contract/errors'
import type { BookedBy, ClosedReason } from '@parley/contract/slot-dates'
import type { Hours, SessionHours } from '../branches/branch.ts'
import { closureOn, hoursOn, type NewHoliday } from '../branches/holiday.ts'
import { type Span, weekdayOf } from '../platform/local-time.ts'
import type { WindowRecord } from './window.ts'

/** What is stored about one date of a window. */
export type DaySlot = {
  calendarId: string
  date: string
  maxSlots: number
  aiSlots: number
  filled: number
  aiFilled: number
  /** Places promised in running calls. */
  held: number
  capacityOverride: boolean
  startTime: string | null
  endTime: string | null
  status: WindowStatus | null
  note: string | null
  revision: number
  /** When its settings were changed last; bookings leave it. */
  updatedAt: Date
}

export type BranchRules = { timezone: string; sessionHours: SessionHours; holidays: NewHoliday[] }
export type SpanOn = (date: string, start: string, end: string) => Span

/** A window on one date: the rule, the branch's holidays and the date's own settings put together. */
export type Day = {
  window: WindowRecord
  slot: DaySlot | null
  date: string
  timezone: string
  startTime: string
  endTime: string
  span: Span
  maxSlots: number
  aiSlots: number
  filled: number
  aiFilled: number
  available: number
  aiAvailable: number
  status: WindowStatus
  closedReason: ClosedReason | null
  note: string | null
  isOverride: boolean
  updatedAt: Date
}

export const fallsOn = (window: WindowRecord, date: string): boolean => weekdayOf(date) === window.day

/** Booked dates keep their capacity when the rule changes later (decisions 7); all others follow the rule. */
export const capacityOf = (window: WindowRecord, slot: DaySlot | null): { maxSlots: number; aiSlots: number } =>
  slot && (slot.capacityOverride || slot.filled > 0) ? slot : window

/** The date's own times, then the window's, then those of a holiday with other hours, then the branch's. */
export function hoursOf(window: WindowRecord, slot: DaySlot | null, branch: BranchRules, date: string): Hours {
  const session = hoursOn(branch.holidays, date, window.session) ?? branch.sessionHours[window.session]
  return {
    start: slot?.startTime ?? window.startTime ?? session.start,
    end: slot?.endTime ?? window.endTime ?? session.end,
  }
}

/** A closed window stays closed; then the date's own status, then holidays, then the weekly rule. */
function closureOf(window: WindowRecord, slot: DaySlot | null, branch: BranchRules, date: string): ClosedReason | null {
  if (window.status === 'CLOSED') return 'window_closed'
  if (slot?.status) return slot.status === 'CLOSED' ? 'date_closed' : null
  return closureOn(branch.holidays, date) ? 'holiday' : null
}

/** `now` null: as the day was planned, whether or not it has passed. */
export function dayOf(
  window: WindowRecord,
  slot: DaySlot | null,
  date: string,
  branch: BranchRules,
  spanOn: SpanOn,
  now: Date | null,
): Day {
  const { start, end } = hoursOf(window, slot, branch, date)
  const span = spanOn(date, start, end)
  const { maxSlots, aiSlots } = capacityOf(window, slot)
  const { filled, aiFilled, held } = slot ?? { filled: 0, aiFilled: 0, held: 0 }
  const hasPassed = now !== null && span.endsAt.at <= now
  const closedReason = hasPassed ? 'past' : closureOf(window, slot, branch, date)
  const available = closedReason ? 0 : Math.max(0, maxSlots - filled - held)
  return {
    window,
    slot,
    date,
    timezone: branch.timezone,
    startTime: start,
    endTime: end,
    span,
    maxSlots,
    aiSlots,
    filled,
    aiFilled,
    available,
    aiAvailable: Math.max(0, Math.min(available, aiSlots - aiFilled - held)),
    status: closedReason ? 'CLOSED' : 'OPEN',
    closedReason,
    note: slot?.note ?? holidayNote(slot, branch, date),
    isOverride: slot !== null && isOverridden(slot),
    // A row of revision 0 was only made to count in.
    updatedAt: slot && slot.revision > 0 && slot.updatedAt > window.updatedAt ? slot.updatedAt : window.updatedAt,
  }
}

/** A date that was opened for itself has nothing to do with the holiday. */
const holidayNote = (slot: DaySlot | null, branch: BranchRules, date: string): string | null =>
  slot?.status === 'OPEN' ? null : (closureOn(branch.holidays, date)?.reason ?? null)

export const isOverridden = (slot: DaySlot): boolean =>
  slot.capacityOverride ||
  slot.startTime !== null ||
  slot.endTime !== null ||
  slot.status !== null ||
  slot.note !== null

export const freeFor = (day: Day, bookedBy: BookedBy | undefined): number =>
  bookedBy === 'ai' ? day.aiAvailable : day.available

type Refusal = { code: ErrorCode; message: string }

/** Why nobody can be booked here now; null when there is a place. A place one holds oneself counts as free. */
export function refusalOf(day: Day, bookedBy: BookedBy, holdsOne = false): Refusal | null {
  if (day.closedReason === 'past') return { code: 'SLOT_IN_PAST', message: 'This slot is over.' }
  if (day.closedReason === 'holiday')
    return { code: 'SLOT_CLOSED', message: 'The branch is closed on this date: nothing can be booked.' }
  if (day.closedReason) return { code: 'SLOT_CLOSED', message: 'This slot is closed: nothing can be booked.' }
  const own = holdsOne ? 1 : 0
  if (day.available + own < 1) return { code: 'SLOT_FULL', message: 'Every place of this slot is taken.' }
  if (bookedBy === 'ai' && day.aiAvailable + own < 1)
    return { code: 'AI_QUOTA_EXHAUSTED', message: 'The AI agent has booked all its places of this slot.' }
  return null
}
