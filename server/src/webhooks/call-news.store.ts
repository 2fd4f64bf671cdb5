import type { Queryable } from '../platform/db.ts'
import { deliveryColumns } from './deliveries.store.ts'
import type { Attempt, Delivery } from './delivery.ts'

type EventRow = { event_id: string; event_type: string; created_at: Date }

export const selectEventsOfCall = (db: Queryable, organisationId: string, callId: string): Promise<EventRow[]> =>
  db.query<EventRow>(
    `select event_id, type as event_type, created_at from events
     where organisation_id = $1 and call_id = $2 and not is_test order by created_at, event_id`,
    [organisationId, callId],
  )

type DeliveryOfCall = Delivery & { endpointUrl: string | null; log: Attempt[] }
type AttemptRow = Attempt & { deliveryId: string }

export async function selectDeliveriesOfCall(
  db: Queryable,
  organisationId: string,
  callId: string,
): Promise<DeliveryOfCall[]> {
  const deliveries = await db.query<Delivery & { endpointUrl: string | null }>(
    `select ${deliveryColumns}, e.url as "endpointUrl"
     from webhook_deliveries d left join webhook_endpoints e using (endpoint_id)
     where d.organisation_id = $1 and d.call_id = $2 order by d.created_at, d.delivery_id`,
    [organisationId, callId],
  )
  const attempts = await db.query<AttemptRow>(
    `select delivery_id as "deliveryId", number, started_at as "startedAt", duration_ms as "durationMs",
       status_code as "statusCode", failure, detail, response, next_attempt_at as "nextAttemptAt"
     from webhook_attempts where delivery_id = any($1) order by delivery_id, number`,
    [deliveries.map((each) => each.deliveryId)],
  )
  return deliveries.map((delivery) => ({
    ...delivery,
    log: attempts.filter((each) => each.deliveryId === delivery.deliveryId),
  }))
}
