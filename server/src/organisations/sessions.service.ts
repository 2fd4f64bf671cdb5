import type { Clock } from '../platform/clock.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import { randomToken, sha256 } from '../platform/secrets.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import {
  deleteExpiredSessions,
  deleteSession,
  insertSession,
  type SignedIn,
  selectLogins,
  selectSession,
} from './users.store.ts'

export type { SignedIn }
export type SessionDeps = { db: Database; clock: Clock; loginLimit: RateLimiter }

export const sessionHours = 12

// Compared against when the e-mail is unknown, so that the answer takes as long as for a known one.
let nobodysHash: Promise<string> | undefined
const unknownPersonsHash = () => (nobodysHash ??= hashPassword(randomToken()))

/** Wrong e-mail and wrong password look the same. Tries are limited per e-mail and per source address. */
export async function signIn(
  { db, clock, loginLimit }: SessionDeps,
  { email, password, address }: { email: string; password: string; address: string },
): Promise<{ token: string; signedIn: SignedIn }> {
  for (const key of [`address ${address}`, `email ${email.toLowerCase()}`]) {
    const verdict = loginLimit.take(key)
    if (!verdict.allowed) {
      throw new ParleyError('RATE_LIMITED', 'Too many tries to sign in. Wait a little, then try again.', {
        headers: { 'retry-after': String(verdict.retryAfterSeconds) },
      })
    }
  }
  const logins = await selectLogins(db, email)
  if (logins.length === 0) await passwordMatches(password, await unknownPersonsHash())
  for (const login of logins) {
    if (!(await passwordMatches(password, login.passwordHash))) continue
    const token = randomToken()
    const expiresAt = new Date(clock.now().getTime() + sessionHours * 3_600_000)
    await insertSession(db, sha256(token), login.userId, expiresAt)
    const signedIn = await selectSession(db, sha256(token))
    if (signedIn) return { token, signedIn }
  }
  throw new ParleyError('UNAUTHENTICATED', 'The e-mail or the password is wrong.')
}

export async function findSession(db: Queryable, token: string | undefined): Promise<SignedIn> {
  const signedIn = token ? await selectSession(db, sha256(token)) : null
  if (!signedIn) throw new ParleyError('UNAUTHENTICATED', 'Sign in first.')
  return signedIn
}

export async function signOut(db: Queryable, token: string | undefined): Promise<void> {
  if (token) await deleteSession(db, sha256(token))
}

export const forgetExpiredSessions = deleteExpiredSessions
