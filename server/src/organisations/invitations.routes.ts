import { SessionAnswer } from '@parley/contract/session'
import { AcceptInvitation, LookUpInvitation, OpenInvitation } from '@parley/contract/team'
import type { FastifyInstance } from 'fastify'
import { acceptInvitation, findInvitation } from './invitations.service.ts'
import { cookieName, refuseForeignOrigins } from './session-guard.routes.ts'
import { cookieOptions, type SessionRoutesDeps, sessionView, visitorOf } from './sessions.routes.ts'

/** For people who are not members yet. The token travels in the body: addresses are written down in too many places. */
export function invitationRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  const onRequest = refuseForeignOrigins(deps)
  const cookie = cookieOptions(deps.baseUrl)

  app.post<{ Body: LookUpInvitation }>('/api/invitations/look-up', {
    schema: { hide: true, body: LookUpInvitation, response: { 200: OpenInvitation } },
    onRequest,
    handler: async (request) => {
      const { invitation, organisationName } = await findInvitation(deps, request.body.token, visitorOf(request))
      const { email, role, expiresAt } = invitation
      const data = { email, role, organisation_name: organisationName, expires_at: expiresAt.toISOString() }
      return { success: true, data }
    },
  })

  app.post<{ Body: AcceptInvitation }>('/api/invitations/accept', {
    schema: { hide: true, body: AcceptInvitation, response: { 201: SessionAnswer } },
    onRequest,
    handler: async (request, reply) => {
      const { token, signedIn } = await acceptInvitation(deps, request.body, visitorOf(request))
      return reply.status(201).setCookie(cookieName, token, cookie).send(sessionView(signedIn))
    },
  })
}
