import type { Queryable } from '../platform/db.ts'
import type { SessionHours } from './branch.ts'
import type { Holiday, NewHoliday } from './holiday.ts'

type HolidayRow = {
  holiday_id: string
  branch_id: string
  start_date: string
  end_date: string
  reason: string | null
  hours: Partial<SessionHours> | null
  created_at: Date
}
// Dates as texts: the driver would make them midnights of the machine's own zone.
const columns = `holiday_id, branch_id, start_date::text, end_date::text, reason, hours, created_at`
const fromRow = (row: HolidayRow): Holiday => ({
  holidayId: row.holiday_id,
  branchId: row.branch_id,
  startDate: row.start_date,
  endDate: row.end_date,
  reason: row.reason,
  hours: row.hours,
  createdAt: row.created_at,
})

export async function insertHoliday(
  tx: Queryable,
  organisationId: string,
  branchId: string,
  holidayId: string,
  holiday: NewHoliday,
): Promise<Holiday> {
  const rows = await tx.query<HolidayRow>(
    `insert into branch_holidays (holiday_id, organisation_id, branch_id, start_date, end_date, reason, hours)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
    [holidayId, organisationId, branchId, holiday.startDate, holiday.endDate, holiday.reason, holiday.hours],
  )
  return fromRow(rows[0] as HolidayRow)
}

/** In the order they were entered: of several hours for one date the last holds. */
export async function selectHolidays(
  db: Queryable,
  organisationId: string,
  branchIds: string[],
  from: string,
  to: string,
): Promise<Holiday[]> {
  const rows = await db.query<HolidayRow>(
    `select ${columns} from branch_holidays
     where organisation_id = $1 and branch_id = any($2::uuid[]) and end_date >= $3::date and start_date <= $4::date
     order by created_at, holiday_id`,
    [organisationId, branchIds, from, to],
  )
  return rows.map(fromRow)
}

export async function deleteHoliday(tx: Queryable, organisationId: string, holidayId: string): Promise<Holiday | null> {
  const [row] = await tx.query<HolidayRow>(
    `delete from branch_holidays where organisation_id = $1 and holiday_id = $2 returning ${columns}`,
    [organisationId, holidayId],
  )
  return row ? fromRow(row) : null
}

/** Appointments come after branches in the order of modules: their table is asked by name, never written to. */
export async function selectBookedInHolidays(
  db: Queryable,
  organisationId: string,
  holidayIds: string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ holiday_id: string; booked: number }>(
    `select h.holiday_id, count(a.*)::int as booked from branch_holidays h
     join appointments a on a.branch_id = h.branch_id and a.date between h.start_date and h.end_date
       and a.status = 'confirmed'
     where h.organisation_id = $1 and h.holiday_id = any($2::uuid[]) group by h.holiday_id`,
    [organisationId, holidayIds],
  )
  return new Map(rows.map((row) => [row.holiday_id, row.booked]))
}
