import {
  CreatedInvitation,
  InvitationBody,
  InvitationList,
  type Invitation as InvitationView,
  MemberAnswer,
  MemberList,
  type Member as MemberView,
  RoleBody,
} from '@parley/contract/team'
import type { FastifyInstance } from 'fastify'
import { bodyless } from '../platform/http-schemas.ts'
import { type Invitation, invite, listInvitations, revokeInvitation } from './invitations.service.ts'
import { everyone, managers } from './roles.ts'
import type { SessionDeps } from './sessions.service.ts'
import { changeRole, listMembers, type Member, removeMember } from './team.service.ts'

export type TeamRoutesDeps = SessionDeps & { dashboardUrl: string }

const memberView = (member: Member): MemberView => ({
  user_id: member.userId,
  email: member.email,
  role: member.role,
  created_at: member.createdAt.toISOString(),
  last_seen_at: member.lastSeenAt?.toISOString() ?? null,
})

const invitationView = (invitation: Invitation): InvitationView => ({
  invitation_id: invitation.invitationId,
  email: invitation.email,
  role: invitation.role,
  invited_by: invitation.invitedBy,
  created_at: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
})

type OneMember = { Params: { user_id: string } }
type OneInvitation = { Params: { invitation_id: string } }

/** Who belongs to the organisation, and who has been asked to. */
export function teamRoutes(app: FastifyInstance, deps: TeamRoutesDeps): void {
  const { db, dashboardUrl } = deps
  const write = { roles: managers }
  const writeNothing = { roles: managers, check: bodyless }
  const schema = (response: object, body?: object) => ({
    hide: true,
    ...(body ? { body } : {}),
    response: { '2xx': response },
  })

  app.get('/api/team/members', { config: { roles: everyone }, schema: schema(MemberList) }, async ({ signedIn }) => ({
    success: true,
    data: (await listMembers(db, signedIn.organisation.organisationId)).map(memberView),
  }))

  app.patch<OneMember & { Body: RoleBody }>('/api/team/members/:user_id', {
    config: write,
    schema: schema(MemberAnswer, RoleBody),
    handler: async ({ signedIn: { user, organisation }, params, body }) => {
      const change = { userId: params.user_id, role: body.role, actorId: user.userId }
      return { success: true, data: memberView(await changeRole(db, organisation.organisationId, change)) }
    },
  })

  app.delete<OneMember>('/api/team/members/:user_id', {
    config: writeNothing,
    schema: { hide: true },
    handler: async ({ signedIn: { user, organisation }, params: { user_id } }) => {
      await removeMember(db, organisation.organisationId, { userId: user_id, actorId: user.userId })
      return { success: true, data: { user_id, removed: true } }
    },
  })

  app.get('/api/team/invitations', { config: write, schema: schema(InvitationList) }, async ({ signedIn }) => ({
    success: true,
    data: (await listInvitations(db, signedIn.organisation.organisationId)).map(invitationView),
  }))

  app.post<{ Body: InvitationBody }>('/api/team/invitations', {
    config: write,
    schema: schema(CreatedInvitation, InvitationBody),
    handler: async ({ signedIn: { user, organisation }, body }, reply) => {
      const asked = { ...body, actorId: user.userId }
      const { invitation, token } = await invite(deps, organisation.organisationId, asked)
      const data = { ...invitationView(invitation), url: `${dashboardUrl}/invite/${token}` }
      return reply.status(201).send({ success: true, data })
    },
  })

  app.delete<OneInvitation>('/api/team/invitations/:invitation_id', {
    config: writeNothing,
    schema: { hide: true },
    handler: async ({ signedIn: { user, organisation }, params: { invitation_id } }) => {
      const which = { invitationId: invitation_id, actorId: user.userId }
      await revokeInvitation(db, organisation.organisationId, which)
      return { success: true, data: { invitation_id, revoked: true } }
    },
  })
}
