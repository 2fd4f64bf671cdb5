import type { Slot } from '@parley/contract/appointment-slots'
import type { SlotOnDate, TrackingRecord } from '@parley/contract/slot-dates'
import type { Service, SessionHours } from '../branches/branch.ts'
import type { Day } from './day.ts'
import { slotIdOf } from './slot-id.ts'
import type { WindowRecord } from './window.ts'

/** §2.3. Times that were left out are the branch's; how full it is depends on the date, so nothing is said about that. */
export const slotView = (window: WindowRecord, hours: SessionHours): Slot => ({
  slot_id: window.calendarId,
  calendar_id: window.calendarId,
  parent_calendar_id: window.parentCalendarId,
  branch_id: window.branchId,
  day: window.day,
  session: window.session,
  batch: window.batch,
  start_time: window.startTime ?? hours[window.session].start,
  end_time: window.endTime ?? hours[window.session].end,
  appointment_type: window.appointmentTypeId,
  max_slots: window.maxSlots,
  ai_slots: window.aiSlots,
  filled_slots: null,
  available_slots: null,
  status: window.status,
  created_at: window.createdAt.toISOString(),
  updated_at: window.updatedAt.toISOString(),
})

export const slotOnDateView = (day: Day): SlotOnDate => ({
  slot_id: slotIdOf(day.window.calendarId, day.date),
  calendar_id: day.window.calendarId,
  parent_calendar_id: day.window.parentCalendarId,
  branch_id: day.window.branchId,
  day: day.window.day,
  session: day.window.session,
  batch: day.window.batch,
  date: day.date,
  start_time: day.startTime,
  end_time: day.endTime,
  starts_at: day.span.startsAt.text,
  ends_at: day.span.endsAt.text,
  timezone: day.timezone,
  appointment_type: day.window.appointmentTypeId,
  max_slots: day.maxSlots,
  ai_slots: day.aiSlots,
  filled_slots: day.filled,
  ai_filled_slots: day.aiFilled,
  available_slots: day.available,
  ai_available_slots: day.aiAvailable,
  status: day.status,
  closed_reason: day.closedReason,
  note: day.note,
  created_at: day.window.createdAt.toISOString(),
  updated_at: day.updatedAt.toISOString(),
})

/** `service` null: no service is named, and there is none to name. */
export function trackingView(day: Day, service: Service | null, filled: number): TrackingRecord {
  const serviceId = service?.appointmentTypeId ?? day.window.appointmentTypeId
  return {
    ...slotOnDateView(day),
    slot_id: slotIdOf(day.window.calendarId, day.date, serviceId),
    appointment_type: serviceId,
    appointment_type_name: service?.name ?? null,
    shared_capacity: day.window.appointmentTypeId === null,
    filled_slots: filled,
    window_filled_slots: day.filled,
    is_override: day.isOverride,
  }
}
