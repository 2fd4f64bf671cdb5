import type { Role } from '@parley/contract/common'
import type { Queryable } from '../platform/db.ts'

export type Member = { userId: string; email: string; role: Role; createdAt: Date; lastSeenAt: Date | null }
type Row = { user_id: string; email: string; role: Role; created_at: Date; last_seen_at: Date | null }

const fromRow = (row: Row): Member => ({
  userId: row.user_id,
  email: row.email,
  role: row.role,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
})

/** Null for `userId`: everybody, in the order they came. */
export async function selectMembers(db: Queryable, organisationId: string, userId: string | null): Promise<Member[]> {
  const rows = await db.query<Row>(
    `select u.user_id, u.email, u.role, u.created_at,
       (select max(last_used_at) from sessions s where s.user_id = u.user_id) as last_seen_at
     from users u where u.organisation_id = $1 and ($2::text is null or u.user_id = $2) order by u.created_at, u.user_id`,
    [organisationId, userId],
  )
  return rows.map(fromRow)
}

export async function countOwners(tx: Queryable, organisationId: string): Promise<number> {
  const [row] = await tx.query<{ count: string }>(
    `select count(*) from users where organisation_id = $1 and role = 'owner'`,
    [organisationId],
  )
  return Number(row?.count ?? 0)
}

export const updateRole = (tx: Queryable, organisationId: string, userId: string, role: Role): Promise<unknown[]> =>
  tx.query('update users set role = $3 where organisation_id = $1 and user_id = $2', [organisationId, userId, role])

/** Sessions go with the user. */
export const deleteMember = (tx: Queryable, organisationId: string, userId: string): Promise<unknown[]> =>
  tx.query('delete from users where organisation_id = $1 and user_id = $2', [organisationId, userId])
