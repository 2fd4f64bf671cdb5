import { type Static, Type } from 'typebox'
import { closed, OneOf, plans, roles } from './common.ts'

/** Signing in to the dashboard: the only part of its API that needs no session. */
export const SignInBody = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254 }), password: Type.String({ minLength: 1, maxLength: 256 }) },
  closed,
)
export type SignInBody = Static<typeof SignInBody>

export const SessionAnswer = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    user: Type.Object({ user_id: Type.String(), email: Type.String(), role: OneOf(roles) }),
    organisation: Type.Object({
      organisation_id: Type.String(),
      name: Type.String(),
      plan: OneOf(plans),
      timezone: Type.String(),
    }),
  }),
})
export type SessionAnswer = Static<typeof SessionAnswer>
