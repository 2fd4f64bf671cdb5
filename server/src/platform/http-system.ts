import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Queryable } from './db.ts'
import { ParleyError } from './errors.ts'
import { type Log, lineWriter } from './log.ts'
import type { Metrics } from './metrics.ts'
import { type Migration, migrationsAreIn } from './migrate.ts'

export type SystemDeps = { db: Queryable; migrations: Migration[]; metrics: Metrics }

/** For whoever runs the service: alive, ready, how busy. */
export function systemRoutes(app: FastifyInstance, { db, migrations, metrics }: SystemDeps): void {
  const hidden = { schema: { hide: true } }

  app.get('/healthz', hidden, async () => ({ status: 'ok' }))

  app.get('/readyz', hidden, async () => {
    // Whatever keeps the database from answering, the node is not ready: a load balancer wants 503, not a reason.
    const ready = await migrationsAreIn(db, migrations).catch(() => false)
    if (!ready) {
      throw new ParleyError('UNAVAILABLE', 'Not ready: the database does not answer or is not up to date.', {
        headers: { 'retry-after': '2' },
      })
    }
    return { status: 'ready' }
  })

  app.get('/metrics', hidden, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}

export type Watch = { metrics: Metrics; log: Log }

/** One line and one measurement per request. The route's pattern, never its URL: tokens and numbers stand in URLs. */
export function observeRequests(app: FastifyInstance, watch: Watch): void {
  app.addHook('onRoute', (route) => {
    route.onResponse = [observe(watch, route.url), ...[route.onResponse ?? []].flat()]
  })
}

export const observe = ({ metrics, log }: Watch, route: string) => {
  const write = lineWriter(log, 'request')
  const measure = metrics.requestTimes.of(route)
  const quotedRoute = JSON.stringify(route)
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { method, id, caller } = request
    const ms = reply.elapsedTime
    const status = reply.statusCode
    measure(method, status, ms / 1_000)
    const key = caller ? `,"key_id":"${caller.keyId}"` : ''
    write(
      `"request_id":"${id}","method":"${method}","route":${quotedRoute},"status":${status},"ms":${Math.round(ms * 10) / 10}${key}`,
    )
    done()
  }
}
