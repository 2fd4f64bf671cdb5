import type { Role } from '@parley/contract/common'
import { type Scope, scopeNames } from '@parley/contract/scopes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { everyone } from '../organisations/roles.ts'
import { enforceRate } from '../platform/http-rate-limit.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import './access.routes.ts'

/** What the API lets each role do. Staff run the day; erasing what a call left behind is for those who answer for it. */
export const scopesOf: Record<Role, readonly Scope[]> = {
  owner: scopeNames,
  admin: scopeNames,
  staff: scopeNames.filter((scope) => scope !== 'calls:delete'),
  viewer: ['calls:read', 'appointments:read', 'slots:read'],
}

/**
 * The public API for people who are signed in: in this part of the app, routes with a scope ask for a role that has it,
 * instead of for a key. Register it before the session guard's hook, which reads `roles`.
 */
export function openApiToSessions(app: FastifyInstance, { keyLimit }: { keyLimit: RateLimiter }): void {
  app.addHook('onRoute', (route) => {
    const scope = route.config?.scope
    if (!scope) return
    const actAsUser = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { user, organisation } = request.signedIn
      request.caller = {
        keyId: user.userId,
        organisationId: organisation.organisationId,
        scopes: [...scopesOf[user.role]],
      }
      enforceRate(reply, keyLimit, user.userId)
    }
    route.config = { ...route.config, roles: everyone.filter((role) => scopesOf[role].includes(scope)) }
    route.schema = { ...route.schema, hide: true }
    route.onRequest = [actAsUser, ...[route.onRequest ?? []].flat()]
  })
}
