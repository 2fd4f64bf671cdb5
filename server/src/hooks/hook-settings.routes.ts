import type { Plan } from '@parley/contract/common'
import {
  HookRequestList,
  HookSettingsAnswer,
  ListHookRequestsQuery,
  NewHookUrl,
  SigningAnswer,
  SigningBody,
} from '@parley/contract/hook-settings'
import type { FastifyInstance } from 'fastify'
import { inboundUrl, isInboundSigned } from '../organisations/organisations.service.ts'
import { everyone, managers } from '../organisations/roles.ts'
import type { Database } from '../platform/db.ts'
import { pageEnd } from '../platform/http-lists.ts'
import { bodyless } from '../platform/http-schemas.ts'
import type { Vault } from '../platform/secrets.ts'
import { changeHookSigning, replaceHookToken } from './hook-settings.ts'
import { hookQuota, listHookRequests } from './hooks.service.ts'

export type HookSettingsRoutesDeps = { db: Database; vault: Vault; baseUrl: string; hookQuotas: Record<Plan, number> }

/** The dashboard's API for the inbound hook: its URL, its signing, and what came in. */
export function hookSettingsRoutes(app: FastifyInstance, deps: HookSettingsRoutesDeps): void {
  const { db, baseUrl } = deps
  const schema = (response: object, more: object = {}) => ({ hide: true, ...more, response: { '2xx': response } })

  app.get('/api/hook', { config: { roles: everyone }, schema: schema(HookSettingsAnswer) }, async ({ signedIn }) => {
    const { organisationId } = signedIn.organisation
    const signing = await isInboundSigned(db, organisationId)
    const quota = await hookQuota(deps, organisationId)
    return { success: true, data: { url_start: inboundUrl(baseUrl, ''), signing, quota } }
  })

  app.get<{ Querystring: ListHookRequestsQuery }>('/api/hook/requests', {
    config: { roles: everyone },
    schema: schema(HookRequestList, { querystring: ListHookRequestsQuery }),
    handler: async (request, reply) => {
      const page = await listHookRequests(db, request.signedIn.organisation.organisationId, request.query)
      return { success: true, data: page.items, ...pageEnd(page, baseUrl, request, reply) }
    },
  })

  app.post('/api/hook/regenerate', {
    config: { roles: managers, check: bodyless },
    schema: schema(NewHookUrl),
    handler: async ({ signedIn: { user, organisation } }) => {
      const token = await replaceHookToken(db, organisation.organisationId, user.userId)
      return { success: true, data: { url: inboundUrl(baseUrl, token) } }
    },
  })

  app.post<{ Body: SigningBody }>('/api/hook/signing', {
    config: { roles: managers },
    schema: schema(SigningAnswer, { body: SigningBody }),
    handler: async ({ signedIn: { user, organisation }, body: { enabled, rotate = false } }) => {
      const change = { enabled, rotate }
      const { signingSecret } = await changeHookSigning(deps, organisation.organisationId, change, user.userId)
      return { success: true, data: { signing: enabled, signing_secret: signingSecret } }
    },
  })
}
