import type { EventType } from '@parley/contract/events'
import type { Queryable } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { deleteEventsOfCall, insertEvents } from './events.store.ts'

export type NewEvent = { organisationId: string; type: EventType; callId: string | null; data: unknown }

/** In the transaction of the facts they report: neither can exist without the other. */
export async function recordEvents(tx: Queryable, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await insertEvents(
    tx,
    events.map((event) => ({ ...event, eventId: newId('event') })),
  )
}

export const eraseEventsOfCall = deleteEventsOfCall
