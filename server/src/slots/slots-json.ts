import type { Day } from './day.ts'
import type { WindowRecord } from './window.ts'

/**
 * `days.map(slotOnDateView)` as JSON text. A month of a large branch is most of a megabyte, and writing it was half the
 * time of the answer: what is the same on every date of a window is written once. The test holds it against the view.
 */
export function slotsOnDatesJson(days: Day[]): string {
  const fixed = new Map<WindowRecord, string>()
  const items = days.map((day) => {
    const { window, date } = day
    let same = fixed.get(window)
    if (same === undefined) {
      same = fieldsOf(window)
      fixed.set(window, same)
    }
    // Ids, dates, times and numbers need no escapes; people's words do.
    return (
      `{"slot_id":"${window.calendarId}||${date}",${same},"date":"${date}","start_time":"${day.startTime}",` +
      `"end_time":"${day.endTime}","starts_at":"${day.span.startsAt.text}","ends_at":"${day.span.endsAt.text}",` +
      `"timezone":"${day.timezone}","max_slots":${day.maxSlots},"ai_slots":${day.aiSlots},` +
      `"filled_slots":${day.filled},"ai_filled_slots":${day.aiFilled},"available_slots":${day.available},` +
      `"ai_available_slots":${day.aiAvailable},"status":"${day.status}",` +
      `"closed_reason":${day.closedReason === null ? 'null' : `"${day.closedReason}"`},"note":${JSON.stringify(day.note)},` +
      `"updated_at":"${day.updatedAt.toISOString()}"}`
    )
  })
  return `[${items.join(',')}]`
}

/** Without the braces. */
const fieldsOf = (window: WindowRecord): string =>
  JSON.stringify({
    calendar_id: window.calendarId,
    parent_calendar_id: window.parentCalendarId,
    branch_id: window.branchId,
    day: window.day,
    session: window.session,
    batch: window.batch,
    appointment_type: window.appointmentTypeId,
    created_at: window.createdAt,
  }).slice(1, -1)
