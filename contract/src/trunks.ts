import { type Static, type TSchema, Type } from 'typebox'
import { closed, Nullable, OneOf, Timestamp } from './common.ts'

/** Connections to a carrier over SIP: the rules of their fields, and the dashboard's API for them. */

export const trunkTransports = ['udp', 'tcp', 'tls'] as const
export type TrunkTransport = (typeof trunkTransports)[number]
export const srtpModes = ['off', 'offer', 'require'] as const
export type SrtpMode = (typeof srtpModes)[number]

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const answer = <T extends TSchema>(data: T) => Type.Object({ success: Type.Literal(true), data })

/** The same fields with the same limits in `parley apply` and in the dashboard. */
export const TrunkFields = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  host: Type.String({
    minLength: 1,
    maxLength: 253,
    pattern: '^[A-Za-z0-9._:-]+$',
    description: 'A name or an address, without a port.',
    examples: ['sip.carrier.example'],
  }),
  port: optional(
    Nullable(
      Type.Integer({ minimum: 1, maximum: 65_535, description: "null: what DNS or the transport's rule says." }),
    ),
  ),
  transport: optional(OneOf(trunkTransports, { default: 'udp' })),
  user: optional(Nullable(Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\s<>"@:;]+$' }))),
  password: optional(
    Nullable(Type.String({ minLength: 1, maxLength: 256, description: 'Stored encrypted, never returned.' })),
  ),
  caller_id: optional(
    Nullable(Type.String({ pattern: '^\\+?[0-9]{2,15}$', description: 'Shown instead of the number that calls.' })),
  ),
  register: optional(Type.Boolean({ default: false, description: 'The carrier wants us to register.' })),
  srtp: optional(OneOf(srtpModes, { default: 'off' })),
  inbound_addresses: optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 50,
      description: "Further addresses or ranges the carrier's calls come from, e.g. `203.0.113.0/24`.",
    }),
  ),
  max_concurrent: optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 30 })),
  calls_per_second: optional(Type.Integer({ minimum: 1, maximum: 200, default: 5 })),
}

export const TrunkBody = Type.Object(TrunkFields, closed)
export type TrunkBody = Static<typeof TrunkBody>
export const TrunkPatch = Type.Object(
  { ...TrunkFields, name: optional(TrunkFields.name), host: optional(TrunkFields.host) },
  { ...closed, minProperties: 1 },
)
export type TrunkPatch = Static<typeof TrunkPatch>

export const Trunk = Type.Object({
  trunk_id: Type.String(),
  name: Type.String(),
  host: Type.String(),
  port: Nullable(Type.Integer()),
  transport: OneOf(trunkTransports),
  user: Nullable(Type.String()),
  has_password: Type.Boolean(),
  caller_id: Nullable(Type.String()),
  register: Type.Boolean(),
  srtp: OneOf(srtpModes),
  inbound_addresses: Type.Array(Type.String()),
  max_concurrent: Type.Integer(),
  calls_per_second: Type.Integer(),
  numbers: Type.Array(Type.String(), { description: 'The phone numbers that use it.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Trunk = Static<typeof Trunk>
export const TrunkList = answer(Type.Array(Trunk))
export const TrunkAnswer = answer(Trunk)

/** What registering and asking the carrier told, in words for the operator. */
export const TrunkTest = Type.Object({
  ok: Type.Boolean(),
  steps: Type.Array(Type.Object({ step: OneOf(['register', 'options']), ok: Type.Boolean(), words: Type.String() })),
  seen_as: Nullable(Type.String({ description: 'How the carrier sees our address, when it says so.' })),
  round_trip_ms: Nullable(Type.Integer()),
})
export type TrunkTest = Static<typeof TrunkTest>
export const TrunkTestAnswer = answer(TrunkTest)
