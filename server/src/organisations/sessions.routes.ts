import { SessionAnswer, SignInBody } from '@parley/contract/session'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { cookieName, refuseForeignOrigins } from './session-guard.routes.ts'
import { findSession, type SessionDeps, type SignedIn, sessionHours, signIn, signOut } from './sessions.service.ts'

export type SessionRoutesDeps = SessionDeps & { baseUrl: string; dashboardUrl: string }

const view = ({ user, organisation }: SignedIn): SessionAnswer => ({
  success: true,
  data: {
    user: { user_id: user.userId, email: user.email, role: user.role },
    organisation: {
      organisation_id: organisation.organisationId,
      name: organisation.name,
      plan: organisation.plan,
      timezone: organisation.timezone,
    },
  },
})

/** The dashboard signs in with a cookie no script can read and no other site can send along. */
export function sessionRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  const secure = deps.baseUrl.startsWith('https:')
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  const schema = { hide: true, response: { 200: SessionAnswer } }

  app.get('/api/session', { schema }, async (request) => view(await findSession(deps.db, request.cookies[cookieName])))

  app.post<{ Body: SignInBody }>('/api/session', {
    schema: { ...schema, body: SignInBody },
    onRequest: refuseForeignOrigins(deps),
    handler: async (request, reply) => {
      const { token, signedIn } = await signIn(deps, { ...request.body, address: request.ip })
      return reply.setCookie(cookieName, token, { ...cookie, maxAge: sessionHours * 3_600 }).send(view(signedIn))
    },
  })

  app.delete('/api/session', {
    schema: { hide: true },
    onRequest: refuseForeignOrigins(deps),
    handler: async (request, reply): Promise<FastifyReply> => {
      await signOut(deps.db, request.cookies[cookieName])
      return reply.clearCookie(cookieName, cookie).send({ success: true, data: {} })
    },
  })
}
