import { type Static, Type } from 'typebox'
import { closed, ListQuery, Nullable, OneOf, PageEnd } from './common.ts'
import { HookQuota, HookRequest } from './hooks.ts'

/** The dashboard's API for the inbound hook. */

const answer = <T extends Parameters<typeof Type.Object>[0][string]>(data: T) =>
  Type.Object({ success: Type.Literal(true), data })

export const HookSettings = Type.Object({
  url_start: Type.String({ description: 'The URL up to the token: the token itself is kept as a digest only.' }),
  signing: Type.Boolean(),
  quota: HookQuota,
})
export type HookSettings = Static<typeof HookSettings>
export const HookSettingsAnswer = answer(HookSettings)

export const NewHookUrl = answer(Type.Object({ url: Type.String({ description: 'Shown this one time.' }) }))

export const SigningBody = Type.Object(
  {
    enabled: Type.Boolean(),
    rotate: Type.Optional(
      Type.Boolean({ default: false, description: 'Make a new secret; the old one stops at once.' }),
    ),
  },
  closed,
)
export type SigningBody = Static<typeof SigningBody>
export const SigningAnswer = answer(
  Type.Object({
    signing: Type.Boolean(),
    signing_secret: Nullable(Type.String({ description: 'Only a new one, this one time.' })),
  }),
)
export type SigningResult = Static<typeof SigningAnswer>['data']

export const hookResults = ['accepted', 'refused'] as const
export const ListHookRequestsQuery = Type.Object({ ...ListQuery, result: Type.Optional(OneOf(hookResults)) }, closed)
export type ListHookRequestsQuery = Static<typeof ListHookRequestsQuery>
export const HookRequestList = Type.Object({ success: Type.Literal(true), data: Type.Array(HookRequest), ...PageEnd })
