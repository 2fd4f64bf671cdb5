import type { Role } from '@parley/contract/common'
import { recordAudit } from '../platform/audit.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import { revokeInvitationsBy } from './invitations.store.ts'
import { lockOrganisationForLimits } from './organisations.service.ts'
import { managers } from './roles.ts'
import { countOwners, deleteMember, type Member, selectMembers, updateRole } from './team.store.ts'

export type { Member } from './team.store.ts'

export const listMembers = (db: Queryable, organisationId: string): Promise<Member[]> =>
  selectMembers(db, organisationId, null)

const noSuchMember = () => new ParleyError('NOT_FOUND', 'There is no such member.')

async function memberOf(tx: Queryable, organisationId: string, userId: string): Promise<Member> {
  const [member] = isId('user', userId) ? await selectMembers(tx, organisationId, userId) : []
  if (!member) throw noSuchMember()
  return member
}

/**
 * Who acts, as they are now: of two owners who take the role from each other at once, the second is none any more. The
 * organisation's lock makes changes of its people take turns.
 */
export async function actorForChange(tx: Queryable, organisationId: string, actorId: string): Promise<Member> {
  await lockOrganisationForLimits(tx, organisationId)
  const [actor] = await selectMembers(tx, organisationId, actorId)
  if (!actor || !managers.includes(actor.role)) {
    throw new ParleyError('FORBIDDEN', `Your role does not allow this. It takes one of: ${managers.join(', ')}.`)
  }
  return actor
}

/** Only an owner touches owners: makes one, changes one, removes one. */
export function requireOwnerFor(actor: Member, roles: readonly Role[]): void {
  if (roles.includes('owner') && actor.role !== 'owner') {
    throw new ParleyError('FORBIDDEN', 'Only an owner may make, change or remove an owner.')
  }
}

async function keepAnOwner(tx: Queryable, organisationId: string): Promise<void> {
  if ((await countOwners(tx, organisationId)) > 1) return
  throw new ParleyError('LAST_OWNER', 'This is the only owner. Make somebody else an owner first.')
}

/** Links a member has sent out close with their role: nobody comes back through one they made for themselves. */
export const changeRole = (
  db: Database,
  organisationId: string,
  { userId, role, actorId }: { userId: string; role: Role; actorId: string },
): Promise<Member> =>
  db.transaction(async (tx) => {
    const actor = await actorForChange(tx, organisationId, actorId)
    const member = await memberOf(tx, organisationId, userId)
    requireOwnerFor(actor, [member.role, role])
    if (member.role === role) return member
    if (member.role === 'owner') await keepAnOwner(tx, organisationId)
    await updateRole(tx, organisationId, userId, role)
    await revokeInvitationsBy(tx, organisationId, userId)
    await recordAudit(tx, { organisationId, actor: actorId, action: `member.made_${role}`, resourceId: userId })
    return { ...member, role }
  })

/** Their sessions end with the same commit. */
export const removeMember = (
  db: Database,
  organisationId: string,
  { userId, actorId }: { userId: string; actorId: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const actor = await actorForChange(tx, organisationId, actorId)
    const member = await memberOf(tx, organisationId, userId)
    requireOwnerFor(actor, [member.role])
    if (member.role === 'owner') await keepAnOwner(tx, organisationId)
    await deleteMember(tx, organisationId, userId)
    await revokeInvitationsBy(tx, organisationId, userId)
    await recordAudit(tx, { organisationId, actor: actorId, action: 'member.removed', resourceId: userId })
  })
