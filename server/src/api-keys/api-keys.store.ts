import type { Scope } from '@parley/contract/scopes'
import type { Queryable } from '../platform/db.ts'
import { type ApiKey, isActiveKey } from './api-key.ts'

type KeyRow = {
  key_id: string
  organisation_id: string
  name: string
  hint: string
  scopes: Scope[]
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
}

const columns = 'key_id, organisation_id, name, hint, scopes, created_at, expires_at, revoked_at, last_used_at'

const fromRow = (row: KeyRow): ApiKey => ({
  keyId: row.key_id,
  organisationId: row.organisation_id,
  name: row.name,
  hint: row.hint,
  scopes: row.scopes,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
})

export type KeyToInsert = Pick<ApiKey, 'keyId' | 'organisationId' | 'name' | 'hint' | 'scopes' | 'expiresAt'> & {
  keyHash: Buffer
}

export async function insertKey(tx: Queryable, key: KeyToInsert): Promise<void> {
  await tx.query(
    `insert into api_keys (key_id, organisation_id, name, key_hash, hint, scopes, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [key.keyId, key.organisationId, key.name, key.keyHash, key.hint, key.scopes, key.expiresAt],
  )
}

export async function countActiveKeys(tx: Queryable, organisationId: string): Promise<number> {
  const [row] = await tx.query<{ count: string }>(
    `select count(*) from api_keys where organisation_id = $1 and ${isActiveKey}`,
    [organisationId],
  )
  return Number(row?.count ?? 0)
}

/** Active keys only, by the digest of their text: the digest is what is stored. */
export async function selectActiveKeys(
  db: Queryable,
  hashes: string[],
): Promise<{ hash: string; key: ApiKey; usedLately: boolean }[]> {
  const rows = await db.query<KeyRow & { hash: string; used_lately: boolean }>(
    `select '\\x' || encode(key_hash, 'hex') as hash, ${columns},
       coalesce(last_used_at > now() - interval '1 minute', false) as used_lately
     from api_keys where key_hash = any($1::bytea[]) and ${isActiveKey}`,
    [hashes],
  )
  return rows.map((row) => ({ hash: row.hash, key: fromRow(row), usedLately: row.used_lately }))
}

/** At most one write a minute and key, however many requests and nodes use it. */
export const touchKey = (db: Queryable, keyId: string): Promise<unknown[]> =>
  db.query(
    `update api_keys set last_used_at = now()
     where key_id = $1 and (last_used_at is null or last_used_at <= now() - interval '1 minute')`,
    [keyId],
  )

export async function selectKeys(db: Queryable, organisationId: string): Promise<ApiKey[]> {
  const rows = await db.query<KeyRow>(
    `select ${columns} from api_keys where organisation_id = $1 order by created_at, key_id`,
    [organisationId],
  )
  return rows.map(fromRow)
}

/** Held for a change, whatever its state. */
export async function lockKey(tx: Queryable, organisationId: string, keyId: string): Promise<ApiKey | null> {
  const rows = await tx.query<KeyRow>(
    `select ${columns} from api_keys where organisation_id = $1 and key_id = $2 for no key update`,
    [organisationId, keyId],
  )
  return rows[0] ? fromRow(rows[0]) : null
}

/** Revoking twice keeps the first time. */
export async function markRevoked(db: Queryable, organisationId: string, keyId: string): Promise<ApiKey | null> {
  const rows = await db.query<KeyRow>(
    `update api_keys set revoked_at = coalesce(revoked_at, now()) where organisation_id = $1 and key_id = $2
     returning ${columns}`,
    [organisationId, keyId],
  )
  return rows[0] ? fromRow(rows[0]) : null
}
