import { RevokedShares, SharingAnswer, SharingPatch } from '@parley/contract/organisation'
import type { FastifyInstance } from 'fastify'
import { getPublicShare } from '../organisations/organisations.service.ts'
import { everyone, managers } from '../organisations/roles.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { bodyless } from '../platform/http-schemas.ts'
import { revokeAllShares, setSharing } from './sharing.service.ts'

export type ShareSettingsRoutesDeps = { db: Database; clock: Clock }

/** Public call share as a setting of the organisation (§6.4). */
export function shareSettingsRoutes(app: FastifyInstance, deps: ShareSettingsRoutesDeps): void {
  const schema = { hide: true, response: { 200: SharingAnswer } }

  app.get('/api/sharing', { config: { roles: everyone }, schema }, async ({ signedIn }) => {
    const setting = await getPublicShare(deps.db, signedIn.organisation.organisationId)
    return { success: true, data: setting ?? { enabled: false, expiry: null } }
  })

  app.patch<{ Body: SharingPatch }>('/api/sharing', {
    config: { roles: managers },
    schema: { ...schema, body: SharingPatch },
    handler: async ({ signedIn: { user, organisation }, body }) => ({
      success: true,
      data: await setSharing(deps, organisation.organisationId, body, user.userId),
    }),
  })

  app.post('/api/sharing/revoke-all', {
    config: { roles: managers, check: bodyless },
    schema: { hide: true, response: { 200: RevokedShares } },
    handler: async ({ signedIn: { user, organisation } }) => ({
      success: true,
      data: { revoked: await revokeAllShares(deps, organisation.organisationId, user.userId) },
    }),
  })
}
