import { lockOrganisationForLimits } from '../organisations/organisations.service.ts'
import { planLimits } from '../organisations/plans.ts'
import { recordAudit } from '../platform/audit.ts'
import { announceChange } from '../platform/changes.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { fault, ParleyError, validationError } from '../platform/errors.ts'
import { isId, newId } from '../platform/ids.ts'
import { refusalOfWebhookUrl, resolveAll } from '../platform/safe-url.ts'
import { randomToken, type Vault } from '../platform/secrets.ts'
import { holdPending } from './attempts.store.ts'
import type { Endpoint, EndpointChange, NewEndpoint } from './endpoint.ts'
import {
  countEndpoints,
  insertEndpoint,
  lockEndpoint,
  markDeleted,
  type Notice,
  selectEndpoint,
  selectEndpoints,
  selectNotices,
  updateEndpoint,
} from './endpoints.store.ts'

export type { Notice } from './endpoints.store.ts'
export type AddressRules = { allowPrivate: boolean; ownHosts: readonly string[] }
type Addresses = { baseUrl: string; dashboardUrl: string; webhooks: { allowPrivate: boolean } }

/** Webhooks to ourselves would go round in circles. */
export const addressRulesOf = ({ baseUrl, dashboardUrl, webhooks }: Addresses): AddressRules => ({
  allowPrivate: webhooks.allowPrivate,
  ownHosts: [baseUrl, dashboardUrl].map((url) => new URL(url).hostname),
})

export type EndpointDeps = { db: Database; vault: Vault; addressRules: AddressRules }

export const newSecret = (): string => `whsec_${randomToken()}`

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
  const secret = newSecret()
  await insertEndpoint(tx, { ...endpoint, endpointId, organisationId, sealedSecret: vault.seal(secret) })
  return { endpointId, secret }
}

/** The same guard at registration as at every send (decisions 6). */
export async function refuseUnsafeUrl(url: string, rules: AddressRules): Promise<void> {
  const refusal = await refusalOfWebhookUrl(url, { ...rules, resolve: resolveAll })
  if (refusal) throw validationError([fault('url', refusal.code, refusal.message)])
}

export async function registerEndpoint(
  { db, vault, addressRules }: EndpointDeps,
  organisationId: string,
  endpoint: NewEndpoint,
  actor: string,
): Promise<{ endpoint: Endpoint; secret: string }> {
  await refuseUnsafeUrl(endpoint.url, addressRules)
  return db.transaction(async (tx) => {
    const { endpointId, secret } = await createEndpoint({ tx, vault }, organisationId, endpoint)
    await recordAudit(tx, { organisationId, actor, action: 'webhook_endpoint.created', resourceId: endpointId })
    announceChange(tx, organisationId, 'deliveries')
    return { endpoint: await getEndpoint(tx, organisationId, endpointId), secret }
  })
}

export const listEndpoints = (db: Queryable, organisationId: string): Promise<Endpoint[]> =>
  selectEndpoints(db, organisationId)

export const noSuchEndpoint = () => new ParleyError('NOT_FOUND', 'There is no such webhook endpoint.')

export async function getEndpoint(db: Queryable, organisationId: string, endpointId: string): Promise<Endpoint> {
  const endpoint = isId('endpoint', endpointId) ? await selectEndpoint(db, organisationId, endpointId) : null
  if (!endpoint) throw noSuchEndpoint()
  return endpoint
}

export async function changeEndpoint(
  { db, addressRules }: EndpointDeps,
  organisationId: string,
  endpointId: string,
  change: EndpointChange,
  actor: string,
): Promise<Endpoint> {
  if (change.url !== undefined) await refuseUnsafeUrl(change.url, addressRules)
  return db.transaction(async (tx) => {
    await lockedEndpoint(tx, organisationId, endpointId)
    const changed = await updateEndpoint(tx, endpointId, change)
    if (!changed) throw noSuchEndpoint()
    if (change.status === 'disabled') await holdPending(tx, [endpointId])
    const action = change.status ? `webhook_endpoint.${change.status}` : 'webhook_endpoint.changed'
    await recordAudit(tx, { organisationId, actor, action, resourceId: endpointId })
    announceChange(tx, organisationId, 'deliveries')
    return changed
  })
}

export async function lockedEndpoint(tx: Queryable, organisationId: string, endpointId: string): Promise<Endpoint> {
  const endpoint = isId('endpoint', endpointId) ? await lockEndpoint(tx, organisationId, endpointId) : null
  if (!endpoint) throw noSuchEndpoint()
  return endpoint
}

export async function deleteEndpoint(
  db: Database,
  organisationId: string,
  endpointId: string,
  actor: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockedEndpoint(tx, organisationId, endpointId)
    await markDeleted(tx, endpointId)
    await recordAudit(tx, { organisationId, actor, action: 'webhook_endpoint.deleted', resourceId: endpointId })
    announceChange(tx, organisationId, 'deliveries')
  })
}

/** What somebody should know: an endpoint is failing, was switched off, is well again. Newest first. */
export const listNotices = (db: Queryable, organisationId: string): Promise<Notice[]> =>
  selectNotices(db, organisationId, 50)
