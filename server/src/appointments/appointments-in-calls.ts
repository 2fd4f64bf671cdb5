import type { Appointment } from '@parley/contract/appointments'
import type { Clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/db.ts'
import type { AppointmentRecord } from './appointment.ts'
import { appointmentView } from './appointment-view.ts'
import {
  selectBookedInCall,
  selectLatestOfCalls,
  selectOfCall,
  selectUpcomingOfContact,
} from './appointments-in-calls.store.ts'

/** What the events of these calls say in appointment_details (§6.4); a call without an appointment is not in it. */
export async function appointmentDetailsOf(db: Queryable, callIds: string[]): Promise<Map<string, Appointment>> {
  if (callIds.length === 0) return new Map()
  const found = await selectLatestOfCalls(db, callIds)
  return new Map(found.map(({ callId, appointment }) => [callId, appointmentView(appointment)]))
}

export const appointmentsOfCall = async (
  db: Queryable,
  organisationId: string,
  callId: string,
): Promise<Appointment[]> => (await selectOfCall(db, organisationId, callId)).map(appointmentView)

/** One that this call booked, moved or cancelled. */
export const findOfCall = async (
  db: Queryable,
  organisationId: string,
  callId: string,
  appointmentId: string,
): Promise<AppointmentRecord | null> => {
  const found = await selectOfCall(db, organisationId, callId)
  return found.find((each) => each.appointmentId === appointmentId) ?? null
}

const mostUpcoming = 5

/** What this person can still cancel or move. */
export const upcomingOfContact = (
  { db, clock }: { db: Queryable; clock: Clock },
  organisationId: string,
  contactNumber: string,
): Promise<AppointmentRecord[]> => selectUpcomingOfContact(db, organisationId, contactNumber, clock.now(), mostUpcoming)

/** A booking that is asked for again in the same call is the one that was made. */
export const findBookedInCall: typeof selectBookedInCall = selectBookedInCall
