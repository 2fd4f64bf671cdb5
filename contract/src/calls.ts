import { type Static, Type } from 'typebox'
import { closed, ListQuery, Nullable, OneOf, PageEnd, Timestamp } from './common.ts'

/** All nine states a call can show (§3.1, decisions 3). */
export const callStatuses = [
  'scheduled',
  'queued',
  'initiated',
  'ringing',
  'in_progress',
  'completed',
  'failed',
  'cancelled',
  'disallowed',
] as const
export type CallStatus = (typeof callStatuses)[number]

export const callErrorCodes = [
  'busy',
  'no_answer',
  'invalid_number',
  'carrier_error',
  'node_lost',
  'dial_outcome_unknown',
  'agent_error',
  'do_not_disturb',
  'insufficient_credits',
] as const

export const dispositions = [
  'appointment_booked',
  'transferred',
  'not_interested',
  'voicemail',
  'callback_scheduled',
  'ended_by_customer',
  'session_ended',
] as const

export const PhoneNumber = Type.String({
  description: 'E.164: `+1` or `+91` followed by exactly ten digits.',
  examples: ['+15005550001'],
})
export const Name = Type.String({ maxLength: 200 })
export const Email = Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$', description: 'An e-mail address.' })
/** A tag such as `en`, `en-IN` or `zh_Hant`; a language's English name in one word passes too (docs/decisions/0057). */
export const languagePattern = '^[A-Za-z]{2,}([-_][A-Za-z0-9]{1,8})*$'
export const Language = Type.String({
  minLength: 1,
  maxLength: 35,
  pattern: languagePattern,
  description: "A language tag. Overrides the agent's language for this call.",
  examples: ['hi'],
})

export type AdditionalInfo = Record<string, string | number | boolean | null>
export const additionalInfoLimits = { pairs: 25, keyLength: 64, valueLength: 1000 } as const
export const AdditionalInfo = Type.Unsafe<AdditionalInfo>({
  type: 'object',
  maxProperties: additionalInfoLimits.pairs,
  propertyNames: { minLength: 1, maxLength: additionalInfoLimits.keyLength },
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'null'],
    maxLength: additionalInfoLimits.valueLength,
  },
  description: 'Your own key-value pairs, at most 25. The agent can say them: `{{key}}` in its prompt or greeting.',
  examples: [{ order_id: 'A-1042', amount: 120 }],
})

export const ScheduledTime = Type.String({
  format: 'date-time',
  description:
    'When to call: ISO 8601 with `Z` or an offset, in the future, at most one year ahead. Omitted: in about 15 seconds.',
  examples: ['2027-01-15T10:00:00+05:30'],
})

export const CreateCallBody = Type.Object(
  {
    agent_id: Type.String({ minLength: 1, maxLength: 64 }),
    user_number: Type.Optional(PhoneNumber),
    user_name: Type.Optional(Name),
    user_email: Type.Optional(Email),
    user_preferred_language: Type.Optional(Language),
    contact_number: Type.Optional(Type.String({ deprecated: true, description: 'Legacy alias of `user_number`.' })),
    contact_name: Type.Optional({ ...Name, deprecated: true, description: 'Legacy alias of `user_name`.' }),
    contact_email: Type.Optional({ ...Email, deprecated: true, description: 'Legacy alias of `user_email`.' }),
    contact_preferred_language: Type.Optional({
      ...Language,
      deprecated: true,
      description: 'Legacy alias of `user_preferred_language`.',
    }),
    additional_info: Type.Optional(AdditionalInfo),
    scheduled_time: Type.Optional(ScheduledTime),
  },
  {
    ...closed,
    description: '`user_number` (or its legacy alias) is required. Both names of one field together are refused.',
  },
)
export type CreateCallBody = Static<typeof CreateCallBody>

export const CreatedCall = Type.Object({
  data: Type.Object({
    call_id: Type.String(),
    status: Type.Literal('scheduled'),
    scheduled_at: Timestamp,
  }),
})
export type CreatedCall = Static<typeof CreatedCall>

export const Utterance = Type.Object({
  speaker: Type.String({ description: 'Typically `agent` or `user`.' }),
  text: Type.String(),
  timestamp: Type.Number({ description: 'Seconds from the start of the call.' }),
})
export type Utterance = Static<typeof Utterance>

export const CallAnalytics = Type.Object({
  summary: Type.String(),
  sentiment: OneOf(['positive', 'neutral', 'negative']),
  next_steps: Type.String(),
  disposition: OneOf(dispositions),
})
export type CallAnalytics = Static<typeof CallAnalytics>

/** The union of field sets A and B of §2.1, null where unknown (decisions 3). */
export const Call = Type.Object({
  call_id: Type.String(),
  status: OneOf(callStatuses),
  call_direction: OneOf(['outbound', 'inbound']),
  call_to: Nullable(Type.String({ description: 'Dialled number; null for inbound calls.' })),
  call_from: Nullable(Type.String({ description: "Caller's number for inbound calls; null for outbound." })),
  call_duration_seconds: Nullable(Type.Number()),
  agent_id: Type.String(),
  agent_name: Type.String(),
  contact_number: Nullable(Type.String()),
  contact_name: Nullable(Type.String()),
  contact_email: Nullable(Type.String()),
  contact_preferred_language: Nullable(Type.String()),
  additional_info: Nullable(AdditionalInfo),
  call_recording: Nullable(Type.String({ description: 'A signed link, valid for 5 minutes.' })),
  call_transcript: Nullable(Type.Array(Utterance)),
  call_analytics: Nullable(CallAnalytics),
  extracted_details: Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
  credits_consumed: Nullable(Type.Number()),
  scheduled_call_id: Nullable(
    Type.String({ description: 'The callback or retry that was made because of this call.' }),
  ),
  follows_call_id: Nullable(Type.String({ description: 'The call that this one is a callback or retry of.' })),
  call_triggered_at: Nullable(Timestamp),
  scheduled_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  cancelled_at: Nullable(Timestamp),
  error: Nullable(Type.Object({ code: OneOf(callErrorCodes), message: Type.String() })),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Call = Static<typeof Call>

export const CallAnswer = Type.Object({ data: Call })
export const CallList = Type.Object({ data: Type.Array(Call), ...PageEnd })
export type CallList = Static<typeof CallList>

export const ListCallsQuery = Type.Object(
  {
    ...ListQuery,
    status: Type.Optional(
      Type.String({
        maxLength: 200,
        description: `Comma list of states: ${callStatuses.join(', ')}.`,
        examples: ['scheduled,queued'],
      }),
    ),
    agent_id: Type.Optional(Type.String({ maxLength: 64 })),
    contact_number: Type.Optional(
      Type.String({ maxLength: 20, description: 'E.164; write the plus sign as `%2B` in a URL.' }),
    ),
    created_from: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601 with offset, inclusive.' })),
    created_to: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601 with offset, exclusive.' })),
    order: Type.Optional(OneOf(['desc', 'asc'], { default: 'desc', description: 'By creation; newest first.' })),
  },
  closed,
)
export type ListCallsQuery = Static<typeof ListCallsQuery>

export const CancelledCall = Type.Object({
  data: Type.Object({ call_id: Type.String(), status: Type.Literal('cancelled'), cancelled_at: Timestamp }),
})
export type CancelledCall = Static<typeof CancelledCall>

export const DeletedCall = Type.Object({ data: Type.Object({ call_id: Type.String(), deleted: Type.Literal(true) }) })
export type DeletedCall = Static<typeof DeletedCall>
