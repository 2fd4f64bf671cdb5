import { type EventType, eventTypeNames } from '@parley/contract/events'
import type { Scope } from '@parley/contract/scopes'
import type { Database } from '../platform/db.ts'
import { fault, validationError } from '../platform/errors.ts'
import { idTime, isId } from '../platform/ids.ts'
import { parseInstant } from '../platform/instant.ts'
import { selectEventIdsSince, selectEventsSince, selectEventTime, selectNow } from './event-stream.store.ts'
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

type Whose = { organisationId: string; types: readonly EventType[] }
type StreamOptions = Whose & {
  /** The id the reader saw last: an event's, or the place its stream began at. */
  after: string | null
  signal: AbortSignal
}
type Place = { begin: Date; seen: Map<string, number> }

/**
 * Where the stream begins is settled here, before anything is answered: whatever happens once the reader knows that it
 * is listening, it gets. `place` stands for this beginning, for a reader that is cut off before it saw an event.
 */
export async function openEventStream(
  db: Database,
  { after, signal, ...whose }: StreamOptions,
): Promise<{ place: string; events: AsyncGenerator<StoredEvent> }> {
  if (after) {
    const begin = await timeOf(db, whose.organisationId, after)
    return { place: after, events: follow(db, whose, { begin, seen: new Map([[after, begin.getTime()]]) }, signal) }
  }
  const now = await selectNow(db)
  const begin = new Date(now.getTime() - slackMs)
  const past = await selectEventIdsSince(db, whose.organisationId, whose.types, begin)
  const seen = new Map(past.map(({ eventId, createdAt }) => [eventId, createdAt.getTime()]))
  return { place: now.toISOString(), events: follow(db, whose, { begin, seen }, signal) }
}

async function timeOf(db: Database, organisationId: string, after: string): Promise<Date> {
  if (!isId('event', after)) {
    const place = parseInstant(after)
    if (place instanceof Date) return place
    throw validationError([fault('last-event-id', 'format', 'Send the last `id` the stream gave, unchanged.')])
  }
  // Erased meanwhile: its id still says about when it was. Some come twice, rather than never.
  const found = await selectEventTime(db, organisationId, after)
  return found ?? new Date(idTime(after).getTime() - slackMs)
}

/** Events as they happen, each once, in the order of their time as far as that is known. Ends with the signal. */
async function* follow(
  db: Database,
  { organisationId, types }: Whose,
  { begin, seen }: Place,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent> {
  let reached = begin
  const news = createNews(db, signal)
  try {
    while (!signal.aborted) {
      const since = new Date(Math.max(begin.getTime(), reached.getTime() - slackMs))
      const found = await selectEventsSince(db, organisationId, types, since, [...seen.keys()], page)
      for (const event of found) {
        if (signal.aborted) return
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
  let isNews = false
  let ring = () => {}
  const tell = () => {
    isNews = true
    ring()
  }
  const stopListening = db.onAnnounced('events', tell)
  signal.addEventListener('abort', tell)
  return {
    wait: async () => {
      // What was announced while we were reading may not have been read.
      if (!isNews) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pollMs).unref()
          ring = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isNews = false
    },
    stop: () => {
      stopListening()
      signal.removeEventListener('abort', tell)
    },
  }
}
