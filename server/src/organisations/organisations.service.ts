import type { Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { isId, newId } from '../platform/ids.ts'
import { randomToken, sha256, type Vault } from '../platform/secrets.ts'
import type { InboundSecrets, NewOrganisation, Organisation } from './organisation.ts'
import {
  insertOrganisation,
  lockOrganisation,
  selectOrganisation,
  selectOrganisations,
  updateInboundToken,
} from './organisations.store.ts'

export async function createOrganisation(
  { tx, vault }: { tx: Queryable; vault: Vault },
  organisation: NewOrganisation,
): Promise<{ organisationId: string; inbound: InboundSecrets }> {
  const organisationId = newId('organisation')
  const inbound = { token: randomToken(), signingSecret: `ins_${randomToken()}` }
  await insertOrganisation(tx, organisationId, organisation, {
    tokenHash: sha256(inbound.token),
    sealedSigningSecret: vault.seal(inbound.signingSecret),
  })
  return { organisationId, inbound }
}

export async function findOrganisation(db: Queryable, organisationId: string): Promise<Organisation | null> {
  return isId('organisation', organisationId) ? selectOrganisation(db, organisationId) : null
}

export async function lockOrganisationForLimits(tx: Queryable, organisationId: string): Promise<Organisation> {
  const organisation = await lockOrganisation(tx, organisationId)
  if (!organisation) throw new ParleyError('NOT_FOUND', 'There is no such organisation.')
  return organisation
}

/** An operator who has only one organisation need not name it. */
export async function theOnlyOrganisation(db: Queryable): Promise<Organisation | 'none' | 'several'> {
  const [first, second] = await selectOrganisations(db, 2)
  if (!first) return 'none'
  return second ? 'several' : first
}

/** The old token stops working with this statement's commit, on every node (§5.2). */
export async function regenerateInboundToken(db: Queryable, organisationId: string): Promise<string> {
  const token = randomToken()
  const found = isId('organisation', organisationId) && (await updateInboundToken(db, organisationId, sha256(token)))
  if (!found) throw new ParleyError('NOT_FOUND', 'There is no such organisation.')
  return token
}

export const inboundUrl = (baseUrl: string, token: string): string => `${baseUrl}/v1/hooks/${token}`
