import type { Plan, Role } from '@parley/contract/common'
import type { Queryable } from '../platform/db.ts'
import type { Organisation, User } from './organisation.ts'

export async function insertUser(tx: Queryable, user: User, passwordHash: string): Promise<void> {
  await tx.query(
    'insert into users (user_id, organisation_id, email, password_hash, role) values ($1, $2, $3, $4, $5)',
    [user.userId, user.organisationId, user.email, passwordHash, user.role],
  )
}

export async function selectEmails(db: Queryable, organisationId: string): Promise<string[]> {
  const rows = await db.query<{ email: string }>('select email from users where organisation_id = $1', [organisationId])
  return rows.map((row) => row.email)
}

/** Newest first: somebody with the same password in two organisations lands where they were added last. */
export async function selectLogins(db: Queryable, email: string): Promise<{ userId: string; passwordHash: string }[]> {
  const rows = await db.query<{ user_id: string; password_hash: string }>(
    `select user_id, password_hash from users where lower(email) = lower($1) order by user_id desc limit 10`,
    [email],
  )
  return rows.map((row) => ({ userId: row.user_id, passwordHash: row.password_hash }))
}

export type NewSession = {
  sessionId: string
  tokenHash: Buffer
  userId: string
  browser: string | null
  expiresAt: Date
}

export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  await db.query(
    'insert into sessions (session_id, token_hash, user_id, browser, expires_at) values ($1, $2, $3, $4, $5)',
    [session.sessionId, session.tokenHash, session.userId, session.browser, session.expiresAt],
  )
}

export type SignedIn = { sessionId: string; user: User; organisation: Organisation }
type SignedInRow = {
  session_id: string
  used_lately: boolean
  user_id: string
  email: string
  role: Role
  organisation_id: string
  name: string
  plan: Plan
  timezone: string
}

/** The role is read with every request: one that was changed, or a member who was removed, counts from the next one on. */
export async function selectSession(
  db: Queryable,
  tokenHash: Buffer,
): Promise<{ signedIn: SignedIn; usedLately: boolean } | null> {
  const [row] = await db.query<SignedInRow>(
    `select s.session_id, s.last_used_at > now() - interval '1 minute' as used_lately, u.user_id, u.email, u.role,
       o.organisation_id, o.name, o.plan, o.timezone
     from sessions s join users u using (user_id) join organisations o using (organisation_id)
     where s.token_hash = $1 and s.expires_at > now()`,
    [tokenHash],
  )
  if (!row) return null
  const organisationId = row.organisation_id
  return {
    usedLately: row.used_lately,
    signedIn: {
      sessionId: row.session_id,
      user: { userId: row.user_id, organisationId, email: row.email, role: row.role },
      organisation: { organisationId, name: row.name, plan: row.plan, timezone: row.timezone },
    },
  }
}

/** At most one write a minute and session. */
export const touchSession = (db: Queryable, sessionId: string): Promise<unknown[]> =>
  db.query(
    `update sessions set last_used_at = now()
     where session_id = $1 and last_used_at <= now() - interval '1 minute'`,
    [sessionId],
  )

export const deleteSession = (db: Queryable, tokenHash: Buffer): Promise<unknown[]> =>
  db.query('delete from sessions where token_hash = $1', [tokenHash])

export const deleteExpiredSessions = (db: Queryable): Promise<unknown[]> =>
  db.query('delete from sessions where expires_at <= now()')
