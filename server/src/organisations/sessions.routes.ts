import { SessionAnswer, SignInBody } from '@parley/contract/session'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieName, refuseForeignOrigins } from './session-guard.routes.ts'
import {
  findSession,
  type SessionDeps,
  type SignedIn,
  sessionHours,
  signIn,
  signOut,
  type Visitor,
} from './sessions.service.ts'

export type SessionRoutesDeps = SessionDeps & { baseUrl: string; dashboardUrl: string }

export const sessionView = ({ user, organisation }: SignedIn): SessionAnswer => ({
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

/** No script can read it, no other site can send it along. */
export const cookieOptions = (baseUrl: string) =>
  ({
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: baseUrl.startsWith('https:'),
    maxAge: sessionHours * 3_600,
  }) as const

export const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  browser: request.headers['user-agent'] ?? null,
})

/** The dashboard signs in with a cookie no script can read and no other site can send along. */
export function sessionRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  const cookie = cookieOptions(deps.baseUrl)
  const schema = { hide: true, response: { 200: SessionAnswer } }

  app.get('/api/session', { schema }, async (request) =>
    sessionView(await findSession(deps.db, request.cookies[cookieName])),
  )

  app.post<{ Body: SignInBody }>('/api/session', {
    schema: { ...schema, body: SignInBody },
    onRequest: refuseForeignOrigins(deps),
    handler: async (request, reply) => {
      const { token, signedIn } = await signIn(deps, { ...request.body, ...visitorOf(request) })
      return reply.setCookie(cookieName, token, cookie).send(sessionView(signedIn))
    },
  })

  app.delete('/api/session', {
    schema: { hide: true },
    onRequest: refuseForeignOrigins(deps),
    handler: async (request, reply): Promise<FastifyReply> => {
      await signOut(deps.db, request.cookies[cookieName])
      return reply.clearCookie(cookieName, { ...cookie, maxAge: 0 }).send({ success: true, data: {} })
    },
  })
}
