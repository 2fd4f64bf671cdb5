import { type Static, Type } from 'typebox'
import { AdditionalInfo, Email, Language, Name, PhoneNumber, ScheduledTime } from './calls.ts'
import { closed, Nullable, OneOf, Timestamp } from './common.ts'

/** What the inbound hook can be asked to do (§4.5). */
export const hookActions = ['call.create', 'call.cancel', 'call.delete'] as const
export type HookAction = (typeof hookActions)[number]

const IdempotencyKey = Type.String({
  pattern: '^[!-~]{1,255}$',
  description:
    'For tools that cannot set the `Idempotency-Key` header: the same key and body within 24 h answer the first answer ' +
    'again and never act twice. 1 to 255 visible ASCII characters.',
  examples: ['order-1042'],
})
const apiName = (name: string) => ({ description: `The API's name for \`contact_${name}\`; send one of them.` })

const CreateCallData = Type.Object(
  {
    agent_id: Type.String({ minLength: 1, maxLength: 64 }),
    contact_number: Type.Optional(PhoneNumber),
    contact_name: Type.Optional(Name),
    contact_email: Type.Optional(Email),
    contact_preferred_language: Type.Optional(Language),
    user_number: Type.Optional(Type.String(apiName('number'))),
    user_name: Type.Optional({ ...Name, ...apiName('name') }),
    user_email: Type.Optional({ ...Email, ...apiName('email') }),
    user_preferred_language: Type.Optional({ ...Language, ...apiName('preferred_language') }),
    additional_info: Type.Optional(AdditionalInfo),
    scheduled_time: Type.Optional(ScheduledTime),
    idempotency_key: Type.Optional(IdempotencyKey),
  },
  { ...closed, description: '`contact_number` is required. Both names of one field together are refused.' },
)
const OneCallData = Type.Object(
  { call_id: Type.String({ minLength: 1, maxLength: 64 }), idempotency_key: Type.Optional(IdempotencyKey) },
  closed,
)

const CreateRequest = Type.Object({ action: Type.Literal('call.create'), data: CreateCallData }, closed)
const CancelRequest = Type.Object({ action: Type.Literal('call.cancel'), data: OneCallData }, closed)
const DeleteRequest = Type.Object({ action: Type.Literal('call.delete'), data: OneCallData }, closed)

export type HookBody = Static<typeof CreateRequest> | Static<typeof CancelRequest> | Static<typeof DeleteRequest>

/** The action says which data is meant, so a fault is told about that one and not about all three. */
export const HookBody = Type.Unsafe<HookBody>({
  type: 'object',
  required: ['action'],
  properties: { action: OneOf(hookActions) },
  discriminator: { propertyName: 'action' },
  oneOf: [CreateRequest, CancelRequest, DeleteRequest],
})

/** One line of "recent requests": what came in and what was answered, without token or personal data. */
export const HookRequest = Type.Object({
  request_id: Type.String(),
  at: Timestamp,
  action: Nullable(OneOf(hookActions)),
  status: Type.Integer({ description: 'The HTTP status that was answered.' }),
  code: Nullable(Type.String({ description: 'The error code, null when it succeeded.' })),
  reason: Nullable(Type.String({ description: 'What was wrong: fields by name, never by value.' })),
  replayed: Type.Boolean({ description: 'The first answer again, for an idempotency key seen before.' }),
  call_id: Nullable(Type.String()),
})
export type HookRequest = Static<typeof HookRequest>

export const HookQuota = Type.Object({
  limit: Type.Integer({ description: 'Requests per UTC day.' }),
  used: Type.Integer(),
  remaining: Type.Integer(),
  resets_at: Timestamp,
})
export type HookQuota = Static<typeof HookQuota>
