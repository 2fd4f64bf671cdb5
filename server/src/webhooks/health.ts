import type { WebhookHealth } from '@parley/contract/webhooks'
import type { Organisation } from '../organisations/organisation.ts'
import { planLimits } from '../organisations/plans.ts'
import type { Queryable } from '../platform/db.ts'
import { listEndpoints } from './endpoints.service.ts'
import { type HourOfEndpoint, selectHours } from './health.store.ts'

const shownHours = 24
// Enough to judge by. A busy organisation makes many more in a day, and open pages ask again at every attempt.
const mostCounted = 5_000

/** How deliveries of late went, per endpoint. */
export async function webhookHealthOf(db: Queryable, { organisationId, plan }: Organisation): Promise<WebhookHealth> {
  const endpoints = await listEndpoints(db, organisationId)
  const { now, hours } = await selectHours(db, organisationId, { hours: shownHours, limit: mostCounted })
  return {
    endpoint_limit: planLimits[plan].webhookEndpoints,
    since: countedSince(now, hours).toISOString(),
    endpoints: endpoints.map(({ endpointId }) => ({ endpoint_id: endpointId, ...outcomesOf(endpointId, hours) })),
  }
}

/** A day, or as far back as was counted. */
export function countedSince(now: Date, hours: readonly HourOfEndpoint[]): Date {
  const counted = hours.reduce((sum, each) => sum + each.total, 0)
  const oldest = Math.min(...hours.map((each) => each.oldest.getTime()))
  return new Date(counted < mostCounted ? now.getTime() - shownHours * 3_600_000 : oldest)
}

export function outcomesOf(endpointId: string, hours: readonly HourOfEndpoint[]) {
  const own = hours.filter((each) => each.endpointId === endpointId)
  const sum = (of: readonly HourOfEndpoint[]) => ({
    succeeded: of.reduce((total, each) => total + each.succeeded, 0),
    failed: of.reduce((total, each) => total + each.failed, 0),
  })
  const bars = Array.from({ length: shownHours }, (_, at) =>
    sum(own.filter((each) => each.hoursAgo === shownHours - 1 - at)),
  )
  return { ...sum(own), hours: bars }
}
