import { type AppointmentStatus, appointmentStatuses, type ListAppointmentsQuery } from '@parley/contract/appointments'
import type { Clock } from '../platform/clock.ts'
import { decodeUuidCursor, type Page, toPage } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import { type Fault, fault, validationError } from '../platform/errors.ts'
import { isId, isUuid } from '../platform/ids.ts'
import { isE164 } from '../platform/phone.ts'
import { dateFaults } from '../slots/date-range.ts'
import { findNamed } from '../slots/named-ids.ts'
import { isWindowOf } from '../slots/windows.service.ts'
import type { AppointmentRecord } from './appointment.ts'
import {
  clearCall,
  selectAppointment,
  selectAppointments,
  selectCallExists,
  selectNextOfContact,
} from './appointments.store.ts'
import { noSuchAppointment } from './change-appointment.ts'

export async function getAppointment(
  db: Queryable,
  organisationId: string,
  appointmentId: string,
): Promise<AppointmentRecord> {
  const found = isUuid(appointmentId) ? await selectAppointment(db, organisationId, appointmentId) : null
  if (!found) throw noSuchAppointment()
  return found
}

/** The next appointment of this person that is confirmed and not over. */
export const findAppointmentOfContact = (
  { db, clock }: { db: Queryable; clock: Clock },
  organisationId: string,
  contactNumber: string,
): Promise<AppointmentRecord | null> => selectNextOfContact(db, organisationId, contactNumber, clock.now())

/** An erased call leaves its appointments behind, without the link to it (decisions 3). */
export const unlinkCall: (tx: Queryable, organisationId: string, callId: string) => Promise<number> = clearCall

/** The query's rules a schema cannot say; its faults join the schema's. */
export function listAppointmentsFaults(query: Record<string, unknown>): Fault[] {
  const faults = dateFaults(query, Number.POSITIVE_INFINITY)
  if (typeof query.status === 'string') {
    const unknown = query.status.split(',').filter((each) => !appointmentStatuses.includes(each as AppointmentStatus))
    if (unknown.length > 0)
      faults.push(fault('status', 'not_allowed', `Use a comma list of: ${appointmentStatuses.join(', ')}.`))
  }
  if (typeof query.contact_number === 'string' && !isE164(query.contact_number))
    faults.push(fault('contact_number', 'format', 'Write the number in E.164, the plus sign as %2B: %2B15005550001.'))
  // No stored text has it, and the database would not even look.
  if (typeof query.external_id === 'string' && query.external_id.includes('\0'))
    faults.push(fault('external_id', 'format', 'Text must not contain the NUL character.'))
  return faults
}

/** Ids that are not the organisation's own are faults of the query, not empty lists (decisions 1). */
export async function namedIdFaults(
  db: Queryable,
  organisationId: string,
  query: Record<string, unknown>,
): Promise<Fault[]> {
  const { faults } = await findNamed(db, organisationId, query)
  const { calendar_id: calendarId, call_id: callId } = query
  if (typeof calendarId === 'string' && !(await isWindowOf(db, organisationId, calendarId)))
    faults.push(fault('calendar_id', 'not_found', 'There is no slot with this id.'))
  const isCall = (id: string) => isId('call', id) && selectCallExists(db, organisationId, id)
  if (typeof callId === 'string' && !(await isCall(callId)))
    faults.push(fault('call_id', 'not_found', 'There is no call with this id.'))
  return faults
}

export async function listAppointments(
  db: Queryable,
  organisationId: string,
  query: ListAppointmentsQuery,
): Promise<Page<AppointmentRecord>> {
  const faults = await namedIdFaults(db, organisationId, query)
  if (faults.length > 0) throw validationError(faults)
  const limit = query.limit ?? 20
  const rows = await selectAppointments(db, organisationId, {
    branchId: query.branch_id ?? null,
    calendarId: query.calendar_id ?? null,
    appointmentTypeId: query.appointment_type_id ?? null,
    from: query.date ?? query.start_date ?? null,
    to: query.date ?? query.end_date ?? null,
    statuses: (query.status?.split(',') as AppointmentStatus[] | undefined) ?? null,
    session: query.session ?? null,
    bookedBy: query.booked_by ?? null,
    contactNumber: query.contact_number ?? null,
    callId: query.call_id ?? null,
    externalId: query.external_id ?? null,
    after: query.cursor === undefined ? null : decodeUuidCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit, (each) => ({ at: each.createdAt, id: each.appointmentId }))
}
