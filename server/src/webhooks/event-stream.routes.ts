import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { refusals } from '../platform/http-schemas.ts'
import type { Log } from '../platform/log.ts'
import { streamEvents, typesFor } from './event-stream.ts'
import { type RenderDeps, renderEvent } from './render-event.ts'

export type EventStreamDeps = RenderDeps & { db: Database; clock: Clock; log: Log }

const heartbeatMs = 15_000
const LastEventId = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ description: 'Go on after this event: what came since is sent first.' }),
  ),
})

/** Server-sent events: what `parley listen` and anything else that keeps a connection open follows. */
export function eventStreamRoutes(app: FastifyInstance, deps: EventStreamDeps): void {
  const { db, clock, log } = deps
  const open = new Set<AbortController>()
  app.addHook('preClose', async () => {
    for (const each of open) each.abort()
  })

  app.get('/v1/events/stream', {
    config: { scope: 'calls:read' },
    schema: {
      operationId: 'streamEvents',
      summary: 'Follow events',
      description:
        'Events as they happen, as a `text/event-stream`: each `data` line is the body a webhook would carry, each `id` its ' +
        'event_id. For development and live views; a key sees the events of what its scopes let it read.',
      tags: ['Events'],
      headers: LastEventId,
      produces: ['text/event-stream'],
      response: { 200: { type: 'string', description: 'The stream.' }, ...refusals(400, 401, 403, 429, 503) },
    },
    handler: async (request, reply) => {
      const end = new AbortController()
      open.add(end)
      const { raw } = reply
      raw.on('close', () => end.abort())
      const lastId = request.headers['last-event-id']
      reply.hijack()
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
      })
      raw.write(': listening\n\n')
      const heartbeat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs)
      try {
        const { organisationId, scopes } = request.caller
        const options = {
          organisationId,
          types: typesFor(scopes),
          afterEventId: typeof lastId === 'string' ? lastId : null,
          signal: end.signal,
        }
        for await (const event of streamEvents(db, options)) {
          const body = await renderEvent(deps, event, clock.now())
          const fits = raw.write(`id: ${event.eventId}\nevent: ${event.type}\ndata: ${body}\n\n`)
          // A reader that does not keep up makes us wait, not store.
          if (!fits) await once(raw, 'drain', { signal: end.signal })
        }
      } catch (err) {
        if (!end.signal.aborted) log.warn({ err, request_id: request.id }, 'an event stream ended early')
      } finally {
        clearInterval(heartbeat)
        open.delete(end)
        raw.end()
      }
    },
  })
}
