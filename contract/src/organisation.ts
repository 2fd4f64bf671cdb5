import { type Static, type TSchema, Type } from 'typebox'
import { closed, ListQuery, Nullable, OneOf, PageEnd, plans, Timestamp } from './common.ts'
import { HookQuota } from './hooks.ts'

/** The dashboard's API for an organisation's own settings. */

const answer = <T extends TSchema>(data: T) => Type.Object({ success: Type.Literal(true), data })

export const OrganisationSettings = Type.Object({
  organisation_id: Type.String(),
  name: Type.String(),
  plan: OneOf(plans),
  timezone: Type.String(),
})
export type OrganisationSettings = Static<typeof OrganisationSettings>
export const OrganisationAnswer = answer(OrganisationSettings)
export const OrganisationPatch = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['Asia/Kolkata'] })),
  },
  { ...closed, minProperties: 1 },
)
export type OrganisationPatch = Static<typeof OrganisationPatch>

const Used = Type.Object({ used: Type.Integer(), limit: Nullable(Type.Integer({ description: 'null: no limit.' })) })
export const Usage = Type.Object({
  api_keys: Used,
  webhook_endpoints: Used,
  hook_quota: HookQuota,
  credits: Type.Object({ balance: Type.Integer(), held: Type.Integer() }),
})
export type Usage = Static<typeof Usage>
export const UsageAnswer = answer(Usage)

export const creditKinds = ['grant', 'hold', 'charge', 'release'] as const
export type CreditKind = (typeof creditKinds)[number]
export const CreditEntry = Type.Object({
  entry_id: Type.String(),
  kind: OneOf(creditKinds),
  amount: Type.Integer(),
  call_id: Nullable(Type.String()),
  created_at: Timestamp,
})
export type CreditEntry = Static<typeof CreditEntry>
export const CreditEntryList = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(CreditEntry),
  ...PageEnd,
})
export const CreditEntriesQuery = Type.Object(
  {
    ...ListQuery,
    show: Type.Optional(
      OneOf(['settled', 'all'], { description: 'Without holds, which come and go; or with them (default).' }),
    ),
  },
  closed,
)
export type CreditEntriesQuery = Static<typeof CreditEntriesQuery>

export const shareExpiries = ['hour', 'day', 'week', 'month'] as const
export const SharingSettings = Type.Object({
  enabled: Type.Boolean(),
  expiry: Type.Unsafe<(typeof shareExpiries)[number] | null>({ enum: [...shareExpiries, null] }),
})
export type SharingSettings = Static<typeof SharingSettings>
export const SharingAnswer = answer(SharingSettings)
export const SharingPatch = Type.Object(
  { enabled: Type.Boolean(), expiry: Type.Optional(SharingSettings.properties.expiry) },
  closed,
)
export type SharingPatch = Static<typeof SharingPatch>
export const RevokedShares = answer(Type.Object({ revoked: Type.Integer() }))

export const AuditEntry = Type.Object({
  audit_id: Type.String(),
  actor: Type.String(),
  actor_email: Nullable(Type.String({ description: 'null: no member, or not any more.' })),
  action: Type.String(),
  resource_id: Type.String(),
  at: Timestamp,
})
export type AuditEntry = Static<typeof AuditEntry>
export const AuditQuery = Type.Object(
  {
    ...ListQuery,
    actor: Type.Optional(Type.String({ maxLength: 100 })),
    area: Type.Optional(
      Type.String({ pattern: '^[a-z_]{1,40}$', description: 'What an action begins with, e.g. `webhook_endpoint`.' }),
    ),
    resource_id: Type.Optional(Type.String({ maxLength: 100 })),
  },
  closed,
)
export type AuditQuery = Static<typeof AuditQuery>
export const AuditList = Type.Object({ success: Type.Literal(true), data: Type.Array(AuditEntry), ...PageEnd })
