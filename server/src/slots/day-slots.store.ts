import type { WindowStatus } from '@parley/contract/appointment-slots'
import type { SessionHours } from '../branches/branch.ts'
import type { NewHoliday } from '../branches/holiday.ts'
import type { Queryable } from '../platform/db.ts'
import type { BranchRules, DaySlot } from './day.ts'
import type { WindowRecord } from './window.ts'
import { fromWindowRow, type WindowRow, windowColumns } from './windows.store.ts'

export type DaySlotRow = {
  calendar_id: string
  date: string
  max_slots: number
  ai_slots: number
  filled: number
  ai_filled: number
  held: number
  capacity_override: boolean
  start_time: string | null
  end_time: string | null
  status: WindowStatus | null
  note: string | null
  revision: number
  updated_at: Date | string
}

/** Holds that still hold, without those of one call. `holds` is nearly always empty. */
export const heldIn = (holds: string, exceptCall = `''`): string =>
  `case when ${holds} = '{}' then 0 else (select count(*)::int from jsonb_each_text(${holds}) h
     where h.key <> ${exceptCall} and h.value::timestamptz > now()) end`

// The date as text: the driver would make it midnight of the machine's own zone.
export const daySlotColumns = `d.calendar_id, d.date::text, d.max_slots, d.ai_slots, d.filled, d.ai_filled,
  ${heldIn('d.holds')} as held, d.capacity_override, d.start_time, d.end_time, d.status, d.note, d.revision, d.updated_at`

export const fromDaySlotRow = (row: DaySlotRow): DaySlot => ({
  calendarId: row.calendar_id,
  date: row.date,
  maxSlots: row.max_slots,
  aiSlots: row.ai_slots,
  filled: row.filled,
  aiFilled: row.ai_filled,
  held: row.held,
  capacityOverride: row.capacity_override,
  startTime: row.start_time,
  endTime: row.end_time,
  status: row.status,
  note: row.note,
  revision: row.revision,
  // As text where it comes inside of JSON.
  updatedAt: new Date(row.updated_at),
})

export async function selectDaySlots(db: Queryable, branchId: string, from: string, to: string): Promise<DaySlot[]> {
  const rows = await db.query<DaySlotRow>(
    `select ${daySlotColumns} from day_slots d where d.branch_id = $1 and d.date between $2::date and $3::date`,
    [branchId, from, to],
  )
  return rows.map(fromDaySlotRow)
}

/** Dates from `from` on with more booked than this capacity has; the earliest first. */
export async function selectBookedAbove(
  db: Queryable,
  calendarId: string,
  from: string,
  { maxSlots, aiSlots }: { maxSlots: number; aiSlots: number },
): Promise<{ date: string; filled: number; aiFilled: number }[]> {
  const rows = await db.query<{ date: string; filled: number; ai_filled: number }>(
    `select d.date::text, d.filled, d.ai_filled from day_slots d
     where d.calendar_id = $1 and d.date >= $2::date and (d.filled > $3 or d.ai_filled > $4) order by d.date`,
    [calendarId, from, maxSlots, aiSlots],
  )
  return rows.map((row) => ({ date: row.date, filled: row.filled, aiFilled: row.ai_filled }))
}

export type OfferedService = { appointmentTypeId: string; name: string }
export type WindowDay = {
  window: WindowRecord
  branch: BranchRules
  slot: DaySlot | null
  /** What can be booked in this window: its own service, or all of the branch. */
  services: OfferedService[]
}

/** All that decides about one date of a window, in one statement. */
export async function selectWindowDay(
  db: Queryable,
  organisationId: string,
  calendarId: string,
  date: string,
): Promise<WindowDay | null> {
  type Row = WindowRow & {
    timezone: string
    session_hours: SessionHours
    holidays: NewHoliday[]
    services: OfferedService[]
    slot: DaySlotRow | null
  }
  const [row] = await db.query<Row>(
    `select ${windowColumns}, b.timezone, b.session_hours,
       (select coalesce(json_agg(json_build_object('startDate', h.start_date::text, 'endDate', h.end_date::text,
          'reason', h.reason, 'hours', h.hours) order by h.created_at, h.holiday_id), '[]')
        from branch_holidays h
        where h.branch_id = w.branch_id and $3::date between h.start_date and h.end_date) as holidays,
       (select coalesce(json_agg(json_build_object('appointmentTypeId', s.appointment_type_id, 'name', s.name)
          order by s.created_at, s.appointment_type_id), '[]')
        from services s
        where s.organisation_id = w.organisation_id
          and case when w.appointment_type_id is not null then s.appointment_type_id = w.appointment_type_id
            else not exists (select 1 from service_branches o where o.appointment_type_id = s.appointment_type_id)
              or exists (select 1 from service_branches o
                where o.appointment_type_id = s.appointment_type_id and o.branch_id = w.branch_id) end) as services,
       (select to_json(s) from (select ${daySlotColumns} from day_slots d
          where d.calendar_id = w.calendar_id and d.date = $3::date) s) as slot
     from windows w join branches b using (branch_id)
     where w.organisation_id = $1 and w.calendar_id = $2`,
    [organisationId, calendarId, date],
  )
  if (!row) return null
  const branch = { timezone: row.timezone, sessionHours: row.session_hours, holidays: row.holidays }
  return { window: fromWindowRow(row), branch, slot: row.slot && fromDaySlotRow(row.slot), services: row.services }
}

/** Made when first needed. Whoever comes second finds it there. */
export async function insertDaySlot(tx: Queryable, calendarId: string, date: string): Promise<void> {
  await tx.query(
    `insert into day_slots (calendar_id, date, branch_id, max_slots, ai_slots)
     select w.calendar_id, $2::date, w.branch_id, w.max_slots, w.ai_slots from windows w where w.calendar_id = $1
     on conflict do nothing`,
    [calendarId, date],
  )
}

export type DayOverride = Pick<
  DaySlot,
  'maxSlots' | 'aiSlots' | 'capacityOverride' | 'startTime' | 'endTime' | 'status' | 'note'
>

/** Null when it would leave less than what is booked: the row itself refuses. */
export async function updateDayOverride(
  tx: Queryable,
  calendarId: string,
  date: string,
  day: DayOverride,
): Promise<DaySlot | null> {
  const [row] = await tx.query<DaySlotRow>(
    `update day_slots d set max_slots = $3, ai_slots = $4, capacity_override = $5, start_time = $6, end_time = $7,
       status = $8, note = $9, revision = revision + 1, updated_at = now()
     where d.calendar_id = $1 and d.date = $2::date and d.filled <= $3 and d.ai_filled <= $4
     returning ${daySlotColumns}`,
    [
      calendarId,
      date,
      day.maxSlots,
      day.aiSlots,
      day.capacityOverride,
      day.startTime,
      day.endTime,
      day.status,
      day.note,
    ],
  )
  return row ? fromDaySlotRow(row) : null
}

/** Nobody books or cancels here until the transaction ends. */
export async function lockDaySlot(tx: Queryable, calendarId: string, date: string): Promise<void> {
  await tx.query('select 1 from day_slots where calendar_id = $1 and date = $2::date for update', [calendarId, date])
}
