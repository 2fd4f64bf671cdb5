import type { Queryable } from '../platform/db.ts'
import { heldIn } from './day-slots.store.ts'

export type Place = {
  calendarId: string
  date: string
  /** Counts against ai_slots too. */
  isAi: boolean
}
/** What the rule and the date were when the times were read from them. */
export type Revisions = { window: number; day: number }

const kept = `d.capacity_override or d.filled > 0`
const liveHolds = (exceptCall: string) =>
  `case when d.holds = '{}' then d.holds else coalesce((select jsonb_object_agg(h.key, h.value)
     from jsonb_each(d.holds) h where h.key <> ${exceptCall} and (h.value #>> '{}')::timestamptz > now()), '{}') end`

/**
 * The rule, locked against change until the transaction ends, and the guard: open, no holiday, a place free. Everything
 * counted stands in the row that is updated, so whoever waited for it decides on its latest version.
 */
const guarded = `
  from (select calendar_id, branch_id, max_slots, ai_slots, status, revision from windows
        where organisation_id = $1 and calendar_id = $2 for share) w
  where d.calendar_id = w.calendar_id and d.date = $3::date and w.status = 'OPEN'
    and d.status is distinct from 'CLOSED'
    and (d.status = 'OPEN' or not exists (
      select 1 from branch_holidays h
      where h.branch_id = w.branch_id and h.hours is null and $3::date between h.start_date and h.end_date))
    and d.filled + ${heldIn('d.holds', '$5')} < case when ${kept} then d.max_slots else w.max_slots end
    and (not $4::boolean
      or d.ai_filled + ${heldIn('d.holds', '$5')} < case when ${kept} then d.ai_slots else w.ai_slots end)`
const capacity = `max_slots = case when ${kept} then d.max_slots else w.max_slots end,
    ai_slots = case when ${kept} then d.ai_slots else w.ai_slots end`

/** Takes one place, or none: false when there is none, or when rule or date are no longer as they were read. */
export async function takePlace(
  tx: Queryable,
  organisationId: string,
  place: Place,
  seen: Revisions,
  heldBy: string | null,
): Promise<boolean> {
  const rows = await tx.query(
    `update day_slots d set ${capacity}, filled = d.filled + 1, ai_filled = d.ai_filled + $4::boolean::int,
       holds = ${liveHolds('$5')}
     ${guarded} and w.revision = $6 and d.revision = $7
     returning 1`,
    [organisationId, place.calendarId, place.date, place.isAi, heldBy ?? '', seen.window, seen.day],
  )
  return rows.length === 1
}

export async function givePlaceBack(tx: Queryable, place: Place): Promise<void> {
  await tx.query(
    `update day_slots set filled = filled - 1, ai_filled = ai_filled - $3::boolean::int
     where calendar_id = $1 and date = $2::date`,
    [place.calendarId, place.date, place.isAi],
  )
}

/** A hold counts like a booking of the agent's while it lasts. A second one of the same call replaces its first. */
export async function insertHold(
  tx: Queryable,
  organisationId: string,
  calendarId: string,
  date: string,
  callId: string,
  seconds: number,
): Promise<Date | null> {
  const [row] = await tx.query<{ until: Date }>(
    `update day_slots d set
       holds = ${liveHolds('$5')} || jsonb_build_object($5::text, to_jsonb(now() + make_interval(secs => $6)))
     ${guarded}
     returning now() + make_interval(secs => $6) as until`,
    [organisationId, calendarId, date, true, callId, seconds],
  )
  return row?.until ?? null
}

export async function deleteHold(tx: Queryable, calendarId: string, date: string, callId: string): Promise<void> {
  await tx.query(
    'update day_slots set holds = holds - $3::text where calendar_id = $1 and date = $2::date and holds ? $3::text',
    [calendarId, date, callId],
  )
}

/** Whether this call holds a place here. */
export async function selectHold(db: Queryable, calendarId: string, date: string, callId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from day_slots
     where calendar_id = $1 and date = $2::date and (holds ->> $3)::timestamptz > now()`,
    [calendarId, date, callId],
  )
  return rows.length > 0
}
