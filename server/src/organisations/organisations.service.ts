import { createBatcher } from '../platform/batch.ts'
import type { Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { isId, newId } from '../platform/ids.ts'
import { randomToken, sha256, sha256Bytea, type Vault } from '../platform/secrets.ts'
import type { InboundOrganisation, InboundSecrets, NewOrganisation, Organisation, PublicShare } from './organisation.ts'
import {
  insertOrganisation,
  lockOrganisation,
  selectByInboundTokens,
  selectInboundSigning,
  selectOrganisation,
  selectOrganisations,
  selectPublicShare,
  updateInboundSigning,
  updateInboundToken,
  updatePublicShare,
} from './organisations.store.ts'

export async function createOrganisation(
  { tx, vault }: { tx: Queryable; vault: Vault },
  organisation: NewOrganisation,
): Promise<{ organisationId: string; inbound: InboundSecrets }> {
  const organisationId = newId('organisation')
  const inbound = { token: randomToken(), signingSecret: newSigningSecret() }
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

/** A new secret is shown once; the present one is not shown again. Every node asks for it at every request. */
export async function setInboundSigning(
  { db, vault }: { db: Queryable; vault: Vault },
  organisationId: string,
  { enabled, rotate }: { enabled: boolean; rotate: boolean },
): Promise<{ signingSecret: string | null }> {
  const signingSecret = rotate ? newSigningSecret() : null
  const sealed = signingSecret === null ? null : vault.seal(signingSecret)
  const found =
    isId('organisation', organisationId) && (await updateInboundSigning(db, organisationId, enabled, sealed))
  if (!found) throw new ParleyError('NOT_FOUND', 'There is no such organisation.')
  return { signingSecret }
}

export async function isInboundSigned(db: Queryable, organisationId: string): Promise<boolean> {
  const signing = await selectInboundSigning(db, organisationId)
  if (signing === null) throw new ParleyError('NOT_FOUND', 'There is no such organisation.')
  return signing
}

/** Every request and every event asks for it anew. Without `expiry` the present one stays. */
export async function setPublicShare(
  tx: Queryable,
  organisationId: string,
  change: { enabled: boolean; expiry?: PublicShare['expiry'] },
): Promise<PublicShare> {
  const setting = isId('organisation', organisationId) ? await updatePublicShare(tx, organisationId, change) : null
  if (!setting) throw new ParleyError('NOT_FOUND', 'There is no such organisation.')
  return setting
}

export const getPublicShare = selectPublicShare

const newSigningSecret = () => `ins_${randomToken()}`

export type FindInbound = (token: string) => Promise<InboundOrganisation | null>

/**
 * Every request asks the database, so a regenerated token fails on the very next one, on every node. Any text is asked
 * for in the same way, whether or not it could be a token: what is refused takes the same time (decisions 5).
 */
export function createInboundFinder(db: Queryable): FindInbound {
  const lookUp = createBatcher<string, InboundOrganisation | null>(
    async (hashes) => {
      const rows = await selectByInboundTokens(db, [...new Set(hashes)])
      const found = new Map(rows.map((each) => [each.hash, each.organisation]))
      return hashes.map((hash) => found.get(hash) ?? null)
    },
    { lanes: 1 },
  )
  return async (token) => lookUp(sha256Bytea(token))
}
