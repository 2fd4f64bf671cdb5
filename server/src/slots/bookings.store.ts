import type { Queryable } from '../platform/db.ts'

/**
 * Appointments come after slots in the order of modules, so their table is asked here by its name; it is never written
 * to. What is not cancelled has a place.
 */
export type ServiceCount = { calendarId: string; date: string; appointmentTypeId: string | null; filled: number }

export async function selectServiceCounts(
  db: Queryable,
  branchId: string,
  from: string,
  to: string,
): Promise<ServiceCount[]> {
  type Row = { calendar_id: string; date: string; appointment_type_id: string | null; filled: number }
  const rows = await db.query<Row>(
    `select calendar_id, date::text, appointment_type_id, count(*)::int as filled from appointments
     where branch_id = $1 and date between $2::date and $3::date and status <> 'cancelled'
     group by calendar_id, appointments.date, appointment_type_id`,
    [branchId, from, to],
  )
  return rows.map((row) => ({
    calendarId: row.calendar_id,
    date: row.date,
    appointmentTypeId: row.appointment_type_id,
    filled: row.filled,
  }))
}

export type Recount = { calendarId: string; date: string; filled: number; aiFilled: number }

/** The counters as they should be. */
export async function selectRecounts(db: Queryable, branchId: string, from: string, to: string): Promise<Recount[]> {
  type Row = { calendar_id: string; date: string; filled: number; ai_filled: number }
  const rows = await db.query<Row>(
    `select calendar_id, date::text, count(*)::int as filled,
       (count(*) filter (where booked_by = 'ai'))::int as ai_filled from appointments
     where branch_id = $1 and date between $2::date and $3::date and status <> 'cancelled'
     group by calendar_id, appointments.date`,
    [branchId, from, to],
  )
  return rows.map((row) => ({
    calendarId: row.calendar_id,
    date: row.date,
    filled: row.filled,
    aiFilled: row.ai_filled,
  }))
}
