import { type Static, Type } from 'typebox'
import { callStatuses } from './calls.ts'
import { Nullable, OneOf, Timestamp } from './common.ts'

/** What the dashboard's first page shows. Days and hours are the organisation's. */

const Count = Type.Integer()
const person = {
  call_id: Type.String(),
  contact_number: Type.String(),
  contact_name: Nullable(Type.String()),
  agent_id: Type.String(),
  agent_name: Type.String(),
}

export const LiveCall = Type.Object({
  ...person,
  status: OneOf(callStatuses),
  triggered_at: Nullable(Timestamp),
  answered_at: Nullable(Timestamp),
})
export type LiveCall = Static<typeof LiveCall>
export const LiveCalls = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({ total: Count, waiting: Count, calls: Type.Array(LiveCall) }),
})
export type LiveCalls = Static<typeof LiveCalls>['data']

const Bookings = Type.Object({ ai: Count, staff: Count, api: Count })
const Answers = { answered: Count, not_answered: Count }

export const Checklist = Type.Object({
  agent: Type.Boolean(),
  number: Type.Boolean(),
  api_key: Type.Boolean(),
  test_call: Type.Boolean(),
  webhook: Type.Boolean(),
  calendar: Type.Boolean(),
})
export type Checklist = Static<typeof Checklist>

export const FailedCall = Type.Object({ ...person, error_code: Nullable(Type.String()), completed_at: Timestamp })
export type FailedCall = Static<typeof FailedCall>
export const Callback = Type.Object({ ...person, scheduled_at: Timestamp })
export type Callback = Static<typeof Callback>
export const FailingEndpoint = Type.Object({
  endpoint_id: Type.String(),
  url: Type.String(),
  consecutive_failures: Count,
  disabled: Type.Boolean(),
})
export type FailingEndpoint = Static<typeof FailingEndpoint>

/** At this many failures in a row an endpoint is switched off (§6.1). */
export const failuresUntilOff = 50
/** Fewer free credits than this are few. */
export const fewCredits = 20

export const Home = Type.Object({
  date: Type.String(),
  timezone: Type.String(),
  today: Type.Object({
    by_status: Type.Record(Type.String(), Count),
    ...Answers,
    bookings: Bookings,
    hours: Type.Array(Type.Object({ hour: Count, ...Answers })),
  }),
  days: Type.Array(Type.Object({ date: Type.String(), ...Answers, bookings: Bookings })),
  credits: Type.Object({ balance: Count, held: Count }),
  failed_calls: Type.Array(FailedCall),
  callbacks: Type.Array(Callback),
  endpoints: Type.Array(FailingEndpoint),
  idle_numbers: Type.Array(Type.Object({ phone_number_id: Type.String(), number: Type.String() })),
  checklist: Checklist,
})
export type Home = Static<typeof Home>
export const HomeAnswer = Type.Object({ success: Type.Literal(true), data: Home })
