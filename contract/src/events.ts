import { type Static, type TSchema, Type } from 'typebox'
import { Slot } from './appointment-slots.ts'
import { Appointment } from './appointments.ts'
import { AdditionalInfo, CallAnalytics, callErrorCodes, Utterance } from './calls.ts'
import { closed, Nullable, OneOf, Timestamp } from './common.ts'

/** The nine events (§6.2) and when each is sent. */
export const eventTypes = {
  'call.initiated': 'The telephony system triggers the call, before it is answered.',
  'call.completed': 'The call ended successfully; carries analytics and transcript.',
  'call.failed': 'The call could not be completed: busy, no answer, carrier or infrastructure error.',
  'call.disallowed': 'The call was blocked by policy: insufficient credits or do-not-disturb.',
  'appointment.created': 'An appointment was created.',
  'appointment.updated': 'An appointment changed.',
  'appointment.cancelled': 'An appointment was cancelled.',
  'appointment.completed': 'An appointment was marked complete.',
  'slot.updated': 'A calendar window changed capacity or status.',
} as const
export type EventType = keyof typeof eventTypes
export const eventTypeNames = Object.keys(eventTypes) as EventType[]

/** §6.4, every field always present, null where it does not apply. */
export const CallEventData = Type.Object(
  {
    call_id: Type.String(),
    status: OneOf(['initiated', 'completed', 'failed', 'disallowed']),
    call_direction: OneOf(['outbound', 'inbound']),
    call_to: Nullable(Type.String()),
    call_from: Nullable(Type.String()),
    call_duration_seconds: Nullable(Type.Number()),
    credits_consumed: Nullable(Type.Number({ description: 'Only on call.completed.' })),
    agent_id: Nullable(Type.String()),
    agent_name: Nullable(Type.String()),
    error: Nullable(OneOf(callErrorCodes, { description: 'Only on call.failed and call.disallowed.' })),
    scheduled_call_id: Nullable(
      Type.String({ description: 'A call that now exists because of this one: a callback or an automatic retry.' }),
    ),
    call_triggered_at: Nullable(Timestamp),
    scheduled_at: Nullable(Timestamp),
    completed_at: Nullable(Timestamp),
    contact_name: Nullable(Type.String()),
    contact_email: Nullable(Type.String()),
    contact_preferred_language: Nullable(Type.String()),
    custom_data: Nullable(AdditionalInfo),
    call_recording: Nullable(Type.String({ description: 'Signed for 5 minutes from this attempt, or a public link.' })),
    call_transcript: Type.Union([
      Type.String({ description: 'A link that answers the JSON array of utterances.' }),
      Type.Array(Utterance),
      Type.Null(),
    ]),
    call_details_url: Nullable(Type.String({ description: 'Only while public call share is on.' })),
    share_token: Nullable(Type.String()),
    call_analytics: Nullable(CallAnalytics),
    extracted_details: Nullable(Type.Record(Type.String(), Type.Unknown())),
    appointment_details: Nullable(Appointment),
  },
  closed,
)
export type CallEventData = Static<typeof CallEventData>

const envelope = <Name extends EventType, T extends TSchema>(type: Name, data: T) =>
  Type.Object(
    {
      event_id: Type.String({ description: 'The same on every retry and replay: use it to drop duplicates.' }),
      event_type: Type.Literal(type),
      created_at: Timestamp,
      data,
    },
    closed,
  )

export const eventSchemas = {
  'call.initiated': envelope('call.initiated', CallEventData),
  'call.completed': envelope('call.completed', CallEventData),
  'call.failed': envelope('call.failed', CallEventData),
  'call.disallowed': envelope('call.disallowed', CallEventData),
  'appointment.created': envelope('appointment.created', Appointment),
  'appointment.updated': envelope('appointment.updated', Appointment),
  'appointment.cancelled': envelope('appointment.cancelled', Appointment),
  'appointment.completed': envelope('appointment.completed', Appointment),
  'slot.updated': envelope('slot.updated', Slot),
} as const satisfies Record<EventType, TSchema>

export type WebhookEvents = { [Name in EventType]: Static<(typeof eventSchemas)[Name]> }
/** Any of the nine; `event_type` tells which. */
export type WebhookEvent = WebhookEvents[EventType]
