import { AgentFields, PhoneNumberFields } from '@parley/contract/agents'
import { days, Places, sessions, WallClockTime } from '@parley/contract/appointment-slots'
import { CalendarDate, closed, OneOf, plans, roles } from '@parley/contract/common'
import { type EventType, eventTypeNames } from '@parley/contract/events'
import { shareExpiries } from '@parley/contract/organisation'
import { type Scope, scopeNames } from '@parley/contract/scopes'
import { passwordLength } from '@parley/contract/team'
import { TrunkBody } from '@parley/contract/trunks'
import { type Static, type TSchema, Type } from 'typebox'
import type { SessionHours } from '../branches/branch.ts'

const Name = Type.String({ minLength: 1, maxLength: 200 })
const maybe = <T extends TSchema>(schema: T) => Type.Optional(schema)
const listOf = <T extends TSchema>(schema: T) => Type.Optional(Type.Array(schema, { maxItems: 1_000 }))
const object = <T extends Record<string, TSchema>>(fields: T) => Type.Object(fields, closed)

const [Morning, Afternoon, Evening] = sessions.map(() => maybe(object({ start: WallClockTime, end: WallClockTime })))
const Hours = Type.Unsafe<Partial<SessionHours>>(object({ Morning, Afternoon, Evening } as Record<string, TSchema>))

/** The file of `parley apply` (decisions 9). What needs more than a shape is checked in apply-faults.ts. */
export const ApplyFile = object({
  organisation: object({
    organisation_id: maybe(Type.String()),
    name: maybe(Name),
    plan: maybe(OneOf(plans)),
    credits: maybe(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    timezone: maybe(Type.String()),
    public_share: maybe(
      object({
        enabled: maybe(Type.Boolean()),
        expiry: maybe(Type.Unsafe<(typeof shareExpiries)[number] | null>({ enum: [...shareExpiries, null] })),
      }),
    ),
    inbound: maybe(object({ signing: maybe(Type.Boolean()) })),
  }),
  users: listOf(
    object({
      email: Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' }),
      password: maybe(Type.String({ minLength: passwordLength.least, maxLength: passwordLength.most })),
      role: maybe(OneOf(roles)),
    }),
  ),
  trunks: listOf(TrunkBody),
  phone_numbers: listOf(object({ ...PhoneNumberFields, trunk: maybe(Type.String()) })),
  agents: listOf(
    object({
      ...AgentFields,
      number: maybe(Type.String()),
      branch: maybe(Type.String()),
    }),
  ),
  branches: listOf(
    object({
      name: Name,
      timezone: maybe(Type.String()),
      session_hours: maybe(Hours),
      holidays: listOf(
        object({
          start_date: CalendarDate,
          end_date: CalendarDate,
          reason: maybe(Type.String({ maxLength: 200 })),
          // Closed, unless the time has hours of its own.
          closed: maybe(Type.Boolean()),
          hours: maybe(Hours),
        }),
      ),
    }),
  ),
  services: listOf(
    object({
      name: Name,
      duration_minutes: maybe(Type.Integer({ minimum: 1, maximum: 1_440 })),
      branches: maybe(Type.Array(Type.String())),
    }),
  ),
  windows: listOf(
    object({
      branch: Type.String(),
      days: maybe(Type.Array(OneOf(days), { minItems: 1 })),
      session: OneOf(sessions),
      ai_slots: Places,
      max_slots: maybe(Places),
      start_time: maybe(WallClockTime),
      end_time: maybe(WallClockTime),
      service: maybe(Type.String()),
      batch_name: maybe(Type.String({ minLength: 1, maxLength: 100 })),
    }),
  ),
  do_not_call: listOf(Type.String()),
  api_keys: listOf(
    object({
      name: Name,
      scopes: maybe(
        Type.Array(Type.Unsafe<Scope | '*'>({ type: 'string', enum: ['*', ...scopeNames] }), { minItems: 1 }),
      ),
      expires_at: maybe(Type.String()),
    }),
  ),
  webhook_endpoints: listOf(
    object({
      url: Type.String(),
      description: maybe(Type.String({ maxLength: 500 })),
      events: maybe(
        Type.Array(Type.Unsafe<EventType | '*'>({ type: 'string', enum: ['*', ...eventTypeNames] }), { minItems: 1 }),
      ),
      signing: maybe(Type.Boolean()),
    }),
  ),
})
export type ApplyFile = Static<typeof ApplyFile>
