import type { EventType } from '@parley/contract/events'
import type { Queryable } from '../platform/db.ts'

export type EventToInsert = {
  eventId: string
  organisationId: string
  type: EventType
  callId: string | null
  data: unknown
  hasMedia: boolean
  isTest: boolean
}

/** The same event and endpoint always make the same id: a repair cannot make a second delivery. Sorted by time, like its event's. */
export const deliveryId = (event: string, endpoint: string): string =>
  `'dlv_' || substr(${event}, 5, 16) || substr(md5(${event} || ${endpoint}), 1, 16)`

/** Events, one delivery for each endpoint that wants them, and what is to be sent: one statement, in the fact's transaction. */
export async function insertEvents(tx: Queryable, events: EventToInsert[]): Promise<number> {
  const [row] = await tx.query<{ queued: string }>(
    `with fresh as (
       insert into events (event_id, organisation_id, type, call_id, data, has_media, is_test)
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::json[], $6::boolean[], $7::boolean[])
       returning event_id, organisation_id, type, call_id, created_at
     ), owed as (
       insert into webhook_deliveries
         (delivery_id, organisation_id, endpoint_id, event_id, event_type, call_id, status, next_attempt_at, created_at)
       select ${deliveryId('f.event_id', 'e.endpoint_id')}, f.organisation_id, e.endpoint_id, f.event_id, f.type, f.call_id,
         case when e.status = 'enabled' then 'pending' else 'held' end,
         case when e.status = 'enabled' then now() end, f.created_at
       from fresh f join webhook_endpoints e on e.organisation_id = f.organisation_id
       where e.deleted_at is null and (f.type = any(e.events) or '*' = any(e.events))
       returning delivery_id, endpoint_id, event_id, status
     ), queued as (
       insert into webhook_queue (delivery_id, endpoint_id, event_id, due_at)
       select delivery_id, endpoint_id, event_id, now() from owed where status = 'pending'
       returning 1
     ) select count(*) as queued from queued`,
    [
      events.map((event) => event.eventId),
      events.map((event) => event.organisationId),
      events.map((event) => event.type),
      events.map((event) => event.callId),
      events.map((event) => JSON.stringify(event.data)),
      events.map((event) => event.hasMedia),
      events.map((event) => event.isTest),
    ],
  )
  return Number(row?.queued ?? 0)
}

/** Payloads, deliveries, what receivers answered, and whatever of it was still to be sent (decisions 3). */
export async function deleteEventsOfCall(
  tx: Queryable,
  organisationId: string,
  callId: string,
): Promise<{ events: number; deliveries: number }> {
  const [gone] = await tx.query<{ events: number; deliveries: number }>(
    `with gone as (
       delete from webhook_deliveries where organisation_id = $1 and call_id = $2 returning delivery_id
     ), unqueued as (
       delete from webhook_queue where delivery_id in (select delivery_id from gone)
     ), forgotten as (
       delete from webhook_attempts where delivery_id in (select delivery_id from gone)
     ), untold as (
       delete from events where organisation_id = $1 and call_id = $2 returning 1
     )
     select (select count(*) from untold)::int as events, (select count(*) from gone)::int as deliveries`,
    [organisationId, callId],
  )
  return gone ?? { events: 0, deliveries: 0 }
}
