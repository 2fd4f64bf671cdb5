import { type Static, Type } from 'typebox'
import { Appointment } from './appointments.ts'
import { Call, callErrorCodes, callStatuses, dispositions } from './calls.ts'
import { closed, ListQuery, Nullable, OneOf, PageEnd, Timestamp } from './common.ts'
import { Attempt, Delivery } from './webhooks.ts'

/** The dashboard's API for calls: finding them, one call with all that belongs to it, sharing and erasing. */

const answer = <T extends Parameters<typeof Type.Object>[0][string]>(data: T) =>
  Type.Object({ success: Type.Literal(true), data })

export const callSources = ['api', 'hook', 'dashboard', 'retry', 'callback', 'inbound'] as const
export const directions = ['outbound', 'inbound'] as const
export const sentiments = ['positive', 'neutral', 'negative'] as const

const filters = {
  status: Type.Optional(Type.String({ maxLength: 200, description: 'Comma list of states.' })),
  agent_id: Type.Optional(Type.String({ maxLength: 64 })),
  disposition: Type.Optional(OneOf(dispositions)),
  direction: Type.Optional(OneOf(directions)),
  created_from: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601 with offset, inclusive.' })),
  created_to: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601 with offset, exclusive.' })),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'An id, a name, a number, or words that were said.' })),
}
export const FindCallsQuery = Type.Object({ ...ListQuery, ...filters }, closed)
export type FindCallsQuery = Static<typeof FindCallsQuery>
export const CountCallsQuery = Type.Object(filters, closed)
export type CountCallsQuery = Static<typeof CountCallsQuery>

/** A call as a line of the list. */
export const CallLine = Type.Object({
  call_id: Type.String(),
  status: OneOf(callStatuses),
  call_direction: OneOf(directions),
  contact_number: Type.String(),
  contact_name: Nullable(Type.String()),
  agent_id: Type.String(),
  agent_name: Type.String(),
  created_at: Timestamp,
  scheduled_at: Nullable(Timestamp),
  call_duration_seconds: Nullable(Type.Number()),
  disposition: Nullable(OneOf(dispositions)),
  sentiment: Nullable(OneOf(sentiments)),
  error_code: Nullable(OneOf(callErrorCodes)),
  excerpt: Nullable(Type.String({ description: 'The sentence of the transcript in which `q` was found.' })),
})
export type CallLine = Static<typeof CallLine>

export const CallLines = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(CallLine),
  ...PageEnd,
})

export const CallCounts = Type.Object({
  by_status: Type.Unsafe<Partial<Record<(typeof callStatuses)[number], number>>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
  }),
  newest_only: Nullable(Type.Integer({ description: 'So many of the newest calls were counted; null: all of them.' })),
})
export type CallCounts = Static<typeof CallCounts>
export const CallCountsAnswer = answer(CallCounts)

/** The other end of a retry or callback. */
export const RelatedCall = Type.Object({
  call_id: Type.String(),
  relation: OneOf(['before', 'after']),
  source: OneOf(callSources),
  status: OneOf(callStatuses),
  scheduled_at: Nullable(Timestamp),
})
export type RelatedCall = Static<typeof RelatedCall>

export const CallDetail = Type.Object({
  call: Call,
  source: OneOf(callSources),
  attempt: Type.Integer(),
  agent_number: Nullable(Type.String({ description: 'The number of ours that the call goes over.' })),
  queued_at: Nullable(Timestamp),
  ringing_at: Nullable(Timestamp),
  answered_at: Nullable(Timestamp),
  related: Type.Array(RelatedCall),
  appointments: Type.Array(Appointment),
})
export type CallDetail = Static<typeof CallDetail>
export const CallDetailAnswer = answer(CallDetail)

export const CallEvent = Type.Object({ event_id: Type.String(), event_type: Type.String(), created_at: Timestamp })
export const CallDelivery = Type.Intersect([
  Delivery,
  Type.Object({ endpoint_url: Nullable(Type.String()), log: Type.Array(Attempt) }),
])
export type CallDelivery = Static<typeof CallDelivery>
export const CallNews = Type.Object({ events: Type.Array(CallEvent), deliveries: Type.Array(CallDelivery) })
export type CallNews = Static<typeof CallNews>
export const CallNewsAnswer = answer(CallNews)

/** Requests to the inbound hook that made or cancelled the call. */
export const CallRequests = Type.Array(
  Type.Object({ request_id: Type.String(), at: Timestamp, action: Nullable(Type.String()), status: Type.Integer() }),
)
export type CallRequests = Static<typeof CallRequests>
export const CallRequestsAnswer = answer(CallRequests)

export const linkExpiries = ['never', 'hour', 'day', 'week', 'month'] as const
export const ShareBody = Type.Object({ expiry: OneOf(linkExpiries) }, closed)
export type ShareBody = Static<typeof ShareBody>

export const CallShare = Type.Object({
  enabled: Type.Boolean({ description: 'The organisation shares calls at present.' }),
  state: OneOf(['none', 'open', 'expired', 'revoked']),
  url: Nullable(Type.String({ description: 'While it is open, for those who may share.' })),
  expires_at: Nullable(Timestamp),
})
export type CallShare = Static<typeof CallShare>
export const CallShareAnswer = answer(CallShare)

/** What an erasure took away. Ids and numbers only: it may be kept. */
export const ErasureReceipt = Type.Object({
  call_id: Type.String(),
  erased_at: Timestamp,
  transcript_lines: Type.Integer(),
  events: Type.Integer(),
  deliveries: Type.Integer(),
  share_link: Type.Boolean(),
  appointments_kept: Type.Integer({ description: 'They stay with the branch, without the link to the call.' }),
})
export type ErasureReceipt = Static<typeof ErasureReceipt>
export const ErasureReceiptAnswer = answer(ErasureReceipt)
