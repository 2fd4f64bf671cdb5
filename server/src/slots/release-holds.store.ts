import type { Queryable } from '../platform/db.ts'

export type Hold = { calendarId: string; date: string; callId: string }

/** Locked in the order in which changes of appointments lock them: nobody waits for each other in a circle. */
export async function deleteHolds(tx: Queryable, holds: Hold[]): Promise<void> {
  const values = [
    holds.map((each) => each.calendarId),
    holds.map((each) => each.date),
    holds.map((each) => each.callId),
  ]
  const wanted = 'unnest($1::uuid[], $2::date[], $3::text[]) as t (calendar_id, date, call_id)'
  await tx.query(
    `select 1 from day_slots d where exists (select 1 from ${wanted}
       where t.calendar_id = d.calendar_id and t.date = d.date and d.holds ? t.call_id)
     order by d.calendar_id::text, d.date for update`,
    values,
  )
  await tx.query(
    `update day_slots d set holds = d.holds - t.call_ids
     from (select calendar_id, date, array_agg(call_id) as call_ids from ${wanted} group by calendar_id, date) t
     where d.calendar_id = t.calendar_id and d.date = t.date and d.holds ?| t.call_ids`,
    values,
  )
}
