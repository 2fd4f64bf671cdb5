import type { Queryable } from '../platform/db.ts'
import type { AppointmentRecord } from './appointment.ts'
import { type AppointmentRow, columns, fromRow } from './appointments.store.ts'

/** What is not over and not in this zone, in one order, whoever locks them. */
export async function lockComingOf(
  tx: Queryable,
  organisationId: string,
  branchId: string,
  timezone: string,
  now: Date,
): Promise<AppointmentRecord[]> {
  const rows = await tx.query<AppointmentRow>(
    `select ${columns} from appointments a
     where a.organisation_id = $1 and a.branch_id = $2 and a.timezone <> $3 and a.ends_at > $4
     order by a.appointment_id for update`,
    [organisationId, branchId, timezone, now],
  )
  return rows.map(fromRow)
}

export async function updateInstants(
  tx: Queryable,
  organisationId: string,
  timezone: string,
  moved: Pick<AppointmentRecord, 'appointmentId' | 'startsAt' | 'endsAt'>[],
): Promise<AppointmentRecord[]> {
  const rows = await tx.query<AppointmentRow>(
    `update appointments a set timezone = $2, starts_at = m.starts_at, ends_at = m.ends_at, updated_at = now(),
       sequence = a.sequence + 1
     from unnest($3::uuid[], $4::timestamptz[], $5::timestamptz[]) as m (appointment_id, starts_at, ends_at)
     where a.organisation_id = $1 and a.appointment_id = m.appointment_id returning ${columns}`,
    [
      organisationId,
      timezone,
      moved.map((each) => each.appointmentId),
      moved.map((each) => each.startsAt),
      moved.map((each) => each.endsAt),
    ],
  )
  return rows.map(fromRow)
}
