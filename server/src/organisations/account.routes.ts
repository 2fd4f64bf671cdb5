import {
  OpenSessionList,
  type OpenSession as OpenSessionView,
  PasswordAnswer,
  PasswordBody,
} from '@parley/contract/team'
import type { FastifyInstance } from 'fastify'
import { bodyless } from '../platform/http-schemas.ts'
import { changePassword, endOtherSessions, endSession, listSessions, type OpenSession } from './account.service.ts'
import { everyone } from './roles.ts'
import type { SessionDeps } from './sessions.service.ts'

const view = (session: OpenSession, thisId: string): OpenSessionView => ({
  session_id: session.sessionId,
  browser: session.browser,
  is_this: session.sessionId === thisId,
  created_at: session.createdAt.toISOString(),
  last_used_at: session.lastUsedAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
})

/** What everybody decides for themselves. */
export function accountRoutes(app: FastifyInstance, deps: SessionDeps): void {
  const { db } = deps
  const config = { roles: everyone }
  const nothing = { roles: everyone, check: bodyless }

  app.post<{ Body: PasswordBody }>('/api/account/password', {
    config,
    schema: { hide: true, body: PasswordBody, response: { 200: PasswordAnswer } },
    handler: async ({ signedIn, body }) => {
      const change = { current: body.current_password, next: body.new_password }
      return { success: true, data: { ended_sessions: await changePassword(deps, signedIn, change) } }
    },
  })

  app.get('/api/account/sessions', {
    config,
    schema: { hide: true, response: { 200: OpenSessionList } },
    handler: async ({ signedIn }) => {
      const sessions = await listSessions(db, signedIn.user.userId)
      return { success: true, data: sessions.map((each) => view(each, signedIn.sessionId)) }
    },
  })

  app.delete('/api/account/sessions', {
    config: nothing,
    schema: { hide: true, response: { 200: PasswordAnswer } },
    handler: async ({ signedIn }) => ({
      success: true,
      data: { ended_sessions: await endOtherSessions(db, signedIn) },
    }),
  })

  app.delete<{ Params: { session_id: string } }>('/api/account/sessions/:session_id', {
    config: nothing,
    schema: { hide: true },
    handler: async ({ signedIn, params: { session_id } }) => {
      await endSession(db, signedIn.user.userId, session_id)
      return { success: true, data: { session_id, ended: true } }
    },
  })
}
