import type { Session } from '@parley/contract/appointment-slots'
import type { AppointmentStatus } from '@parley/contract/appointments'
import type { EventType } from '@parley/contract/events'
import type { BookedBy } from '@parley/contract/slot-dates'
import type { Day } from '../slots/day.ts'

/** Where and when: copied from the window when it is booked, and kept whatever the rule says later. */
export type Placement = {
  calendarId: string
  branchId: string
  date: string
  startTime: string
  endTime: string
  startsAt: Date
  endsAt: Date
  timezone: string
  session: Session
  batch: string | null
}
export type Details = {
  appointmentTypeId: string | null
  appointmentTypeName: string | null
  contactName: string | null
  contactNumber: string | null
  contactEmail: string | null
  notes: string | null
  cancellationReason: string | null
}
export type AppointmentRecord = Placement &
  Details & {
    appointmentId: string
    status: AppointmentStatus
    bookedBy: BookedBy
    callId: string | null
    externalId: string | null
    createdAt: Date
    updatedAt: Date
  }

/** What somebody asks for. */
export type NewAppointment = {
  /** With a date: `<calendar_id>||<date>`. */
  slotId: string
  contactName: string
  contactNumber: string
  contactEmail?: string | null
  appointmentTypeId?: string | null
  notes?: string | null
  bookedBy?: BookedBy
  callId?: string | null
  externalId?: string | null
}

/** Decisions 7: from each status to which others. */
export const appointmentMoves: Record<AppointmentStatus, AppointmentStatus[]> = {
  confirmed: ['cancelled', 'completed', 'no_show'],
  cancelled: ['confirmed'],
  completed: ['confirmed'],
  no_show: ['confirmed'],
}

/** A cancelled appointment has given its place back; one that was kept or missed has used it. */
export const takesPlace = (status: AppointmentStatus): boolean => status !== 'cancelled'

/** One event per change, named by what it means. */
export function eventOf(before: AppointmentStatus, after: AppointmentStatus): EventType {
  if (before !== after && after === 'cancelled') return 'appointment.cancelled'
  if (before !== after && after === 'completed') return 'appointment.completed'
  return 'appointment.updated'
}

export const placementOf = (day: Day): Placement => ({
  calendarId: day.window.calendarId,
  branchId: day.window.branchId,
  date: day.date,
  startTime: day.startTime,
  endTime: day.endTime,
  startsAt: day.span.startsAt.at,
  endsAt: day.span.endsAt.at,
  timezone: day.timezone,
  session: day.window.session,
  batch: day.window.batch,
})
