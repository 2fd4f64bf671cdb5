import type { Session } from '@parley/contract/appointment-slots'
import type { AppointmentStatus } from '@parley/contract/appointments'
import type { BookedBy } from '@parley/contract/slot-dates'
import type { Position } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import type { AppointmentRecord } from './appointment.ts'

export type AppointmentRow = {
  appointment_id: string
  status: AppointmentStatus
  calendar_id: string
  branch_id: string
  date: string
  start_time: string
  end_time: string
  starts_at: Date
  ends_at: Date
  timezone: string
  session: Session
  batch: string | null
  appointment_type_id: string | null
  appointment_type_name: string | null
  contact_name: string | null
  contact_number: string | null
  contact_email: string | null
  notes: string | null
  booked_by: BookedBy
  call_id: string | null
  external_id: string | null
  cancellation_reason: string | null
  created_at: Date
  updated_at: Date
}
/** Of `appointments a`. */
export const columns = `a.appointment_id, a.status, a.calendar_id, a.branch_id, a.date::text, a.start_time, a.end_time,
  a.starts_at, a.ends_at, a.timezone, a.session, a.batch, a.appointment_type_id, a.appointment_type_name, a.contact_name,
  a.contact_number, a.contact_email, a.notes, a.booked_by, a.call_id, a.external_id, a.cancellation_reason, a.created_at,
  a.updated_at`

export const fromRow = (row: AppointmentRow): AppointmentRecord => ({
  appointmentId: row.appointment_id,
  status: row.status,
  calendarId: row.calendar_id,
  branchId: row.branch_id,
  date: row.date,
  startTime: row.start_time,
  endTime: row.end_time,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  timezone: row.timezone,
  session: row.session,
  batch: row.batch,
  appointmentTypeId: row.appointment_type_id,
  appointmentTypeName: row.appointment_type_name,
  contactName: row.contact_name,
  contactNumber: row.contact_number,
  contactEmail: row.contact_email,
  notes: row.notes,
  bookedBy: row.booked_by,
  callId: row.call_id,
  externalId: row.external_id,
  cancellationReason: row.cancellation_reason,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export type AppointmentToInsert = Omit<AppointmentRecord, 'createdAt' | 'updatedAt'>

/** Null when the external id is in use. */
/** What a booking sets and a change may set again, from calendar_id to notes. */
const placeAndPerson = (each: AppointmentToInsert): unknown[] => [
  each.calendarId,
  each.branchId,
  each.date,
  each.status,
  each.startTime,
  each.endTime,
  each.startsAt,
  each.endsAt,
  each.timezone,
  each.session,
  each.batch,
  each.appointmentTypeId,
  each.appointmentTypeName,
  each.contactName,
  each.contactNumber,
  each.contactEmail,
  each.notes,
]

export async function insertAppointment(
  tx: Queryable,
  organisationId: string,
  each: AppointmentToInsert,
): Promise<AppointmentRecord | null> {
  const [row] = await tx.query<AppointmentRow>(
    `insert into appointments as a (appointment_id, organisation_id, calendar_id, branch_id, date, status, start_time,
       end_time, starts_at, ends_at, timezone, session, batch, appointment_type_id, appointment_type_name, contact_name,
       contact_number, contact_email, notes, booked_by, call_id, external_id, cancellation_reason)
     values ($1, $2, $3, $4, $5::date, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
     on conflict (organisation_id, external_id) where external_id is not null and status <> 'cancelled' do nothing
     returning ${columns}`,
    [
      each.appointmentId,
      organisationId,
      ...placeAndPerson(each),
      each.bookedBy,
      each.callId,
      each.externalId,
      each.cancellationReason,
    ],
  )
  return row ? fromRow(row) : null
}

export async function updateAppointment(
  tx: Queryable,
  organisationId: string,
  each: AppointmentRecord,
): Promise<AppointmentRecord> {
  const rows = await tx.query<AppointmentRow>(
    `update appointments a set calendar_id = $3, branch_id = $4, date = $5::date, status = $6, start_time = $7,
       end_time = $8, starts_at = $9, ends_at = $10, timezone = $11, session = $12, batch = $13, appointment_type_id = $14,
       appointment_type_name = $15, contact_name = $16, contact_number = $17, contact_email = $18, notes = $19,
       cancellation_reason = $20, sequence = a.sequence + 1, updated_at = now()
     where a.organisation_id = $1 and a.appointment_id = $2 returning ${columns}`,
    [organisationId, each.appointmentId, ...placeAndPerson(each), each.cancellationReason],
  )
  return fromRow(rows[0] as AppointmentRow)
}

export async function selectAppointment(
  db: Queryable,
  organisationId: string,
  appointmentId: string,
): Promise<AppointmentRecord | null> {
  const [row] = await db.query<AppointmentRow>(
    `select ${columns} from appointments a where a.organisation_id = $1 and a.appointment_id = $2`,
    [organisationId, appointmentId],
  )
  return row ? fromRow(row) : null
}

/** Whoever changes it next waits, and then sees what was made of it: ten cancels are one. */
export async function lockAppointment(
  tx: Queryable,
  organisationId: string,
  appointmentId: string,
): Promise<AppointmentRecord | null> {
  const [row] = await tx.query<AppointmentRow>(
    `select ${columns} from appointments a where a.organisation_id = $1 and a.appointment_id = $2 for update`,
    [organisationId, appointmentId],
  )
  return row ? fromRow(row) : null
}

export type AppointmentFilter = {
  branchId: string | null
  calendarId: string | null
  appointmentTypeId: string | null
  from: string | null
  to: string | null
  statuses: AppointmentStatus[] | null
  session: Session | null
  bookedBy: BookedBy | null
  contactNumber: string | null
  callId: string | null
  externalId: string | null
  after: Position | null
  limit: number
}

/** Newest first. */
export async function selectAppointments(
  db: Queryable,
  organisationId: string,
  filter: AppointmentFilter,
): Promise<AppointmentRecord[]> {
  const values: unknown[] = [organisationId, filter.limit]
  const conditions = ['a.organisation_id = $1']
  const where = (given: unknown, condition: (place: string) => string) => {
    if (given !== null) conditions.push(condition(`$${values.push(given)}`))
  }
  where(filter.branchId, (id) => `a.branch_id = ${id}`)
  where(filter.calendarId, (id) => `a.calendar_id = ${id}`)
  where(filter.appointmentTypeId, (id) => `a.appointment_type_id = ${id}`)
  where(filter.from, (date) => `a.date >= ${date}::date`)
  where(filter.to, (date) => `a.date <= ${date}::date`)
  where(filter.statuses, (list) => `a.status = any(${list})`)
  where(filter.session, (text) => `a.session = ${text}`)
  where(filter.bookedBy, (text) => `a.booked_by = ${text}`)
  where(filter.contactNumber, (text) => `a.contact_number = ${text}`)
  where(filter.callId, (text) => `a.call_id = ${text}`)
  where(filter.externalId, (text) => `a.external_id = ${text}`)
  if (filter.after) {
    const [at, id] = [values.push(filter.after.at), values.push(filter.after.id)]
    conditions.push(`(a.created_at, a.appointment_id) < ($${at}, $${id}::uuid)`)
  }
  const rows = await db.query<AppointmentRow>(
    `select ${columns} from appointments a where ${conditions.join(' and ')}
     order by a.created_at desc, a.appointment_id desc limit $2`,
    values,
  )
  return rows.map(fromRow)
}

/** The next confirmed appointment of a person that is not over, earliest first. */
export async function selectNextOfContact(
  db: Queryable,
  organisationId: string,
  contactNumber: string,
  now: Date,
): Promise<AppointmentRecord | null> {
  const [row] = await db.query<AppointmentRow>(
    `select ${columns} from appointments a
     where a.organisation_id = $1 and a.contact_number = $2 and a.status = 'confirmed' and a.ends_at > $3
     order by a.starts_at, a.appointment_id limit 1`,
    [organisationId, contactNumber, now],
  )
  return row ? fromRow(row) : null
}

export async function selectExternalIdInUse(
  db: Queryable,
  organisationId: string,
  externalId: string,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from appointments where organisation_id = $1 and external_id = $2 and status <> 'cancelled'`,
    [organisationId, externalId],
  )
  return rows.length > 0
}

/** Calls come after appointments in the order of modules, so this asks their table; it never writes to it. */
export async function selectCallExists(db: Queryable, organisationId: string, callId: string): Promise<boolean> {
  const rows = await db.query('select 1 from calls where organisation_id = $1 and call_id = $2', [
    organisationId,
    callId,
  ])
  return rows.length > 0
}

/** How many there are. */
export async function clearCall(tx: Queryable, organisationId: string, callId: string): Promise<number> {
  const rows = await tx.query(
    'update appointments set call_id = null where organisation_id = $1 and call_id = $2 returning 1',
    [organisationId, callId],
  )
  return rows.length
}
