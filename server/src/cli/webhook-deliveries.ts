import { deliveryStatuses } from '@parley/contract/webhooks'
import { isId } from '../platform/ids.ts'
import { parseInstant } from '../platform/instant.ts'
import { getDelivery, listDeliveries, replayDelivery } from '../webhooks/deliveries.service.ts'
import type { DeliveryStatus } from '../webhooks/delivery.ts'
import { cancelRecovery, countRecoverable, getRecovery, startRecovery } from '../webhooks/recoveries.service.ts'
import { attemptView, deliveryView, recoveryView } from '../webhooks/webhook-views.ts'
import { actor, CommandError, readLimit } from './command.ts'
import { readEvent, type WebhookAction } from './webhook-options.ts'

/** What was sent, what came of it, and sending it again. */
export const deliveryActions: Record<string, WebhookAction> = {
  deliveries: async ({ db }, organisationId, given) => {
    if (given.endpoint !== undefined && !isId('endpoint', given.endpoint)) {
      throw new CommandError('--endpoint takes the id of an endpoint: whe_…')
    }
    const filter = {
      endpointId: given.endpoint ?? null,
      eventId: null,
      callId: null,
      eventType: readEvent(given.event),
      statuses: given.status === undefined ? null : readStatuses(given.status),
    }
    const page = await listDeliveries(db, organisationId, filter, { limit: readLimit(given.limit) })
    return page.items.map(deliveryView)
  },
  delivery: async ({ db }, organisationId, _given, id) => {
    const delivery = await getDelivery(db, organisationId, id)
    return { ...deliveryView(delivery), log: delivery.log.map(attemptView) }
  },
  replay: async ({ db }, organisationId, _given, id) =>
    deliveryView(await replayDelivery(db, organisationId, id, actor)),
  recover: async ({ db, clock }, organisationId, given, id) => {
    const since = readTime('--since', given.since)
    const until = given.until === undefined ? clock.now() : readTime('--until', given.until)
    const range = { endpointId: id, since, until }
    if (given['dry-run']) return { dry_run: true, total: await countRecoverable(db, organisationId, range) }
    return recoveryView(await startRecovery(db, organisationId, range, actor))
  },
  recovery: async ({ db }, organisationId, given, id) =>
    recoveryView(
      given.cancel ? await cancelRecovery(db, organisationId, id, actor) : await getRecovery(db, organisationId, id),
    ),
}

function readStatuses(text: string): DeliveryStatus[] {
  const words = text.split(',').map((each) => each.trim())
  const unknown = words.filter((each) => !deliveryStatuses.includes(each as DeliveryStatus))
  if (unknown.length > 0) throw new CommandError(`--status takes: ${deliveryStatuses.join(', ')}.`)
  return words as DeliveryStatus[]
}

function readTime(name: string, text: string | undefined): Date {
  const instant = parseInstant(text ?? '')
  if (!(instant instanceof Date)) throw new CommandError(`${name} takes a time such as 2026-11-15T09:30:00Z.`)
  return instant
}
