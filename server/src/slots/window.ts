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

/** The rules that hold between fields (§4.6, §8). */
export function windowFaults({ startTime, endTime, maxSlots, aiSlots }: Rules): Fault[] {
  const faults: Fault[] = []
  if (aiSlots > maxSlots) faults.push(fault('ai_slots', 'exceeds_max_slots', 'ai_slots must not exceed max_slots.'))
  if ((startTime === null) !== (endTime === null)) {
    const missing = startTime === null ? 'start_time' : 'end_time'
    faults.push(fault(missing, 'required', 'Give start_time and end_time together, or neither.'))
  }
  if (startTime !== null && endTime !== null && startTime >= endTime)
    faults.push(fault('end_time', 'order', 'end_time must be after start_time.'))
  return faults
}

/** The same rules for a body as it came: whatever is missing or odd is told by the schema. */
export function newWindowFaults(body: Record<string, unknown>): Fault[] {
  const { start_time: start, end_time: end, ai_slots: ai, max_slots: max } = body
  const time = (value: unknown) => (typeof value === 'string' ? value : null)
  const bothCount = Number.isInteger(ai) && Number.isInteger(max)
  return windowFaults({
    startTime: time(start),
    endTime: time(end),
    aiSlots: bothCount ? Number(ai) : 0,
    maxSlots: bothCount ? Number(max) : 0,
  })
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
