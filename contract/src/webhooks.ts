import { type Static, Type } from 'typebox'
import { closed, ListQuery, Nullable, OneOf, PageEnd, Timestamp } from './common.ts'
import { eventTypeNames } from './events.ts'

/** The dashboard's API for outbound webhooks: endpoints, deliveries, replays. */

export const EventChoice = Type.Array(OneOf(['*', ...eventTypeNames] as const), {
  minItems: 1,
  maxItems: 10,
  uniqueItems: true,
  description: 'The events to receive; `*` for all, those of the future included.',
})
const Url = Type.String({ minLength: 1, maxLength: 2_048, description: 'https only, at a public address.' })
const Description = Nullable(Type.String({ maxLength: 200 }))

export const EndpointBody = Type.Object(
  {
    url: Url,
    description: Type.Optional(Description),
    events: Type.Optional(EventChoice),
    signing: Type.Optional(Type.Boolean({ default: true })),
  },
  closed,
)
export type EndpointBody = Static<typeof EndpointBody>

export const EndpointPatch = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    events: Type.Optional(EventChoice),
    signing: Type.Optional(Type.Boolean()),
    status: Type.Optional(OneOf(['enabled', 'disabled'])),
  },
  { ...closed, minProperties: 1 },
)
export type EndpointPatch = Static<typeof EndpointPatch>

export const Endpoint = Type.Object({
  endpoint_id: Type.String(),
  url: Type.String(),
  description: Nullable(Type.String()),
  events: Type.Array(Type.String()),
  signing: Type.Boolean(),
  status: OneOf(['enabled', 'disabled']),
  disabled_reason: Nullable(OneOf(['by_hand', 'failures'])),
  disabled_at: Nullable(Timestamp),
  consecutive_failures: Type.Integer({ description: 'Failed attempts in a row; at 50 the endpoint is switched off.' }),
  has_next_secret: Type.Boolean({ description: 'A staged rotation waits to be activated.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Endpoint = Static<typeof Endpoint>

const answer = <T extends Parameters<typeof Type.Object>[0][string]>(data: T) =>
  Type.Object({ success: Type.Literal(true), data })

export const EndpointAnswer = answer(Endpoint)
export const EndpointList = answer(Type.Array(Endpoint))
export const CreatedEndpoint = answer(Type.Intersect([Endpoint, Type.Object({ secret: Type.String() })]))
export const NewSecret = answer(
  Type.Object({ endpoint_id: Type.String(), secret: Type.String(), active: Type.Boolean() }),
)

export const RotateBody = Type.Object({ mode: OneOf(['staged', 'now']) }, closed)
export type RotateBody = Static<typeof RotateBody>

export const TestBody = Type.Object(
  { event_type: OneOf(eventTypeNames), secret: Type.Optional(OneOf(['current', 'next'], { default: 'current' })) },
  closed,
)
export type TestBody = Static<typeof TestBody>

const Exchange = {
  duration_ms: Type.Integer(),
  status_code: Nullable(Type.Integer()),
  failure: Nullable(Type.String({ description: 'The class of the failure; null when it succeeded.' })),
  detail: Nullable(Type.String()),
  advice: Nullable(Type.String({ description: 'What can be done about it, for people.' })),
  response: Nullable(Type.String({ description: "The beginning of the receiver's answer, as text." })),
}
/** As it leaves us. The signature is not shown: with it, somebody could send the request again. */
export const SentRequest = Type.Object({ headers: Type.Record(Type.String(), Type.String()), body: Type.String() })
export type SentRequest = Static<typeof SentRequest>
export const TestResult = Type.Object({ event_id: Type.String(), ...Exchange, request: SentRequest })
export type TestResult = Static<typeof TestResult>
export const TestAnswer = answer(TestResult)

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'held', 'dropped'] as const

export const Delivery = Type.Object({
  delivery_id: Type.String(),
  endpoint_id: Type.String(),
  event_id: Type.String(),
  event_type: Type.String(),
  call_id: Nullable(Type.String()),
  status: OneOf(deliveryStatuses),
  attempts: Type.Integer(),
  next_attempt_at: Nullable(Timestamp),
  last_attempt_at: Nullable(Timestamp),
  created_at: Timestamp,
})
export type Delivery = Static<typeof Delivery>

export const Attempt = Type.Object({
  number: Type.Integer(),
  started_at: Timestamp,
  ...Exchange,
  next_attempt_at: Nullable(Timestamp),
})
export type Attempt = Static<typeof Attempt>

export const DeliveryAnswer = answer(Delivery)
export const DeliveryWithLog = answer(Type.Intersect([Delivery, Type.Object({ log: Type.Array(Attempt) })]))
export type DeliveryWithLog = Delivery & { log: Attempt[] }
export const DeliveryRequest = answer(
  Type.Intersect([
    SentRequest,
    Type.Object({
      attempt: Nullable(
        Type.Integer({ description: 'Rendered again as this attempt sent it; null before the first.' }),
      ),
      rendered_for: Timestamp,
    }),
  ]),
)
export type DeliveryRequest = Static<typeof DeliveryRequest>['data']
export const DeliveryRequestQuery = Type.Object(
  { attempt: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })) },
  closed,
)
export type DeliveryRequestQuery = Static<typeof DeliveryRequestQuery>
export const DeliveryList = Type.Object({ success: Type.Literal(true), data: Type.Array(Delivery), ...PageEnd })

export const ListDeliveriesQuery = Type.Object(
  {
    ...ListQuery,
    endpoint_id: Type.Optional(Type.String({ maxLength: 100 })),
    event_id: Type.Optional(Type.String({ maxLength: 100 })),
    call_id: Type.Optional(Type.String({ maxLength: 100 })),
    event_type: Type.Optional(OneOf(eventTypeNames)),
    status: Type.Optional(OneOf(deliveryStatuses)),
    since: Type.Optional(Type.String({ maxLength: 40, description: 'With an offset: made from this time on.' })),
  },
  closed,
)
export type ListDeliveriesQuery = Static<typeof ListDeliveriesQuery>

export const RecoverBody = Type.Object(
  {
    since: Type.String({ maxLength: 40, description: 'With an offset: deliveries made from this time on.' }),
    until: Type.Optional(Type.String({ maxLength: 40, description: 'Up to this time; now when it is not given.' })),
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Only count.' })),
  },
  closed,
)
export type RecoverBody = Static<typeof RecoverBody>

export const Recovery = Type.Object({
  recovery_id: Type.String(),
  endpoint_id: Type.String(),
  since: Timestamp,
  until: Timestamp,
  status: OneOf(['running', 'done', 'cancelled']),
  total: Type.Integer(),
  replayed: Type.Integer(),
  created_at: Timestamp,
  ended_at: Nullable(Timestamp),
})
export type Recovery = Static<typeof Recovery>
export const RecoveryAnswer = answer(Recovery)
export const RecoveryList = answer(Type.Array(Recovery))
export const RecoverAnswer = answer(
  Type.Union([Recovery, Type.Object({ dry_run: Type.Literal(true), total: Type.Integer() })]),
)

export const Notice = Type.Object({
  endpoint_id: Type.String(),
  kind: OneOf(['failing', 'disabled', 'recovered']),
  consecutive_failures: Type.Integer(),
  last_failure: Nullable(Type.String()),
  created_at: Timestamp,
})
export type Notice = Static<typeof Notice>
export const NoticeList = answer(Type.Array(Notice))

const Outcomes = {
  succeeded: Type.Integer(),
  failed: Type.Integer({ description: 'Tried and not succeeded yet, those that wait for a retry included.' }),
}
export const EndpointHealth = Type.Object({
  endpoint_id: Type.String(),
  ...Outcomes,
  hours: Type.Array(Type.Object(Outcomes), { description: 'The last 24 hours, oldest first.' }),
})
export type EndpointHealth = Static<typeof EndpointHealth>
export const WebhookHealth = Type.Object({
  endpoint_limit: Type.Integer({ description: 'How many endpoints the plan allows.' }),
  since: Timestamp,
  endpoints: Type.Array(EndpointHealth),
})
export type WebhookHealth = Static<typeof WebhookHealth>
export const HealthAnswer = answer(WebhookHealth)
