import type { Clock } from '../platform/clock.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
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
  touchSession,
} from './users.store.ts'

export type { SignedIn }
export type SessionDeps = { db: Database; clock: Clock; loginLimit: RateLimiter }

export const sessionHours = 12

// Compared against when the e-mail is unknown, so that the answer takes as long as for a known one.
let nobodysHash: Promise<string> | undefined
const unknownPersonsHash = () => (nobodysHash ??= hashPassword(randomToken()))

/** Tries at a secret are limited, by whoever makes them and by what they are aimed at. */
export function limitTries(loginLimit: RateLimiter, ...keys: string[]): void {
  for (const key of keys) {
    const verdict = loginLimit.take(key)
    if (!verdict.allowed) {
      throw new ParleyError('RATE_LIMITED', 'Too many tries. Wait a little, then try again.', {
        headers: { 'retry-after': String(verdict.retryAfterSeconds) },
      })
    }
  }
}

export type Visitor = { address: string; browser: string | null }

/** Wrong e-mail and wrong password look the same. Tries are limited per e-mail and per source address. */
export async function signIn(
  deps: SessionDeps,
  { email, password, ...visitor }: { email: string; password: string } & Visitor,
): Promise<{ token: string; signedIn: SignedIn }> {
  limitTries(deps.loginLimit, `address ${visitor.address}`, `email ${email.toLowerCase()}`)
  const logins = await selectLogins(deps.db, email)
  if (logins.length === 0) await passwordMatches(password, await unknownPersonsHash())
  for (const login of logins) {
    if (!(await passwordMatches(password, login.passwordHash))) continue
    return openSession(deps, deps.db, login.userId, visitor.browser)
  }
  throw new ParleyError('UNAUTHENTICATED', 'The e-mail or the password is wrong.')
}

/** The token leaves this function once; its hash is what is stored. */
export async function openSession(
  { clock }: Pick<SessionDeps, 'clock'>,
  db: Queryable,
  userId: string,
  browser: string | null,
): Promise<{ token: string; signedIn: SignedIn }> {
  const token = randomToken()
  const tokenHash = sha256(token)
  const expiresAt = new Date(clock.now().getTime() + sessionHours * 3_600_000)
  // What a browser says of itself may be anything, of any length.
  const said = browser?.slice(0, 300) ?? null
  await insertSession(db, { sessionId: newId('session'), tokenHash, userId, browser: said, expiresAt })
  const found = await selectSession(db, tokenHash)
  if (!found) throw new ParleyError('UNAUTHENTICATED', 'Sign in first.')
  return { token, signedIn: found.signedIn }
}

export async function findSession(db: Queryable, token: string | undefined): Promise<SignedIn> {
  const found = token ? await selectSession(db, sha256(token)) : null
  if (!found) throw new ParleyError('UNAUTHENTICATED', 'Sign in first.')
  // For people reading their list of sessions; a request does not wait for it, nor fail with it.
  if (!found.usedLately) touchSession(db, found.signedIn.sessionId).catch(() => {})
  return found.signedIn
}

export async function signOut(db: Queryable, token: string | undefined): Promise<void> {
  if (token) await deleteSession(db, sha256(token))
}

export const forgetExpiredSessions = deleteExpiredSessions
