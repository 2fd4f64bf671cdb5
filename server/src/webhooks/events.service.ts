import type { EventType } from '@parley/contract/events'
import { announceChange, type Topic } from '../platform/changes.ts'
import type { Transaction } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { deleteEventsOfCall, insertEvents } from './events.store.ts'

export type NewEvent = {
  organisationId: string
  type: EventType
  callId: string | null
  data: unknown
  /** There is a recording and a transcript to link to. */
  hasMedia?: boolean
  isTest?: boolean
}

/** In the transaction of the facts they report: neither can exist without the other. */
export async function recordEvents(tx: Transaction, events: NewEvent[]): Promise<string[]> {
  if (events.length === 0) return []
  const rows = events.map((event) => ({ hasMedia: false, isTest: false, ...event, eventId: newId('event') }))
  const queued = await insertEvents(tx, rows)
  tx.announce('events')
  for (const [organisationId, topic] of changesOf(events)) announceChange(tx, organisationId, topic)
  if (queued > 0) tx.announce('deliveries')
  return rows.map((row) => row.eventId)
}

/** A booking changes what is free, and every event has deliveries. */
const topicsOf: Record<string, readonly Topic[]> = {
  call: ['calls', 'deliveries'],
  appointment: ['appointments', 'slots', 'deliveries'],
  slot: ['slots', 'deliveries'],
}
const changesOf = (events: readonly NewEvent[]): [string, Topic][] =>
  events.flatMap(({ organisationId, type }) =>
    (topicsOf[type.split('.')[0] ?? ''] ?? []).map((topic): [string, Topic] => [organisationId, topic]),
  )

export const eraseEventsOfCall = deleteEventsOfCall
