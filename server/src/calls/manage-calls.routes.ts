import type { Role } from '@parley/contract/common'
import { CallShareAnswer, ErasureReceiptAnswer, ShareBody } from '@parley/contract/dashboard-calls'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getPublicShare } from '../organisations/organisations.service.ts'
import { everyone, managers } from '../organisations/roles.ts'
import { bodyless } from '../platform/http-schemas.ts'
import { makeShareLink, revokeShare, type SharingDeps } from '../sharing/sharing.service.ts'
import { getCall } from './calls.service.ts'
import { type EraseCallDeps, eraseCall } from './erase-call.ts'

export type ManageCallsRoutesDeps = SharingDeps & EraseCallDeps
type OneCall = { Params: { call_id: string } }

/** Whoever runs the day may show a call to others; viewers only look. */
const sharers: readonly Role[] = everyone.filter((role) => role !== 'viewer')

/** The dashboard's API for sharing a call and for erasing it with a receipt. */
export function manageCallsRoutes(app: FastifyInstance, deps: ManageCallsRoutesDeps): void {
  const { db, clock, shares } = deps
  const share = '/api/calls/:call_id/share'
  const schema = (response: object, more: object = {}) => ({ hide: true, ...more, response: { '2xx': response } })

  const shareOf = async ({ signedIn: { user, organisation }, params }: FastifyRequest<OneCall>) => {
    const { organisationId } = organisation
    const { callId } = await getCall(db, organisationId, params.call_id)
    const [setting, found] = await Promise.all([
      getPublicShare(db, organisationId),
      shares.stateOf(organisationId, callId, clock.now()),
    ])
    const enabled = setting?.enabled ?? false
    const isOpen = enabled && found?.state === 'open'
    return {
      success: true,
      data: {
        enabled,
        state: found?.state ?? 'none',
        url: isOpen && sharers.includes(user.role) ? found.links.detailsUrl : null,
        expires_at: found?.links.expiresAt?.toISOString() ?? null,
      },
    }
  }

  app.get<OneCall>(share, { config: { roles: everyone }, schema: schema(CallShareAnswer) }, shareOf)

  app.post<OneCall & { Body: ShareBody }>(share, {
    config: { roles: sharers },
    schema: schema(CallShareAnswer, { body: ShareBody }),
    handler: async (request) => {
      const { user, organisation } = request.signedIn
      const { callId } = await getCall(db, organisation.organisationId, request.params.call_id)
      const { expiry } = request.body
      await makeShareLink(deps, organisation.organisationId, callId, { expiry, actor: user.userId })
      return shareOf(request)
    },
  })

  app.delete<OneCall>(share, {
    config: { roles: sharers, check: bodyless },
    schema: schema(CallShareAnswer),
    handler: async (request) => {
      const { user, organisation } = request.signedIn
      await revokeShare(deps, organisation.organisationId, request.params.call_id, user.userId)
      return shareOf(request)
    },
  })

  app.post<OneCall>('/api/calls/:call_id/erase', {
    config: { roles: managers, check: bodyless },
    schema: schema(ErasureReceiptAnswer),
    handler: async ({ signedIn: { user, organisation }, params }) => {
      const erased = await eraseCall(deps, organisation.organisationId, params.call_id, user.userId)
      return {
        success: true,
        data: { call_id: params.call_id, erased_at: clock.now().toISOString(), ...erased },
      }
    },
  })
}
