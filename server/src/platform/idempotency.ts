import type { Queryable } from './db.ts'
import { fault, ParleyError } from './errors.ts'
import { sha256 } from './secrets.ts'

/** One remembered request: which one it was, and what it said. */
export type IdempotencyClaim = { route: string; keyHash: Buffer; bodyHash: Buffer }

const keepHours = 24

/** Decisions 2: 1–255 visible ASCII characters. A repeated header arrives joined by a comma and a space, so it fails. */
export function claimFor(route: string, key: unknown, rawBody: Buffer): IdempotencyClaim | null {
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ParleyError('VALIDATION_ERROR', 'Idempotency-Key must be 1 to 255 visible ASCII characters.', {
      details: [fault('Idempotency-Key', 'format', 'Use 1 to 255 visible ASCII characters, without spaces.')],
    })
  }
  return { route, keyHash: sha256(key), bodyHash: sha256(rawBody) }
}

/**
 * The part of a creating statement that takes the keys. `from` names a CTE with organisation_id, route, key_hash,
 * body_hash, resource_id and answer; rows without a key_hash are left alone. In key order, so that two batches never
 * wait for each other in a circle. A key that is taken yields no row.
 */
export const takeKeys = (from: string): string => `
  insert into idempotency_keys (organisation_id, route, key_hash, body_hash, resource_id, answer, expires_at)
  select organisation_id, route, key_hash, body_hash, resource_id, answer, now() + interval '${keepHours} hours'
  from ${from} where key_hash is not null
  order by organisation_id, route, key_hash
  on conflict do nothing
  returning resource_id`

export type Remembered = { sameBody: boolean; resourceId: string; answer: string | null }

/** What was answered before, or null when the key has expired meanwhile (then it is forgotten and free again). */
export async function recall(
  db: Queryable,
  organisationId: string,
  claim: IdempotencyClaim,
): Promise<Remembered | null> {
  const key = [organisationId, claim.route, claim.keyHash]
  const [row] = await db.query<{ body_hash: Buffer; resource_id: string; answer: string | null; expired: boolean }>(
    `select body_hash, resource_id, answer, expires_at <= now() as expired from idempotency_keys
     where organisation_id = $1 and route = $2 and key_hash = $3`,
    key,
  )
  if (!row) return null
  if (row.expired) {
    await db.query(
      `delete from idempotency_keys
       where organisation_id = $1 and route = $2 and key_hash = $3 and expires_at <= now()`,
      key,
    )
    return null
  }
  return { sameBody: row.body_hash.equals(claim.bodyHash), resourceId: row.resource_id, answer: row.answer }
}

export const forgetExpiredKeys = (db: Queryable): Promise<unknown[]> =>
  db.query('delete from idempotency_keys where expires_at <= now()')
