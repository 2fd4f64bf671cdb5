import { type FeedAnswer, FeedAnswer as FeedAnswerSchema, OpenFeedBody } from '@parley/contract/branch-settings'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findBranch } from '../branches/branches.service.ts'
import { everyone, managers } from '../organisations/roles.ts'
import type { Database } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { bodyless } from '../platform/http-schemas.ts'
import { closeFeed, feedSince, feedUrl, openFeed } from './feed.service.ts'

export type FeedSettingsRoutesDeps = { db: Database; baseUrl: string }
type OneBranch = { Params: { branch_id: string } }

/** A branch's calendar feed: whether there is one, a new address, none. The address is told once (0028). */
export function feedSettingsRoutes(app: FastifyInstance, { db, baseUrl }: FeedSettingsRoutesDeps): void {
  const path = '/api/branches/:branch_id/feed'
  const response = { '2xx': FeedAnswerSchema }

  const branchOf = async ({ signedIn, params }: FastifyRequest<OneBranch>) => {
    const { organisationId } = signedIn.organisation
    const branch = await findBranch(db, organisationId, params.branch_id)
    if (!branch) throw new ParleyError('NOT_FOUND', 'There is no branch with this id.')
    return { organisationId, branchId: branch.branchId, actor: signedIn.user.userId }
  }
  const answer = (branchId: string, since: Date | null, url: string | null): FeedAnswer => ({
    success: true,
    data: { branch_id: branchId, since: since?.toISOString() ?? null, url },
  })

  app.get<OneBranch>(path, {
    config: { roles: everyone },
    schema: { hide: true, response },
    handler: async (request) => {
      const { organisationId, branchId } = await branchOf(request)
      return answer(branchId, await feedSince(db, organisationId, branchId), null)
    },
  })

  app.post<OneBranch & { Body: OpenFeedBody }>(path, {
    config: { roles: managers },
    schema: { hide: true, body: OpenFeedBody, response },
    handler: async (request) => {
      const asked = await branchOf(request)
      const { token, since } = await openFeed(db, asked, { renew: request.body.renew ?? false })
      return answer(asked.branchId, since, token && feedUrl(baseUrl, token))
    },
  })

  app.delete<OneBranch>(path, {
    config: { roles: managers, check: bodyless },
    schema: { hide: true, response },
    handler: async (request) => {
      const asked = await branchOf(request)
      await closeFeed(db, asked)
      return answer(asked.branchId, null, null)
    },
  })
}
