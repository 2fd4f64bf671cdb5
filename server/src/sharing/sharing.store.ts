import type { Queryable } from '../platform/db.ts'
import type { Share } from './share.ts'

type ShareRow = {
  call_id: string
  organisation_id: string
  salt: string
  expires_at: Date | null
  revoked_at: Date | null
  is_on: boolean
}

const fromRow = (row: ShareRow): Share => ({
  callId: row.call_id,
  organisationId: row.organisation_id,
  salt: row.salt,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  isOn: row.is_on,
})

/** By id alone: the token is the permission. The setting is read every time, so that switching it off closes all at once. */
export async function selectShares(db: Queryable, callIds: readonly string[]): Promise<Share[]> {
  const rows = await db.query<ShareRow>(
    `select s.call_id, s.organisation_id, s.salt, s.expires_at, s.revoked_at, o.public_share_enabled as is_on
     from call_shares s join organisations o using (organisation_id) where s.call_id = any($1)`,
    [callIds],
  )
  return rows.map(fromRow)
}

const expiry = `case o.public_share_expiry when 'hour' then interval '1 hour' when 'day' then interval '24 hours'
  when 'week' then interval '168 hours' when 'month' then interval '720 hours' end`

/** Chosen for one link, in place of the organisation's setting; null: until it is closed. */
export type ChosenExpiry = { expiresAt: Date | null }
export type ShareToInsert = { organisationId: string; callId: string; salt: string; at: Date }

/**
 * Only for calls that are there, of organisations that share. The lock on the call makes this and its erasure take turns:
 * no link outlives its call. In order, so that two nodes cannot wait for each other.
 */
export async function insertShares(db: Queryable, shares: readonly ShareToInsert[]): Promise<Share[]> {
  const rows = await db.query<ShareRow>(
    `insert into call_shares (call_id, organisation_id, salt, issued_at, expires_at)
     select c.call_id, c.organisation_id, a.salt, a.at, a.at + ${expiry}
     from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as a (organisation_id, call_id, salt, at)
       join calls c on c.call_id = a.call_id and c.organisation_id = a.organisation_id
       join organisations o on o.organisation_id = c.organisation_id
     where o.public_share_enabled order by c.call_id for key share of c
     on conflict (call_id) do nothing
     returning call_id, organisation_id, salt, expires_at, revoked_at, true as is_on`,
    [
      shares.map((each) => each.organisationId),
      shares.map((each) => each.callId),
      shares.map((each) => each.salt),
      shares.map((each) => each.at),
    ],
  )
  return rows.map(fromRow)
}

/** A new salt is a new token; the one before opens nothing any more. */
export async function renewShare(
  db: Queryable,
  { organisationId, callId, salt, at }: ShareToInsert,
  chosen: ChosenExpiry | null,
): Promise<void> {
  await db.query(
    `update call_shares s set salt = $3, issued_at = $4, revoked_at = null,
       expires_at = case when $5 then $6::timestamptz else $4::timestamptz + ${expiry} end
     from organisations o where s.organisation_id = $1 and s.call_id = $2
       and o.organisation_id = s.organisation_id and o.public_share_enabled`,
    [organisationId, callId, salt, at, chosen !== null, chosen?.expiresAt ?? null],
  )
}

/** One call's link, or all of them when none is named. How many there were to close. */
export async function closeShares(
  db: Queryable,
  organisationId: string,
  callId: string | null,
  at: Date,
): Promise<number> {
  const rows = await db.query(
    `update call_shares set revoked_at = coalesce(revoked_at, $3)
     where organisation_id = $1 and ($2::text is null or call_id = $2) returning call_id`,
    [organisationId, callId, at],
  )
  return rows.length
}

/** Whether there was one. */
export const deleteShare = async (tx: Queryable, organisationId: string, callId: string): Promise<boolean> => {
  const rows = await tx.query('delete from call_shares where organisation_id = $1 and call_id = $2 returning 1', [
    organisationId,
    callId,
  ])
  return rows.length > 0
}
