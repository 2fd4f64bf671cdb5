import { type EventType, eventTypeNames } from '@parley/contract/events'
import type { Scope } from '@parley/contract/scopes'
import type { Database } from '../platform/db.ts'
import { isId } from '../platform/ids.ts'
import { selectEventsSince, selectEventTime, selectNow } from './event-stream.store.ts'
import type { StoredEvent } from './render-event.ts'

// A transaction writes its events with the time of its beginning and shows them at its end: this much later at most.
const slackMs = 20_000
const pollMs = 1_000
const page = 100

const scopeOf: Record<string, Scope> = { call: 'calls:read', appointment: 'appointments:read', slot: 'slots:read' }

/** A key sees the events of what it may read. */
export const typesFor = (scopes: readonly Scope[]): EventType[] =>
  eventTypeNames.filter((type) => {
    const scope = scopeOf[type.split('.')[0] ?? '']
    return scope !== undefined && scopes.includes(scope)
  })

type StreamOptions = {
  organisationId: string
  types: readonly EventType[]
  afterEventId: string | null
  signal: AbortSignal
}

/** Events as they happen, each once; after `afterEventId` when one is given, otherwise from now on. Ends with the signal. */
export async function* streamEvents(db: Database, options: StreamOptions): AsyncGenerator<StoredEvent> {
  const { organisationId, types, afterEventId, signal } = options
  const known = afterEventId && isId('event', afterEventId) ? afterEventId : null
  const seenAt = known ? await selectEventTime(db, organisationId, known) : null
  const begin = seenAt ?? (await selectNow(db))
  const seen = new Map<string, number>(known ? [[known, begin.getTime()]] : [])
  let reached = begin
  const news = createNews(db, signal)
  try {
    while (!signal.aborted) {
      const since = new Date(Math.max(begin.getTime(), reached.getTime() - slackMs))
      const found = await selectEventsSince(db, organisationId, types, since, [...seen.keys()], page)
      for (const event of found) {
        seen.set(event.eventId, event.createdAt.getTime())
        if (event.createdAt > reached) reached = event.createdAt
        yield event
      }
      for (const [id, at] of seen) if (at < reached.getTime() - 2 * slackMs) seen.delete(id)
      if (found.length < page) await news.wait()
    }
  } finally {
    news.stop()
  }
}

/** Waits for the next announcement, the next look, or the end. */
function createNews(db: Database, signal: AbortSignal) {
  let ring = () => {}
  const stopListening = db.onAnnounced('events', () => ring())
  const onAbort = () => ring()
  signal.addEventListener('abort', onAbort)
  return {
    wait: () =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve()
        const timer = setTimeout(resolve, pollMs).unref()
        ring = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    stop: () => {
      stopListening()
      signal.removeEventListener('abort', onAbort)
    },
  }
}
