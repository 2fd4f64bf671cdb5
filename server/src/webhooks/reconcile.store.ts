import type { Queryable } from '../platform/db.ts'
import { deliveryId } from './events.store.ts'

// Only what is settled is judged: a transaction under way may still be about to write the rest.
const settled = `interval '10 seconds'`
const lookBack = `interval '1 hour'`

/** Each mends one kind of broken promise and counts what it mended. None of them should ever find anything. */
export const repairs = {
  /** An event whose endpoint was subscribed at the time, without a delivery. */
  event_without_delivery: `
    insert into webhook_deliveries
      (delivery_id, organisation_id, endpoint_id, event_id, event_type, call_id, status, next_attempt_at, created_at)
    select ${deliveryId('v.event_id', 'e.endpoint_id')}, v.organisation_id, e.endpoint_id, v.event_id, v.type, v.call_id,
      case when e.status = 'enabled' then 'pending' else 'held' end,
      case when e.status = 'enabled' then now() end, v.created_at
    from events v join webhook_endpoints e on e.organisation_id = v.organisation_id
    where v.created_at between now() - ${lookBack} and now() - ${settled}
      and e.deleted_at is null and e.subscribed_since < v.created_at and (v.type = any(e.events) or '*' = any(e.events))
      and not exists (select 1 from webhook_deliveries d where d.delivery_id = ${deliveryId('v.event_id', 'e.endpoint_id')})
    on conflict do nothing returning 1`,

  /** A delivery that waits, but stands in no queue. */
  pending_without_queue: `
    insert into webhook_queue (delivery_id, endpoint_id, event_id, due_at)
    select d.delivery_id, d.endpoint_id, d.event_id, now() from webhook_deliveries d
      join webhook_endpoints e on e.endpoint_id = d.endpoint_id
    where d.status = 'pending' and d.created_at < now() - ${settled} and e.status = 'enabled'
      and not exists (select 1 from webhook_queue q where q.delivery_id = d.delivery_id)
    on conflict do nothing returning 1`,

  /** The node that was sending died; claiming would find it too, but not for an endpoint that is off. */
  expired_lease: `
    update webhook_queue set leased_until = null where leased_until < now() - ${settled} returning 1`,

  /** Written while its endpoint was being switched off. */
  queued_while_disabled: `
    with unqueued as (
      delete from webhook_queue q using webhook_endpoints e
      where e.endpoint_id = q.endpoint_id and e.status = 'disabled' and q.leased_until is null
      returning q.delivery_id
    )
    update webhook_deliveries d set status = 'held', next_attempt_at = null
    where d.status = 'pending' and (d.delivery_id in (select delivery_id from unqueued)) returning 1`,

  /** Pending for an endpoint that is off and in no queue: kept for a replay. */
  pending_while_disabled: `
    update webhook_deliveries d set status = 'held', next_attempt_at = null from webhook_endpoints e
    where d.status = 'pending' and e.endpoint_id = d.endpoint_id and e.status = 'disabled' and e.deleted_at is null
      and not exists (select 1 from webhook_queue q where q.delivery_id = d.delivery_id)
    returning 1`,

  /** In the queue, though the delivery is over or gone. */
  queued_without_pending: `
    delete from webhook_queue q where q.leased_until is null and q.due_at < now() - ${settled}
      and not exists (select 1 from webhook_deliveries d where d.delivery_id = q.delivery_id and d.status = 'pending')
    returning 1`,
} as const
export type RepairKind = keyof typeof repairs

export async function repair(db: Queryable, kind: RepairKind): Promise<number> {
  return (await db.query(repairs[kind])).length
}
