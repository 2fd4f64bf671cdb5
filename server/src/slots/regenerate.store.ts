import type { Queryable } from '../platform/db.ts'
import type { DaySlot } from './day.ts'
import { type DaySlotRow, daySlotColumns, fromDaySlotRow } from './day-slots.store.ts'
import type { DayPlan } from './regenerate-plan.ts'

/** In the order in which everybody locks them, and by itself: rows that are only made hold nobody up. */
export async function insertDaySlots(
  db: Queryable,
  branchId: string,
  days: { calendarId: string; date: string }[],
): Promise<number> {
  const rows = await db.query(
    `insert into day_slots (calendar_id, date, branch_id, max_slots, ai_slots)
     select w.calendar_id, n.date, w.branch_id, w.max_slots, w.ai_slots
     from unnest($2::uuid[], $3::date[]) as n (calendar_id, date) join windows w using (calendar_id)
     where w.branch_id = $1
     order by w.calendar_id, n.date
     on conflict do nothing returning 1`,
    [branchId, days.map((each) => each.calendarId), days.map((each) => each.date)],
  )
  return rows.length
}

/** Nobody books or cancels on these until the transaction ends. Locked in one order, as everywhere. */
export async function lockDaySlots(
  tx: Queryable,
  branchId: string,
  calendarIds: string[],
  from: string,
  to: string,
): Promise<DaySlot[]> {
  await tx.query(
    `select 1 from day_slots where branch_id = $1 and calendar_id = any($2::uuid[])
       and date between $3::date and $4::date
     order by calendar_id, date for update`,
    [branchId, calendarIds, from, to],
  )
  return selectDaySlotsOf(tx, branchId, calendarIds, from, to)
}

export async function selectDaySlotsOf(
  db: Queryable,
  branchId: string,
  calendarIds: string[],
  from: string,
  to: string,
): Promise<DaySlot[]> {
  const rows = await db.query<DaySlotRow>(
    `select ${daySlotColumns} from day_slots d where d.branch_id = $1 and d.calendar_id = any($2::uuid[])
       and d.date between $3::date and $4::date
     order by d.calendar_id, d.date`,
    [branchId, calendarIds, from, to],
  )
  return rows.map(fromDaySlotRow)
}

/** The dates as they are then; those with nothing to write are not among them. */
export async function writeDayPlans(tx: Queryable, plans: DayPlan[]): Promise<DaySlot[]> {
  const changes = plans.flatMap(({ slot, next }) =>
    next ? [{ ...next, calendar: slot.calendarId, on: slot.date }] : [],
  )
  if (changes.length === 0) return []
  const rows = await tx.query<DaySlotRow>(
    `update day_slots d set max_slots = n.max_slots, ai_slots = n.ai_slots, filled = n.filled, ai_filled = n.ai_filled,
       capacity_override = n.capacity_override, start_time = n.start_time, end_time = n.end_time, status = n.status,
       note = n.note, revision = d.revision + 1, updated_at = now()
     from unnest($1::uuid[], $2::date[], $3::int[], $4::int[], $5::int[], $6::int[], $7::boolean[], $8::text[], $9::text[],
       $10::text[], $11::text[])
       as n (calendar_id, date, max_slots, ai_slots, filled, ai_filled, capacity_override, start_time, end_time, status, note)
     where d.calendar_id = n.calendar_id and d.date = n.date
     returning ${daySlotColumns}`,
    [
      changes.map((each) => each.calendar),
      changes.map((each) => each.on),
      changes.map((each) => each.maxSlots),
      changes.map((each) => each.aiSlots),
      changes.map((each) => each.filled),
      changes.map((each) => each.aiFilled),
      changes.map((each) => each.capacityOverride),
      changes.map((each) => each.startTime),
      changes.map((each) => each.endTime),
      changes.map((each) => each.status),
      changes.map((each) => each.note),
    ],
  )
  return rows.map(fromDaySlotRow)
}
