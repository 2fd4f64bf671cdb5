import type { EventType } from '@parley/contract/events'
import { lockOrganisationForLimits } from '../organisations/organisations.service.ts'
import { planLimits } from '../organisations/plans.ts'
import type { Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { randomToken, type Vault } from '../platform/secrets.ts'
import { countEndpoints, insertEndpoint } from './endpoints.store.ts'

export type NewEndpoint = { url: string; description: string | null; events: (EventType | '*')[]; signing: boolean }

/** The caller has put the URL through the address guard: that asks DNS, and must not happen inside a transaction. */
export async function createEndpoint(
  { tx, vault }: { tx: Queryable; vault: Vault },
  organisationId: string,
  endpoint: NewEndpoint,
): Promise<{ endpointId: string; secret: string }> {
  const { plan } = await lockOrganisationForLimits(tx, organisationId)
  const limit = planLimits[plan].webhookEndpoints
  if ((await countEndpoints(tx, organisationId)) >= limit) {
    throw new ParleyError(
      'PLAN_LIMIT_REACHED',
      `The ${planLimits[plan].label} plan allows ${limit} webhook endpoint${limit === 1 ? '' : 's'}.`,
    )
  }
  const endpointId = newId('endpoint')
  const secret = `whsec_${randomToken()}`
  await insertEndpoint(tx, { ...endpoint, endpointId, organisationId, sealedSecret: vault.seal(secret) })
  return { endpointId, secret }
}
