import type { Queryable } from '../platform/db.ts'

export async function selectPasswordHash(db: Queryable, userId: string): Promise<string | null> {
  const [row] = await db.query<{ password_hash: string }>('select password_hash from users where user_id = $1', [
    userId,
  ])
  return row?.password_hash ?? null
}

/** Only over the hash that was checked: of two changes at once, one has checked a password that is none any more. */
export async function updatePasswordHash(
  tx: Queryable,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const rows = await tx.query(
    'update users set password_hash = $3 where user_id = $1 and password_hash = $2 returning user_id',
    [userId, from, to],
  )
  return rows.length === 1
}

export type OpenSession = {
  sessionId: string
  browser: string | null
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
}

export const selectOpenSessions = (db: Queryable, userId: string): Promise<OpenSession[]> =>
  db.query<OpenSession>(
    `select session_id as "sessionId", browser, created_at as "createdAt", last_used_at as "lastUsedAt",
       expires_at as "expiresAt"
     from sessions where user_id = $1 and expires_at > now() order by last_used_at desc, session_id desc limit 100`,
    [userId],
  )

/** How many there were. */
export async function deleteOtherSessions(tx: Queryable, userId: string, keptId: string): Promise<number> {
  const rows = await tx.query('delete from sessions where user_id = $1 and session_id <> $2 returning session_id', [
    userId,
    keptId,
  ])
  return rows.length
}

export async function deleteSessionOf(db: Queryable, userId: string, sessionId: string): Promise<boolean> {
  const rows = await db.query('delete from sessions where user_id = $1 and session_id = $2 returning session_id', [
    userId,
    sessionId,
  ])
  return rows.length === 1
}
