import { recordAudit } from '../platform/audit.ts'
import { decodeCursor, type Page, toPage } from '../platform/cursor.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import { type DeliveryFilter, requeue, selectAttempts, selectDeliveries, selectDelivery } from './deliveries.store.ts'
import type { Attempt, Delivery } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'
import { lockedEndpoint } from './endpoints.service.ts'

export type { DeliveryFilter } from './deliveries.store.ts'

export async function listDeliveries(
  db: Queryable,
  organisationId: string,
  filter: DeliveryFilter,
  { limit = 20, cursor }: { limit?: number; cursor?: string },
): Promise<Page<Delivery>> {
  const after = cursor === undefined ? null : decodeCursor(cursor)
  const rows = await selectDeliveries(db, organisationId, filter, after, limit + 1)
  return toPage(rows, limit, (each) => ({ at: each.createdAt, id: each.deliveryId }))
}

export async function getDelivery(
  db: Queryable,
  organisationId: string,
  deliveryId: string,
): Promise<Delivery & { log: Attempt[] }> {
  const delivery = isId('delivery', deliveryId) ? await selectDelivery(db, organisationId, deliveryId) : null
  if (!delivery) throw new ParleyError('NOT_FOUND', 'There is no such delivery.')
  return { ...delivery, log: await selectAttempts(db, deliveryId) }
}

export function refuseWhileDisabled({ status }: Endpoint): void {
  if (status === 'enabled') return
  throw new ParleyError('ENDPOINT_DISABLED', 'The endpoint is switched off. Switch it on first, then replay.')
}

/** Same event_id, fresh timestamp and links, its own retry ladder (decisions 6). */
export async function replayDelivery(
  db: Database,
  organisationId: string,
  deliveryId: string,
  actor: string,
): Promise<Delivery> {
  const { endpointId } = await getDelivery(db, organisationId, deliveryId)
  await db.transaction(async (tx) => {
    refuseWhileDisabled(await lockedEndpoint(tx, organisationId, endpointId))
    await requeue(tx, [deliveryId])
    await recordAudit(tx, { organisationId, actor, action: 'webhook_delivery.replayed', resourceId: deliveryId })
    tx.announce('deliveries')
  })
  return getDelivery(db, organisationId, deliveryId)
}
