import type { Role } from '@parley/contract/common'
import type { Queryable } from '../platform/db.ts'

export type Invitation = {
  invitationId: string
  organisationId: string
  email: string
  role: Role
  invitedBy: string | null
  createdAt: Date
  expiresAt: Date
}
type Row = {
  invitation_id: string
  organisation_id: string
  email: string
  role: Role
  inviter_email: string | null
  created_at: Date
  expires_at: Date
}
const fromRow = (row: Row): Invitation => ({
  invitationId: row.invitation_id,
  organisationId: row.organisation_id,
  email: row.email,
  role: row.role,
  invitedBy: row.inviter_email,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
const columns = 'i.invitation_id, i.organisation_id, i.email, i.role, i.created_at, i.expires_at'
const isOpen = 'i.accepted_at is null and i.revoked_at is null'

export type InvitationToInsert = Omit<Invitation, 'createdAt' | 'invitedBy'> & { tokenHash: Buffer; inviterId: string }

/** Whoever is invited again gets another link, and the one before opens nothing any more. */
export const insertInvitation = (tx: Queryable, invitation: InvitationToInsert): Promise<unknown[]> =>
  tx.query(
    `with replaced as (
       update invitations i set revoked_at = now()
       where organisation_id = $2 and lower(email) = lower($3) and ${isOpen}
     )
     insert into invitations (invitation_id, organisation_id, email, role, token_hash, invited_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      invitation.invitationId,
      invitation.organisationId,
      invitation.email,
      invitation.role,
      invitation.tokenHash,
      invitation.inviterId,
      invitation.expiresAt,
    ],
  )

/** Those that can still be accepted, newest first. */
export async function selectOpenInvitations(
  db: Queryable,
  organisationId: string,
  invitationId: string | null = null,
): Promise<Invitation[]> {
  const rows = await db.query<Row>(
    `select ${columns}, u.email as inviter_email from invitations i left join users u on u.user_id = i.invited_by
     where i.organisation_id = $1 and ($2::text is null or i.invitation_id = $2) and ${isOpen} and i.expires_at > now()
     order by i.created_at desc, i.invitation_id desc limit 200`,
    [organisationId, invitationId],
  )
  return rows.map(fromRow)
}

export async function markInvitationRevoked(tx: Queryable, organisationId: string, invitationId: string) {
  const rows = await tx.query(
    `update invitations i set revoked_at = now()
     where organisation_id = $1 and invitation_id = $2 and ${isOpen} returning invitation_id`,
    [organisationId, invitationId],
  )
  return rows.length === 1
}

/** All that one member has sent out. */
export const revokeInvitationsBy = (tx: Queryable, organisationId: string, userId: string): Promise<unknown[]> =>
  tx.query(`update invitations i set revoked_at = now() where organisation_id = $1 and invited_by = $2 and ${isOpen}`, [
    organisationId,
    userId,
  ])

/** By the digest of the token: the token is the permission. */
export async function selectByToken(
  db: Queryable,
  tokenHash: Buffer,
): Promise<{ invitation: Invitation; organisationName: string; isExpired: boolean } | null> {
  const [row] = await db.query<Row & { organisation_name: string; is_expired: boolean }>(
    `select ${columns}, null as inviter_email, o.name as organisation_name, i.expires_at <= now() as is_expired
     from invitations i join organisations o using (organisation_id) where i.token_hash = $1 and ${isOpen}`,
    [tokenHash],
  )
  return row ? { invitation: fromRow(row), organisationName: row.organisation_name, isExpired: row.is_expired } : null
}

/** One statement decides who was first: a link opens once. */
export async function takeInvitation(tx: Queryable, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx.query(
    `update invitations i set accepted_at = now()
     where token_hash = $1 and ${isOpen} and expires_at > now() returning invitation_id`,
    [tokenHash],
  )
  return rows.length === 1
}
