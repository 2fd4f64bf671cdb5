import type { EventType } from '@parley/contract/events'
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
  if (queued > 0) tx.announce('deliveries')
  return rows.map((row) => row.eventId)
}

export const eraseEventsOfCall = deleteEventsOfCall
