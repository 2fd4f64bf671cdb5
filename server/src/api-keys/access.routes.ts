import type { Scope } from '@parley/contract/scopes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ParleyError } from '../platform/errors.ts'
import { enforceRate } from '../platform/http-rate-limit.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import { type Caller, requireScope } from './api-key.ts'
import type { VerifyKey } from './api-keys.service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route with a scope, before its body is read. */
    caller: Caller
  }
}

export type AccessDeps = { verifyKey: VerifyKey; keyLimit: RateLimiter; strangerLimit: RateLimiter }

/** Key, rate and scope, before the body is read. A /v1 route that names neither a scope nor `open` does not start. */
export function guardRoutes(app: FastifyInstance, deps: AccessDeps): void {
  app.decorateRequest('caller')
  app.addHook('onRoute', (route) => {
    const scope = route.config?.scope
    // Under /api the same routes serve people who are signed in: the dashboard's guard takes the key's place.
    if (route.url.startsWith('/api/')) return
    if (scope) route.onRequest = [guardFor(scope, deps), ...[route.onRequest ?? []].flat()]
    else if (route.url.startsWith('/v1/') && !route.config?.open) {
      throw new Error(`Route ${route.url} says neither which scope it needs nor that it is open.`)
    }
  })
}

/** Made once per route: asking the framework for a route's options at every request costs more than the check. */
const guardFor =
  (scope: Scope, { verifyKey, keyLimit, strangerLimit }: AccessDeps) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const key = request.headers['x-api-key']
    const caller = typeof key === 'string' ? await verifyKey(key) : null
    if (!caller) {
      // Counted per address, so that somebody trying keys is slowed down without harm to anyone else.
      enforceRate(reply, strangerLimit, request.ip)
      throw new ParleyError('UNAUTHENTICATED', 'Send a valid API key in the x-api-key header.')
    }
    request.caller = caller
    enforceRate(reply, keyLimit, caller.keyId)
    requireScope(caller, scope)
  }
