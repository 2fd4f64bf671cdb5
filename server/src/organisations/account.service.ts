import { recordAudit } from '../platform/audit.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { fault, ParleyError, validationError } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import {
  deleteOtherSessions,
  deleteSessionOf,
  type OpenSession,
  selectOpenSessions,
  selectPasswordHash,
  updatePasswordHash,
} from './account.store.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import { limitTries, type SessionDeps, type SignedIn } from './sessions.service.ts'

export type { OpenSession } from './account.store.ts'

/** Whoever else knew the old one is signed out with the same commit. Says how many sessions that were. */
export async function changePassword(
  { db, loginLimit }: Pick<SessionDeps, 'db' | 'loginLimit'>,
  { user, sessionId }: SignedIn,
  { current, next }: { current: string; next: string },
): Promise<number> {
  // A borrowed laptop must not be a place to guess from.
  limitTries(loginLimit, `password ${user.userId}`)
  const stored = await selectPasswordHash(db, user.userId)
  if (!stored || !(await passwordMatches(current, stored))) {
    throw validationError([fault('current_password', 'wrong', 'This is not your present password.')])
  }
  if (current === next) {
    throw validationError([fault('new_password', 'unchanged', 'Choose a password other than the present one.')])
  }
  const hash = await hashPassword(next)
  const { organisationId, userId } = user
  return db.transaction(async (tx) => {
    if (!(await updatePasswordHash(tx, userId, { from: stored, to: hash }))) {
      throw validationError([fault('current_password', 'wrong', 'Your password was changed at the same moment.')])
    }
    const ended = await deleteOtherSessions(tx, userId, sessionId)
    await recordAudit(tx, { organisationId, actor: userId, action: 'account.password_changed', resourceId: userId })
    return ended
  })
}

export const listSessions = (db: Queryable, userId: string): Promise<OpenSession[]> => selectOpenSessions(db, userId)

export async function endSession(db: Queryable, userId: string, sessionId: string): Promise<void> {
  const ended = isId('session', sessionId) && (await deleteSessionOf(db, userId, sessionId))
  if (!ended) throw new ParleyError('NOT_FOUND', 'There is no such session of yours.')
}

export const endOtherSessions = (db: Database, { user, sessionId }: SignedIn): Promise<number> =>
  db.transaction(async (tx) => {
    const { organisationId, userId } = user
    const ended = await deleteOtherSessions(tx, userId, sessionId)
    await recordAudit(tx, { organisationId, actor: userId, action: 'account.others_signed_out', resourceId: userId })
    return ended
  })
