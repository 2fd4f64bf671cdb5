import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { VerifyKey } from '../api-keys/api-keys.service.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { refusals } from '../platform/http-schemas.ts'
import { beginStream, endStream, streamHeaders } from '../platform/http-stream.ts'
import type { Log } from '../platform/log.ts'
import { openEventStream, typesFor } from './event-stream.ts'
import { type RenderDeps, renderEvent } from './render-event.ts'

export type EventStreamDeps = RenderDeps & {
  db: Database
  clock: Clock
  log: Log
  verifyKey: VerifyKey
  heartbeatMs?: number
}

const usualHeartbeatMs = 15_000
const LastEventId = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ description: 'The last `id` the stream gave: what came since is sent first.' }),
  ),
})

/** Server-sent events: what `parley listen` and anything else that keeps a connection open follows. */
export function eventStreamRoutes(app: FastifyInstance, deps: EventStreamDeps): void {
  const { db, clock, log, verifyKey, heartbeatMs = usualHeartbeatMs } = deps
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
        'event_id. It begins with an `id` of its own, to go on from before the first event. For development and live ' +
        'views; a key sees the events of what its scopes let it read.',
      tags: ['Events'],
      headers: LastEventId,
      produces: ['text/event-stream'],
      response: { 200: { type: 'string', description: 'The stream.' }, ...refusals(400, 401, 403, 415, 429, 503) },
    },
    handler: async (request, reply) => {
      if (request.method === 'HEAD') return reply.headers(streamHeaders).send()
      const { raw } = reply
      const end = new AbortController()
      open.add(end)
      raw.on('close', () => end.abort())
      const heartbeat = setInterval(async () => {
        if (raw.headersSent) raw.write(': still here\n\n')
        // A key that was revoked meanwhile, or has expired, sees no more.
        const caller = await verifyKey(String(request.headers['x-api-key'])).catch(() => request.caller)
        if (!caller) end.abort()
      }, heartbeatMs)
      try {
        const { organisationId, scopes } = request.caller
        const after = request.headers['last-event-id']
        const { place, events } = await openEventStream(db, {
          organisationId,
          types: typesFor(scopes),
          after: typeof after === 'string' ? after : null,
          signal: end.signal,
        })
        beginStream(reply, `: listening\nid: ${place}\n\n`)
        for await (const event of events) {
          const body = await renderEvent(deps, event, clock.now())
          const fits = raw.write(`id: ${event.eventId}\nevent: ${event.type}\ndata: ${body}\n\n`)
          // A reader that does not keep up makes us wait, not store.
          if (!fits) await once(raw, 'drain', { signal: end.signal })
        }
      } catch (err) {
        if (!reply.sent) throw err
        if (!end.signal.aborted) log.warn({ err, request_id: request.id }, 'an event stream ended early')
      } finally {
        clearInterval(heartbeat)
        open.delete(end)
        if (reply.sent) endStream(raw)
      }
    },
  })
}
