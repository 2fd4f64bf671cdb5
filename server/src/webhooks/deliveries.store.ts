import type { EventType } from '@parley/contract/events'
import type { Position } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import type { Attempt, Delivery, DeliveryStatus } from './delivery.ts'
import { deliveryId } from './events.store.ts'
import type { Signer, StoredEvent } from './render-event.ts'

export const deliveryColumns = `d.delivery_id as "deliveryId", d.endpoint_id as "endpointId", d.event_id as "eventId",
  d.event_type as "eventType", d.call_id as "callId", d.status, d.attempts, d.next_attempt_at as "nextAttemptAt",
  d.last_attempt_at as "lastAttemptAt", d.created_at as "createdAt"`

export type DeliveryFilter = {
  endpointId: string | null
  eventId: string | null
  callId: string | null
  eventType: EventType | null
  statuses: DeliveryStatus[] | null
  since?: Date | null
}

export const selectDeliveries = (
  db: Queryable,
  organisationId: string,
  filter: DeliveryFilter,
  after: Position | null,
  limit: number,
): Promise<Delivery[]> =>
  db.query<Delivery>(
    `select ${deliveryColumns} from webhook_deliveries d
     where d.organisation_id = $1 and ($2::text is null or d.endpoint_id = $2) and ($3::text is null or d.delivery_id in (
         select ${deliveryId('$3', 'e.endpoint_id')} from webhook_endpoints e where e.organisation_id = $1))
       and ($4::text is null or d.call_id = $4) and ($5::text is null or d.event_type = $5)
       and ($6::text[] is null or d.status = any($6))
       and ($7::timestamptz is null or (d.created_at, d.delivery_id) < ($7, $8))
       and ($10::timestamptz is null or d.created_at >= $10)
     order by d.created_at desc, d.delivery_id desc limit $9`,
    [
      organisationId,
      filter.endpointId,
      filter.eventId,
      filter.callId,
      filter.eventType,
      filter.statuses,
      after?.at ?? null,
      after?.id ?? null,
      limit,
      filter.since ?? null,
    ],
  )

export async function selectDelivery(
  db: Queryable,
  organisationId: string,
  deliveryId: string,
): Promise<Delivery | null> {
  const [row] = await db.query<Delivery>(
    `select ${deliveryColumns} from webhook_deliveries d where d.organisation_id = $1 and d.delivery_id = $2`,
    [organisationId, deliveryId],
  )
  return row ?? null
}

export const selectAttempts = (db: Queryable, deliveryId: string): Promise<Attempt[]> =>
  db.query<Attempt>(
    `select number, started_at as "startedAt", duration_ms as "durationMs", status_code as "statusCode", failure, detail,
       response, next_attempt_at as "nextAttemptAt"
     from webhook_attempts where delivery_id = $1 order by number`,
    [deliveryId],
  )

/**
 * Due now, on a ladder of their own. One that waits for its next attempt is brought forward; one that is being sent
 * right now is left alone, so that clicking twice sends once.
 */
export async function requeue(tx: Queryable, deliveryIds: string[]): Promise<number> {
  const [row] = await tx.query<{ queued: string }>(
    `with queued as (
       insert into webhook_queue (delivery_id, endpoint_id, event_id, due_at, is_replay)
       select delivery_id, endpoint_id, event_id, now(), true from webhook_deliveries where delivery_id = any($1)
       order by delivery_id
       on conflict (delivery_id) do update set due_at = now(), attempt = 0, is_replay = true
         where webhook_queue.leased_until is null or webhook_queue.leased_until <= now()
       returning delivery_id
     ), moved as (
       update webhook_deliveries set status = 'pending', next_attempt_at = now()
       where delivery_id in (select delivery_id from queued)
     ) select count(*) as queued from queued`,
    [deliveryIds],
  )
  return Number(row?.queued ?? 0)
}

/** An attempt by its own schedule, not one somebody asked for, is being sent right now. */
export async function isUnderWay(db: Queryable, deliveryId: string): Promise<boolean> {
  const rows = await db.query(
    'select 1 from webhook_queue where delivery_id = $1 and leased_until > now() and not is_replay',
    [deliveryId],
  )
  return rows.length > 0
}

/** What an attempt is made from, as it is now; the endpoint may have been deleted since. */
export async function selectEventOfDelivery(
  db: Queryable,
  organisationId: string,
  deliveryId: string,
): Promise<(StoredEvent & Signer & { isTest: boolean }) | null> {
  const [row] = await db.query<StoredEvent & Signer & { isTest: boolean }>(
    `select v.event_id as "eventId", v.organisation_id as "organisationId", v.type, v.call_id as "callId", v.data::text,
       v.has_media as "hasMedia", v.is_test as "isTest", v.created_at as "createdAt", e.signing,
       e.secret as "sealedSecret", o.public_share_enabled as "isShared"
     from webhook_deliveries d join events v using (event_id) join webhook_endpoints e using (endpoint_id)
     join organisations o on o.organisation_id = d.organisation_id
     where d.organisation_id = $1 and d.delivery_id = $2`,
    [organisationId, deliveryId],
  )
  return row ?? null
}
