import type { Organisation } from '../organisations/organisation.ts'
import { planLimits } from '../organisations/plans.ts'
import { recordAudit } from '../platform/audit.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { type Fault, fault, ParleyError } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import { parseInstant } from '../platform/instant.ts'
import type { ApiKey } from './api-key.ts'
import { createApiKey, listApiKeys, type NewApiKey, revokeApiKey } from './api-keys.service.ts'
import { countActiveKeys, lockKey } from './api-keys.store.ts'

const noSuchKey = () => new ParleyError('NOT_FOUND', 'There is no such API key.')

/** All keys, newest first, and how many more the plan allows. */
export async function keysOf(
  db: Queryable,
  { organisationId, plan }: Organisation,
): Promise<{ keys: ApiKey[]; active: number; limit: number | null }> {
  const { activeApiKeys } = planLimits[plan]
  return {
    keys: (await listApiKeys(db, organisationId)).toReversed(),
    active: await countActiveKeys(db, organisationId),
    limit: Number.isFinite(activeApiKeys) ? activeApiKeys : null,
  }
}

/** What the schema cannot say of a new key. */
export function newKeyFaults({ name, expires_at: expiry }: Record<string, unknown>, now: Date): Fault[] {
  const faults: Fault[] = []
  if (typeof name === 'string' && name !== '' && name.trim() === '') {
    faults.push(fault('name', 'too_short', 'Give the key a name.'))
  }
  if (typeof expiry !== 'string') return faults
  const instant = parseInstant(expiry)
  if (!(instant instanceof Date)) {
    faults.push(fault('expires_at', 'format', 'Write a time with an offset, such as 2027-01-31T00:00:00Z.'))
  } else if (instant <= now) faults.push(fault('expires_at', 'past', 'This time is over. Choose one in the future.'))
  return faults
}

export const issueKey = (
  db: Database,
  organisationId: string,
  key: NewApiKey,
  actor: string,
): Promise<{ apiKey: ApiKey; text: string }> =>
  db.transaction(async (tx) => {
    const { keyId, key: text } = await createApiKey(tx, organisationId, key)
    await recordAudit(tx, { organisationId, actor, action: 'api_key.created', resourceId: keyId })
    const apiKey = await lockKey(tx, organisationId, keyId)
    if (!apiKey) throw noSuchKey()
    return { apiKey, text }
  })

/** Once for all; doing it again changes nothing and is not written down again. */
export const withdrawKey = (db: Database, organisationId: string, keyId: string, actor: string): Promise<ApiKey> =>
  db.transaction(async (tx) => {
    const found = isId('apiKey', keyId) ? await lockKey(tx, organisationId, keyId) : null
    if (!found) throw noSuchKey()
    if (found.revokedAt) return found
    await recordAudit(tx, { organisationId, actor, action: 'api_key.revoked', resourceId: keyId })
    return revokeApiKey(tx, organisationId, keyId)
  })
