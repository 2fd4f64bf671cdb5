import type { Scope } from '@parley/contract/scopes'
import { lockOrganisationForLimits } from '../organisations/organisations.service.ts'
import { planLimits } from '../organisations/plans.ts'
import { createBatcher } from '../platform/batch.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { randomToken, sha256, sha256Bytea } from '../platform/secrets.ts'
import { type ApiKey, type Caller, expandScopes, keyPrefix, looksLikeKey } from './api-key.ts'
import { countActiveKeys, insertKey, markRevoked, selectActiveKeys, selectKeys, touchKey } from './api-keys.store.ts'

export type NewApiKey = { name: string; scopes: readonly (Scope | '*')[]; expiresAt: Date | null }

/** The key's text leaves this function once and is stored nowhere. Needs a transaction: the limit is counted under a lock. */
export async function createApiKey(
  tx: Queryable,
  organisationId: string,
  key: NewApiKey,
): Promise<{ keyId: string; key: string }> {
  const { plan } = await lockOrganisationForLimits(tx, organisationId)
  const limit = planLimits[plan].activeApiKeys
  if ((await countActiveKeys(tx, organisationId)) >= limit) {
    throw new ParleyError(
      'PLAN_LIMIT_REACHED',
      `The ${planLimits[plan].label} plan allows ${limit} active API keys. Revoke one or choose a larger plan.`,
    )
  }
  const text = keyPrefix + randomToken()
  const keyId = newId('apiKey')
  await insertKey(tx, {
    keyId,
    organisationId,
    name: key.name,
    hint: text.slice(-4),
    scopes: expandScopes(key.scopes),
    expiresAt: key.expiresAt,
    keyHash: sha256(text),
  })
  return { keyId, key: text }
}

/** What counts against the plan. */
export const activeKeyCount = countActiveKeys

export const listApiKeys = (db: Queryable, organisationId: string): Promise<ApiKey[]> => selectKeys(db, organisationId)

export async function revokeApiKey(db: Queryable, organisationId: string, keyId: string): Promise<ApiKey> {
  const revoked = await markRevoked(db, organisationId, keyId)
  if (!revoked) throw new ParleyError('NOT_FOUND', 'There is no such API key.')
  return revoked
}

export type VerifyKey = (text: string) => Promise<Caller | null>
export type KeyVerifier = {
  /**
   * Every request asks the database, so a revoked key fails on the very next one, on every node. Requests that arrive
   * together share one statement.
   */
  verifyKey: VerifyKey
  /** What was found last time, lately. Only for those whose own statement asks again (docs/decisions/0054). */
  recallKey(text: string): Caller | null
}

const recalledForMs = 20_000
const mostRecalled = 1_000

export function createKeyVerifier(db: Queryable, clock: Clock): KeyVerifier {
  const recent = new Map<string, { caller: Caller; untilMs: number }>()
  const remember = (text: string, caller: Caller | null) => {
    recent.delete(text)
    if (!caller) return
    if (recent.size >= mostRecalled) recent.clear()
    recent.set(text, { caller, untilMs: clock.now().getTime() + recalledForMs })
  }
  const lookUp = createBatcher<string, Caller | null>(
    async (texts) => {
      const hashes = texts.map(sha256Bytea)
      const found = new Map((await selectActiveKeys(db, [...new Set(hashes)])).map((each) => [each.hash, each]))
      for (const { key, usedLately } of found.values()) {
        // For people reading the key list; a request does not wait for it, nor fail with it.
        if (!usedLately) touchKey(db, key.keyId).catch(() => {})
      }
      return hashes.map((hash, index) => {
        const caller = found.get(hash)?.key ?? null
        remember(texts[index] as string, caller)
        return caller
      })
    },
    // A read waits for no disk, so one lane is enough, and batches are large.
    { lanes: 1 },
  )
  return {
    verifyKey: async (text) => (looksLikeKey(text) ? lookUp(text) : null),
    recallKey(text) {
      const known = recent.get(text)
      return known && known.untilMs > clock.now().getTime() ? known.caller : null
    },
  }
}
