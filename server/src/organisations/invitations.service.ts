import type { Role } from '@parley/contract/common'
import { recordAudit } from '../platform/audit.ts'
import { brokenUniqueness, type Database, type Queryable } from '../platform/db.ts'
import { fault, ParleyError, validationError } from '../platform/errors.ts'
import { isId, newId } from '../platform/ids.ts'
import { randomToken, sha256 } from '../platform/secrets.ts'
import {
  type Invitation,
  insertInvitation,
  markInvitationRevoked,
  selectByToken,
  selectOpenInvitations,
  takeInvitation,
} from './invitations.store.ts'
import { limitTries, openSession, type SessionDeps, type SignedIn, type Visitor } from './sessions.service.ts'
import { actorForChange, requireOwnerFor } from './team.service.ts'
import { createUser, listEmails } from './users.service.ts'

export type { Invitation } from './invitations.store.ts'

const daysOpen = 7

export const listInvitations = (db: Queryable, organisationId: string): Promise<Invitation[]> =>
  selectOpenInvitations(db, organisationId)

/** The token leaves this function once, as part of a link that somebody passes on: no mail is sent. */
export const invite = (
  { db, clock }: Pick<SessionDeps, 'db' | 'clock'>,
  organisationId: string,
  { email, role, actorId }: { email: string; role: Role; actorId: string },
): Promise<{ invitation: Invitation; token: string }> =>
  db.transaction(async (tx) => {
    const actor = await actorForChange(tx, organisationId, actorId)
    requireOwnerFor(actor, [role])
    const members = await listEmails(tx, organisationId)
    if (members.some((each) => each.toLowerCase() === email.toLowerCase())) {
      throw validationError([fault('email', 'exists', 'Somebody with this address is a member already.')])
    }
    const token = randomToken()
    const invitationId = newId('invitation')
    const expiresAt = new Date(clock.now().getTime() + daysOpen * 86_400_000)
    const tokenHash = sha256(token)
    await insertInvitation(tx, { invitationId, organisationId, email, role, inviterId: actorId, expiresAt, tokenHash })
    await recordAudit(tx, { organisationId, actor: actorId, action: 'invitation.created', resourceId: invitationId })
    const invitation = { invitationId, organisationId, email, role, invitedBy: actor.email, expiresAt }
    return { invitation: { ...invitation, createdAt: clock.now() }, token }
  })

export const revokeInvitation = (
  db: Database,
  organisationId: string,
  { invitationId, actorId }: { invitationId: string; actorId: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const actor = await actorForChange(tx, organisationId, actorId)
    const [open] = isId('invitation', invitationId) ? await selectOpenInvitations(tx, organisationId, invitationId) : []
    if (!open) throw new ParleyError('NOT_FOUND', 'There is no such invitation waiting.')
    requireOwnerFor(actor, [open.role])
    await markInvitationRevoked(tx, organisationId, invitationId)
    await recordAudit(tx, { organisationId, actor: actorId, action: 'invitation.revoked', resourceId: invitationId })
  })

const notOpen = () =>
  new ParleyError(
    'NOT_FOUND',
    'This invitation cannot be used: it was used already, taken back, or the link is incomplete.',
  )

/** What the holder of a link may know. One that was used and one that never was look the same. */
export async function findInvitation(
  { db, loginLimit }: Pick<SessionDeps, 'db' | 'loginLimit'>,
  token: string,
  { address }: Visitor,
): Promise<{ invitation: Invitation; organisationName: string }> {
  limitTries(loginLimit, `invitation ${address}`)
  const found = await selectByToken(db, sha256(token))
  if (!found) throw notOpen()
  if (found.isExpired) {
    throw new ParleyError('LINK_EXPIRED', 'This invitation has expired. Ask whoever sent it for a new one.')
  }
  return found
}

/** Makes the member and signs them in. */
export async function acceptInvitation(
  deps: SessionDeps,
  { token, password }: { token: string; password: string },
  visitor: Visitor,
): Promise<{ token: string; signedIn: SignedIn }> {
  const { invitation } = await findInvitation(deps, token, visitor)
  const { organisationId, email, role, invitationId } = invitation
  try {
    return await deps.db.transaction(async (tx) => {
      if (!(await takeInvitation(tx, sha256(token)))) throw notOpen()
      const userId = await createUser(tx, organisationId, { email, password, role })
      await recordAudit(tx, { organisationId, actor: userId, action: 'invitation.accepted', resourceId: invitationId })
      return openSession(deps, tx, userId, visitor.browser)
    })
  } catch (error) {
    // Made a member meanwhile, by other means.
    if (brokenUniqueness(error) === 'users_email') throw notOpen()
    throw error
  }
}
