import type { Scope } from '@parley/contract/scopes'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { enforceRate } from '../platform/http-rate-limit.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import { type Caller, noSuchKey, requireScope } from './api-key.ts'
import type { KeyVerifier } from './api-keys.service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route with a scope, before its body is read. */
    caller: Caller
  }
}

export type AccessDeps = KeyVerifier & { keyLimit: RateLimiter; strangerLimit: RateLimiter }

/** Key, rate and scope, before the body is read. A /v1 route that names neither a scope nor `open` does not start. */
export function guardRoutes(app: FastifyInstance, deps: AccessDeps): void {
  app.decorateRequest('caller')
  app.decorateRequest('isRecalled', false)
  app.decorateRequest('recheckKey', async function (this: FastifyRequest, reply: FastifyReply) {
    const scope = this.routeOptions.config.scope
    if (!this.isRecalled || !scope) return
    this.isRecalled = false
    requireScope(await callerOf(this, reply, deps), scope)
  })
  app.addHook('onRoute', (route) => {
    const { scope, asksForKey = false } = route.config ?? {}
    // Under /api the same routes serve people who are signed in: the dashboard's guard takes the key's place.
    if (route.url.startsWith('/api/')) return
    if (scope) {
      const guard = asksForKey ? recallingGuardFor(scope, deps) : guardFor(scope, deps)
      route.onRequest = [guard, ...[route.onRequest ?? []].flat()] as onRequestHookHandler[]
    } else if (route.url.startsWith('/v1/') && !route.config?.open) {
      throw new Error(`Route ${route.url} says neither which scope it needs nor that it is open.`)
    }
  })
}

/** Made once per route: asking the framework for a route's options at every request costs more than the check. */
const guardFor = (scope: Scope, deps: AccessDeps) => async (request: FastifyRequest, reply: FastifyReply) =>
  admit(await callerOf(request, reply, deps), scope, request, reply, deps)

/** For routes whose statement asks for the key itself: a key seen lately need not be asked for twice. */
function recallingGuardFor(scope: Scope, deps: AccessDeps) {
  const guard = guardFor(scope, deps)
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const key = request.headers['x-api-key']
    const caller = typeof key === 'string' ? deps.recallKey(key) : null
    // A scope it lacked a moment ago it may have by now.
    if (!caller?.scopes.includes(scope)) {
      guard(request, reply).then(() => done(), done)
      return
    }
    request.isRecalled = true
    try {
      admit(caller, scope, request, reply, deps)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }
}

function admit(
  caller: Caller,
  scope: Scope,
  request: FastifyRequest,
  reply: FastifyReply,
  { keyLimit }: AccessDeps,
): void {
  request.caller = caller
  enforceRate(reply, keyLimit, caller.keyId)
  requireScope(caller, scope)
}

async function callerOf(request: FastifyRequest, reply: FastifyReply, deps: AccessDeps): Promise<Caller> {
  const key = request.headers['x-api-key']
  const caller = typeof key === 'string' ? await deps.verifyKey(key) : null
  if (caller) return caller
  // Counted per address, so that somebody trying keys is slowed down without harm to anyone else.
  enforceRate(reply, deps.strangerLimit, request.ip)
  throw noSuchKey()
}
