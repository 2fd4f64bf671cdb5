import { eventExamples } from '@parley/contract/event-examples'
import type { EventType } from '@parley/contract/events'
import type { Database } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { isId, newId } from '../platform/ids.ts'
import { noSuchEndpoint } from './endpoints.service.ts'
import { selectSecrets } from './endpoints.store.ts'
import { recordEvents } from './events.service.ts'
import { type SendDeps, type SentEvent, sendEvent } from './send-event.ts'

export type ExampleDeps = SendDeps & { db: Database; clock: { now(): Date } }

/** Sent at once, once, and seen at once. Nothing is stored, and it counts for nothing (decisions 6). */
export async function sendTestEvent(
  deps: ExampleDeps,
  organisationId: string,
  endpointId: string,
  { type, secret }: { type: EventType; secret: 'current' | 'next' },
): Promise<SentEvent & { eventId: string }> {
  const isOne = isId('endpoint', endpointId)
  const endpoint = isOne ? await selectSecrets(deps.db, organisationId, endpointId) : null
  if (!endpoint) throw noSuchEndpoint()
  const sealed = secret === 'next' ? endpoint.next : endpoint.secret
  if (!sealed) throw new ParleyError('NOT_FOUND', 'No new secret is staged for this endpoint.')
  const now = deps.clock.now()
  const eventId = newId('event')
  const sent = await sendEvent(
    deps,
    {
      organisation_id: organisationId,
      url: endpoint.url,
      signing: endpoint.signing,
      secret: sealed,
      event_id: eventId,
      type,
      call_id: null,
      data: JSON.stringify(eventExamples[type].data),
      has_media: false,
      is_shared: false,
      is_test: true,
      created_at: now,
    },
    now,
  )
  return { ...sent, eventId }
}

/** An event with example data that travels like a real one, to endpoints and to whoever listens. */
export async function triggerEvent(db: Database, organisationId: string, type: EventType): Promise<string> {
  const event = { organisationId, type, callId: null, data: eventExamples[type].data, isTest: true }
  const [eventId] = await db.transaction((tx) => recordEvents(tx, [event]))
  return eventId as string
}
