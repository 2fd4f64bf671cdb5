import type { FastifyInstance } from 'fastify'
import { onChanges, type Topic, topics } from '../platform/changes.ts'
import type { Database } from '../platform/db.ts'
import { beginStream, endStream, streamHeaders } from '../platform/http-stream.ts'
import { everyone } from './roles.ts'
import { cookieName } from './session-guard.routes.ts'
import { findSession } from './sessions.service.ts'

export type ChangesRoutesDeps = { db: Database; heartbeatMs?: number }

const usualHeartbeatMs = 15_000
// A busy organisation changes all the time; nobody reads faster than this.
const gatherMs = 250

/** Tells an open dashboard what to read again. It carries no data: what is read is read with the reader's own rights. */
export function changesRoutes(app: FastifyInstance, { db, heartbeatMs = usualHeartbeatMs }: ChangesRoutesDeps): void {
  const open = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of open) end()
  })

  app.get('/api/stream', { config: { roles: everyone }, schema: { hide: true } }, async (request, reply) => {
    if (request.method === 'HEAD') return reply.headers(streamHeaders).send()
    const token = request.cookies[cookieName]
    const raw = beginStream(reply, 'retry: 2000\nevent: listening\ndata: {}\n\n')
    const changed = new Set<Topic>()
    let timer: NodeJS.Timeout | undefined
    const tell = () => {
      timer = undefined
      // In the order of the list, so that the same changes always look the same.
      const data = JSON.stringify({ topics: topics.filter((topic) => changed.has(topic)) })
      changed.clear()
      // A reader that does not keep up is let go; it comes back and reads everything.
      if (!raw.write(`event: changed\ndata: ${data}\n\n`)) end()
    }
    const stopListening = onChanges(db, request.signedIn.organisation.organisationId, (news) => {
      for (const topic of news) changed.add(topic)
      timer ??= setTimeout(tell, gatherMs)
    })
    const heartbeat = setInterval(async () => {
      raw.write(': still here\n\n')
      // Signed out meanwhile, or the session is over: no more to see. A database that is away ends nobody's session.
      const isOver = await findSession(db, token).then(
        () => false,
        (error: { code?: string }) => error.code === 'UNAUTHENTICATED',
      )
      if (isOver) end()
    }, heartbeatMs)
    const end = () => {
      stopListening()
      clearInterval(heartbeat)
      clearTimeout(timer)
      if (open.delete(end)) endStream(raw)
    }
    open.add(end)
    raw.on('close', end)
  })
}
