import { setTimeout as sleep } from 'node:timers/promises'
import { recordAudit } from '../platform/audit.ts'
import { announceChange } from '../platform/changes.ts'
import { decodeCursor, type Page, toPage } from '../platform/cursor.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { type Fault, fault, ParleyError } from '../platform/errors.ts'
import { idPrefixes, isId } from '../platform/ids.ts'
import { parseInstant } from '../platform/instant.ts'
import {
  type DeliveryFilter,
  isUnderWay,
  requeue,
  selectAttempts,
  selectDeliveries,
  selectDelivery,
} from './deliveries.store.ts'
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

/** An id of another shape is a slip; one that names nothing of theirs finds nothing. */
export const deliveryFilterFaults = (query: Record<string, unknown>): Fault[] => [
  ...Object.entries({ endpoint_id: 'endpoint', event_id: 'event', call_id: 'call' } as const).flatMap(
    ([field, kind]) => {
      const value = query[field]
      if (typeof value !== 'string' || isId(kind, value)) return []
      return [fault(field, 'format', `This must be an id such as ${idPrefixes[kind]}_0123….`)]
    },
  ),
  ...timeFaults(query, ['since']),
]

export const timeFaults = (given: Record<string, unknown>, fields: readonly string[]): Fault[] =>
  fields.flatMap((field) => {
    const value = given[field]
    if (typeof value !== 'string' || parseInstant(value) instanceof Date) return []
    return [fault(field, 'format', 'Write a time with an offset, such as 2026-11-15T09:30:00Z.')]
  })

export async function getDelivery(
  db: Queryable,
  organisationId: string,
  deliveryId: string,
): Promise<Delivery & { log: Attempt[] }> {
  const delivery = isId('delivery', deliveryId) ? await selectDelivery(db, organisationId, deliveryId) : null
  if (!delivery) throw new ParleyError('NOT_FOUND', 'There is no such delivery.')
  return { ...delivery, log: await selectAttempts(db, deliveryId) }
}

const longestSendMs = 15_000

export function refuseWhileDisabled({ status }: Endpoint): void {
  if (status === 'enabled') return
  throw new ParleyError('ENDPOINT_DISABLED', 'The endpoint is switched off. Switch it on first, then replay.')
}

/**
 * Same event_id, fresh timestamp and links, its own retry ladder (decisions 6). Asked for twice at once, it is sent once:
 * whoever had to wait finds that it was sent since.
 */
export async function replayDelivery(
  db: Database,
  organisationId: string,
  deliveryId: string,
  actor: string,
): Promise<Delivery> {
  await getDelivery(db, organisationId, deliveryId)
  // A receiver may see an event, and somebody ask for it again, before its answer has been written down.
  for (let waitedMs = 0; waitedMs < longestSendMs && (await isUnderWay(db, deliveryId)); waitedMs += 50) await sleep(50)
  const { endpointId, attempts } = await getDelivery(db, organisationId, deliveryId)
  await db.transaction(async (tx) => {
    refuseWhileDisabled(await lockedEndpoint(tx, organisationId, endpointId))
    const now = await getDelivery(tx, organisationId, deliveryId)
    if (now.attempts === attempts) await requeue(tx, [deliveryId])
    await recordAudit(tx, { organisationId, actor, action: 'webhook_delivery.replayed', resourceId: deliveryId })
    tx.announce('deliveries')
    announceChange(tx, organisationId, 'deliveries')
  })
  return getDelivery(db, organisationId, deliveryId)
}
