import type { Plan } from '@parley/contract/common'
import { type Usage, UsageAnswer } from '@parley/contract/organisation'
import type { FastifyInstance } from 'fastify'
import { activeKeyCount } from '../api-keys/api-keys.service.ts'
import { creditBalance } from '../credits/credits.service.ts'
import { planLimits } from '../organisations/plans.ts'
import { everyone } from '../organisations/roles.ts'
import type { Queryable } from '../platform/db.ts'
import { listEndpoints } from '../webhooks/endpoints.service.ts'
import { hookQuota } from './hooks.service.ts'

export type UsageRoutesDeps = { db: Queryable; hookQuotas: Record<Plan, number> }

// JSON has no infinity.
const orNone = (limit: number): number | null => (Number.isFinite(limit) ? limit : null)

/** The plan's limits (§8) and how much of them is in use. It lives with the last module because it asks all of them. */
export function usageRoutes(app: FastifyInstance, deps: UsageRoutesDeps): void {
  app.get('/api/organisation/usage', {
    config: { roles: everyone },
    schema: { hide: true, response: { 200: UsageAnswer } },
    handler: async ({ signedIn: { organisation } }) => {
      const { organisationId, plan } = organisation
      const [keys, endpoints, quota, credits] = await Promise.all([
        activeKeyCount(deps.db, organisationId),
        listEndpoints(deps.db, organisationId),
        hookQuota(deps, organisationId),
        creditBalance(deps.db, organisationId),
      ])
      const data: Usage = {
        api_keys: { used: keys, limit: orNone(planLimits[plan].activeApiKeys) },
        webhook_endpoints: { used: endpoints.length, limit: orNone(planLimits[plan].webhookEndpoints) },
        hook_quota: quota,
        credits,
      }
      return { success: true, data }
    },
  })
}
