import { type Static, Type } from 'typebox'
import { Appointment } from './appointments.ts'
import { CallAnalytics, callStatuses, Utterance } from './calls.ts'
import { Nullable, OneOf, Timestamp } from './common.ts'

/** What strangers may see of an appointment: what was agreed, not how to reach anybody. */
export const SharedAppointment = Type.Pick(Appointment, [
  'appointment_id',
  'status',
  'date',
  'start_time',
  'end_time',
  'starts_at',
  'ends_at',
  'timezone',
  'session',
  'appointment_type_name',
])
export type SharedAppointment = Static<typeof SharedAppointment>

/** §4.11: what the holder of a share token may know. No number, no e-mail, no additional_info, no other call. */
export const SharedCall = Type.Object({
  call: Type.Object({
    call_id: Type.String(),
    status: OneOf(callStatuses),
    call_direction: OneOf(['outbound', 'inbound']),
    agent_name: Type.String(),
    contact_name: Nullable(Type.String()),
    organisation_name: Type.String(),
    call_duration_seconds: Nullable(Type.Number()),
    scheduled_at: Nullable(Timestamp),
    call_triggered_at: Nullable(Timestamp),
    completed_at: Nullable(Timestamp),
  }),
  insights: Nullable(
    Type.Object({
      ...CallAnalytics.properties,
      extracted_details: Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
    }),
  ),
  transcript: Type.Array(Utterance),
  appointments: Type.Array(SharedAppointment),
  recording_url: Nullable(Type.String({ description: 'Opens for as long as this link does. Answers ranges.' })),
})
export type SharedCall = Static<typeof SharedCall>

/** The loudness of each channel in equal steps over the whole recording, 0 to 1: enough to draw a waveform. */
export const RecordingPeaks = Type.Object({
  duration_seconds: Type.Number(),
  agent: Type.Array(Type.Number()),
  user: Type.Array(Type.Number()),
})
export type RecordingPeaks = Static<typeof RecordingPeaks>
