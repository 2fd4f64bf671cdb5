import type { Day, PatchSlotBody, Session, WindowStatus } from '@parley/contract/appointment-slots'
import { type Fault, fault } from '../platform/errors.ts'

/** A weekly rule (§2.3): on the wire a slot, here a window. */
export type NewWindow = {
  branchId: string
  day: Day
  session: Session
  batch: string | null
  /** Both null: the branch's hours of the session. */
  startTime: string | null
  endTime: string | null
  appointmentTypeId: string | null
  maxSlots: number
  aiSlots: number
  status: WindowStatus
}
export type WindowRecord = NewWindow & {
  calendarId: string
  parentCalendarId: string | null
  revision: number
  createdAt: Date
  updatedAt: Date
}

type Rules = Pick<NewWindow, 'startTime' | 'endTime' | 'maxSlots' | 'aiSlots'>

/** The rules that hold between fields (§4.6, §8). Of two that collide, the one that was sent is at fault. */
export function windowFaults(rules: Rules, sent: Record<string, unknown>): Fault[] {
  return [...placesFaults(rules, sent), ...timesFaults(rules, sent)]
}

function placesFaults({ maxSlots, aiSlots }: Rules, sent: Record<string, unknown>): Fault[] {
  if (aiSlots <= maxSlots) return []
  if (sent.ai_slots === undefined)
    return [fault('max_slots', 'below_ai_slots', `max_slots must be at least ai_slots, which is ${aiSlots}.`)]
  return [fault('ai_slots', 'exceeds_max_slots', `ai_slots must not exceed max_slots, which is ${maxSlots}.`)]
}

function timesFaults({ startTime, endTime }: Rules, sent: Record<string, unknown>): Fault[] {
  const [isStartSent, isEndSent] = [sent.start_time !== undefined, sent.end_time !== undefined]
  if (!isStartSent && !isEndSent) return []
  if ((startTime === null) !== (endTime === null)) {
    const missing = startTime === null ? 'start_time' : 'end_time'
    return [fault(missing, 'required', 'Give start_time and end_time together, or neither.')]
  }
  if (startTime === null || endTime === null || startTime < endTime) return []
  return isEndSent
    ? [fault('end_time', 'order', `end_time must be after start_time, which is ${startTime}.`)]
    : [fault('start_time', 'order', `start_time must be before end_time, which is ${endTime}.`)]
}

/** The same rules for a body as it came: whatever is missing or odd is told by the schema. */
export function newWindowFaults(body: Record<string, unknown>): Fault[] {
  const { start_time: start, end_time: end, ai_slots: ai, max_slots: max } = body
  const time = (value: unknown) => (typeof value === 'string' ? value : null)
  const bothCount = Number.isInteger(ai) && Number.isInteger(max)
  const rules = {
    startTime: time(start),
    endTime: time(end),
    aiSlots: bothCount ? Number(ai) : 0,
    maxSlots: bothCount ? Number(max) : 0,
  }
  return windowFaults(rules, body)
}

/** Only what is given changes. */
export const patched = (window: WindowRecord, patch: PatchSlotBody): WindowRecord => ({
  ...window,
  day: patch.day ?? window.day,
  session: patch.session ?? window.session,
  startTime: patch.start_time === undefined ? window.startTime : patch.start_time,
  endTime: patch.end_time === undefined ? window.endTime : patch.end_time,
  maxSlots: patch.max_slots ?? window.maxSlots,
  aiSlots: patch.ai_slots ?? window.aiSlots,
  batch: patch.batch_name === undefined ? window.batch : patch.batch_name,
  status: patch.status ?? window.status,
})
