import type { Role } from '@parley/contract/common'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import '../platform/http-types.ts'
import { findSession, type SignedIn } from './sessions.service.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whom of the signed-in a dashboard route serves. */
    roles?: readonly Role[]
  }
  interface FastifyRequest {
    /** Set on every route with roles. */
    signedIn: SignedIn
  }
}

export const cookieName = 'parley_session'
export type SessionGuardDeps = { db: Queryable; baseUrl: string; dashboardUrl: string }

/** Session, role and, for writes, the page a request comes from. An /api route without `roles` guards itself. */
export function guardDashboard(app: FastifyInstance, deps: SessionGuardDeps): void {
  if (!app.hasRequestDecorator('signedIn')) app.decorateRequest('signedIn')
  const refuseForeign = refuseForeignOrigins(deps)
  app.addHook('onRoute', (route) => {
    const roles = route.config?.roles
    if (!roles) return
    const guard = async (request: FastifyRequest): Promise<void> => {
      if (request.method !== 'GET' && request.method !== 'HEAD') await refuseForeign(request)
      request.signedIn = await findSession(deps.db, request.cookies[cookieName])
      if (!roles.includes(request.signedIn.user.role)) {
        throw new ParleyError('FORBIDDEN', `Your role does not allow this. It takes one of: ${roles.join(', ')}.`)
      }
    }
    route.onRequest = [guard, ...[route.onRequest ?? []].flat()]
  })
}

/** A browser names the page a write comes from; a page of somebody else's must not act for anyone. */
export const refuseForeignOrigins =
  ({ baseUrl, dashboardUrl }: { baseUrl: string; dashboardUrl: string }) =>
  async (request: FastifyRequest): Promise<void> => {
    const origin = request.headers.origin
    if (origin === undefined) return
    const own = [new URL(baseUrl).origin, new URL(dashboardUrl).origin, `${request.protocol}://${request.host}`]
    if (!own.includes(origin)) throw new ParleyError('FORBIDDEN', 'This request comes from another site.')
  }
