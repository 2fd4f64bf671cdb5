import { type Session, sessions } from '@parley/contract/appointment-slots'
import type { Appointment } from '@parley/contract/appointments'
import { type Cell, cellsOf } from '../Calendar/week.ts'

export interface SheetGroup {
  key: string
  session: Session
  hours: string
  /** Batch and service. */
  label: string
  /** Null: the window no longer falls on this day, but somebody is booked. */
  cell: Cell | null
  appointments: Appointment[]
}

/** A day, window by window in the order of the day; whoever is booked is on it, whatever became of the window. */
export function sheetOf(
  records: Parameters<typeof cellsOf>[0],
  appointments: readonly Appointment[],
  now: Date,
): SheetGroup[] {
  const groups = new Map<string, SheetGroup>()
  for (const cell of cellsOf(records, now))
    groups.set(cell.calendarId, {
      key: cell.calendarId,
      session: cell.session,
      hours: `${cell.start}–${cell.end}`,
      label: cell.label,
      cell,
      appointments: [],
    })
  for (const each of appointments) {
    const group = groups.get(each.calendar_id) ?? {
      key: each.calendar_id,
      session: each.session,
      hours: `${each.start_time}–${each.end_time}`,
      label: [each.batch, each.appointment_type_name].filter((part) => part).join(' · '),
      cell: null,
      appointments: [],
    }
    group.appointments.push(each)
    groups.set(each.calendar_id, group)
  }
  return [...groups.values()].sort(
    (a, b) => sessions.indexOf(a.session) - sessions.indexOf(b.session) || a.hours.localeCompare(b.hours),
  )
}
