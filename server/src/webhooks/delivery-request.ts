import type { DeliveryRequest } from '@parley/contract/webhooks'
import type { MediaLinks } from '../media/media-links.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import type { Vault } from '../platform/secrets.ts'
import type { ShareFinder } from '../sharing/share-finder.ts'
import { getDelivery } from './deliveries.service.ts'
import { selectEventOfDelivery } from './deliveries.store.ts'
import { headersFor, renderEvent } from './render-event.ts'
import { withoutSignature } from './send-event.ts'

export type DeliveryRequestDeps = {
  db: Queryable
  clock: Clock
  vault: Vault
  mediaLinks: MediaLinks
  shares: ShareFinder
}

/**
 * Rendered bodies are not kept (decision 0017): what an attempt sent is made again, for the time of that attempt. It is
 * the same to the byte unless signing or sharing was switched since. Nothing is issued by looking.
 */
export async function requestOfDelivery(
  { db, clock, vault, mediaLinks, shares }: DeliveryRequestDeps,
  organisationId: string,
  deliveryId: string,
  number: number | undefined,
): Promise<DeliveryRequest> {
  const { log } = await getDelivery(db, organisationId, deliveryId)
  const attempt = number === undefined ? log.at(-1) : log.find((each) => each.number === number)
  if (number !== undefined && !attempt) throw new ParleyError('NOT_FOUND', 'There is no such attempt.')
  const event = await selectEventOfDelivery(db, organisationId, deliveryId)
  if (!event) throw new ParleyError('NOT_FOUND', 'The event of this delivery is gone.')
  const at = attempt?.startedAt ?? clock.now()
  const body = await renderEvent({ mediaLinks, shares: { linksFor: shares.existingLinks } }, event, at)
  const { headers } = headersFor(event.eventId, body, event, vault, at)
  if (event.isTest) headers['x-webhook-test'] = 'true'
  return {
    attempt: attempt?.number ?? null,
    rendered_for: at.toISOString(),
    headers: withoutSignature(headers),
    body,
  }
}
