import type { FastifyInstance } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { enforceRate } from '../platform/http-rate-limit.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import { sha256 } from '../platform/secrets.ts'
import { readFeed } from './feed.service.ts'

export type FeedRoutesDeps = { db: Queryable; clock: Clock; strangerLimit: RateLimiter }

/** GET /calendar/{token}.ics: for calendar programs, which can send no key. The address is the permission. */
export function feedRoutes(app: FastifyInstance, deps: FeedRoutesDeps): void {
  app.get<{ Params: { token: string } }>('/calendar/:token.ics', {
    schema: { hide: true },
    handler: async (request, reply) => {
      reply.header('x-robots-tag', 'noindex').header('referrer-policy', 'no-referrer')
      const text = await readFeed(deps, request.params.token)
      if (text === null) {
        // Whoever guesses is slowed down; who has a good address never meets this.
        enforceRate(reply, deps.strangerLimit, request.ip)
        throw new ParleyError('NOT_FOUND', 'There is nothing at this address.')
      }
      const etag = `"${sha256(text).toString('base64url')}"`
      reply.header('etag', etag).header('cache-control', 'private, max-age=300')
      if (matches(request.headers['if-none-match'], etag)) return reply.status(304).send()
      return reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', 'inline; filename="appointments.ics"')
        .send(text)
    },
  })
}

const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((each) => each.trim().replace(/^W\//, '') === etag))
