import { type Static, type TSchema, Type } from 'typebox'
import { Email } from './calls.ts'
import { closed, Nullable, OneOf, roles, Timestamp } from './common.ts'

/** The dashboard's API for the people of an organisation. */

export const passwordLength = { least: 8, most: 256 } as const
export const NewPassword = Type.String({ minLength: passwordLength.least, maxLength: passwordLength.most })

export const Member = Type.Object({
  user_id: Type.String(),
  email: Type.String(),
  role: OneOf(roles),
  created_at: Timestamp,
  last_seen_at: Nullable(Timestamp),
})
export type Member = Static<typeof Member>

export const Invitation = Type.Object({
  invitation_id: Type.String(),
  email: Type.String(),
  role: OneOf(roles),
  invited_by: Nullable(Type.String({ description: 'The e-mail address of who invited, while they are a member.' })),
  created_at: Timestamp,
  expires_at: Timestamp,
})
export type Invitation = Static<typeof Invitation>

const answer = <T extends TSchema>(data: T) => Type.Object({ success: Type.Literal(true), data })

export const MemberList = answer(Type.Array(Member))
export const MemberAnswer = answer(Member)
export const RoleBody = Type.Object({ role: OneOf(roles) }, closed)
export type RoleBody = Static<typeof RoleBody>

export const InvitationList = answer(Type.Array(Invitation))
export const InvitationBody = Type.Object({ email: Email, role: OneOf(roles) }, closed)
export type InvitationBody = Static<typeof InvitationBody>
/** The link is in this answer and nowhere else. */
export const CreatedInvitation = answer(Type.Object({ ...Invitation.properties, url: Type.String() }))
export type CreatedInvitation = Static<typeof CreatedInvitation>['data']

const Token = Type.String({ minLength: 1, maxLength: 100 })
export const LookUpInvitation = Type.Object({ token: Token }, closed)
export type LookUpInvitation = Static<typeof LookUpInvitation>
export const OpenInvitation = answer(
  Type.Object({
    email: Type.String(),
    role: OneOf(roles),
    organisation_name: Type.String(),
    expires_at: Timestamp,
  }),
)
export type OpenInvitation = Static<typeof OpenInvitation>['data']
export const AcceptInvitation = Type.Object({ token: Token, password: NewPassword }, closed)
export type AcceptInvitation = Static<typeof AcceptInvitation>

export const PasswordBody = Type.Object(
  { current_password: Type.String({ minLength: 1, maxLength: passwordLength.most }), new_password: NewPassword },
  closed,
)
export type PasswordBody = Static<typeof PasswordBody>
export const PasswordAnswer = answer(Type.Object({ ended_sessions: Type.Integer() }))

export const OpenSession = Type.Object({
  session_id: Type.String(),
  browser: Nullable(Type.String({ description: 'What the browser says of itself.' })),
  is_this: Type.Boolean(),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
})
export type OpenSession = Static<typeof OpenSession>
export const OpenSessionList = answer(Type.Array(OpenSession))
