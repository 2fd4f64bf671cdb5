import type { Queryable } from '../platform/db.ts'
import type { AppointmentRecord } from './appointment.ts'
import { type AppointmentRow, columns, fromRow } from './appointments.store.ts'

// Calls come after appointments in the order of modules: their table is asked here, never written to.
// Two looks by index: joined with an `or`, a plan over all appointments of the organisation would come into question.
const ofCalls = `from calls c cross join lateral (
    select * from appointments where call_id = c.call_id
    union all
    select * from appointments where appointment_id = c.appointment_id and call_id is distinct from c.call_id
  ) a`
const sameHouse = 'a.organisation_id = c.organisation_id'

/** For each of these calls what it booked, moved or cancelled last. */
export async function selectLatestOfCalls(
  db: Queryable,
  callIds: string[],
): Promise<{ callId: string; appointment: AppointmentRecord }[]> {
  const rows = await db.query<AppointmentRow & { of_call: string }>(
    `select distinct on (c.call_id) c.call_id as of_call, ${columns} ${ofCalls}
     where c.call_id = any($1) and ${sameHouse} order by c.call_id, a.updated_at desc, a.appointment_id desc`,
    [callIds],
  )
  return rows.map((row) => ({ callId: row.of_call, appointment: fromRow(row) }))
}

export async function selectOfCall(
  db: Queryable,
  organisationId: string,
  callId: string,
): Promise<AppointmentRecord[]> {
  const rows = await db.query<AppointmentRow>(
    `select ${columns} ${ofCalls}
     where c.organisation_id = $1 and c.call_id = $2 and ${sameHouse} order by a.starts_at, a.appointment_id`,
    [organisationId, callId],
  )
  return rows.map(fromRow)
}

/** Confirmed and not begun yet, earliest first. */
export async function selectUpcomingOfContact(
  db: Queryable,
  organisationId: string,
  contactNumber: string,
  now: Date,
  limit: number,
): Promise<AppointmentRecord[]> {
  const rows = await db.query<AppointmentRow>(
    `select ${columns} from appointments a
     where a.organisation_id = $1 and a.contact_number = $2 and a.status = 'confirmed' and a.starts_at > $3
     order by a.starts_at, a.appointment_id limit $4`,
    [organisationId, contactNumber, now, limit],
  )
  return rows.map(fromRow)
}

export async function selectBookedInCall(
  db: Queryable,
  organisationId: string,
  callId: string,
  slot: { calendarId: string; date: string },
): Promise<AppointmentRecord | null> {
  const [row] = await db.query<AppointmentRow>(
    `select ${columns} from appointments a where a.organisation_id = $1 and a.call_id = $2 and a.calendar_id = $3
       and a.date = $4::date and a.status = 'confirmed' limit 1`,
    [organisationId, callId, slot.calendarId, slot.date],
  )
  return row ? fromRow(row) : null
}
