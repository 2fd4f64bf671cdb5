import { type Static, Type } from 'typebox'
import { closed, Nullable, OneOf, Timestamp } from './common.ts'
import { scopeNames } from './scopes.ts'

/** The dashboard's API for API keys. */

export const ApiKeyBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, description: 'For people: what uses this key.' }),
    scopes: Type.Array(OneOf(scopeNames), { minItems: 1, maxItems: scopeNames.length, uniqueItems: true }),
    expires_at: Type.Optional(
      Nullable(Type.String({ maxLength: 40, description: 'With an offset, in the future; null: it does not expire.' })),
    ),
  },
  closed,
)
export type ApiKeyBody = Static<typeof ApiKeyBody>

export const ApiKey = Type.Object({
  key_id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: "The key's last four letters." }),
  scopes: Type.Array(OneOf(scopeNames)),
  status: OneOf(['active', 'expired', 'revoked']),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
  last_used_at: Nullable(Type.String({ format: 'date-time', description: 'To the minute.' })),
})
export type ApiKey = Static<typeof ApiKey>

const answer = <T extends Parameters<typeof Type.Object>[0][string]>(data: T) =>
  Type.Object({ success: Type.Literal(true), data })

export const ApiKeys = Type.Object({
  active: Type.Integer({ description: 'Those that count against the limit.' }),
  limit: Nullable(Type.Integer({ description: 'What the plan allows; null: as many as you like.' })),
  keys: Type.Array(ApiKey),
})
export type ApiKeys = Static<typeof ApiKeys>
export const ApiKeysAnswer = answer(ApiKeys)
export const ApiKeyAnswer = answer(ApiKey)
export const CreatedApiKeyAnswer = answer(
  Type.Intersect([ApiKey, Type.Object({ key: Type.String({ description: 'Shown this one time.' }) })]),
)
export type CreatedApiKey = Static<typeof CreatedApiKeyAnswer>['data']
