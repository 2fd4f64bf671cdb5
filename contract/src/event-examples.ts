import type { Slot } from './appointment-slots.ts'
import type { Appointment } from './appointments.ts'
import type { CallEventData, WebhookEvents } from './events.ts'

// One story: Asha of Acme Clinic calls Maya on a Sunday and books her in for Monday morning, Indian time.
const branchId = '01a05b8d-9300-76da-8ce8-c8d21723728a'
const calendarId = '01a05b96-bac0-7152-b90e-278eb89039f8'
const callId = 'call_01a1de8a83e678d6ac1f79db92beeb0d'

const appointment: Appointment = {
  appointment_id: '01a1de8b-d560-7a4e-90c4-d73bd3ae7ed3',
  status: 'confirmed',
  slot_id: `${calendarId}||2026-11-16`,
  calendar_id: calendarId,
  branch_id: branchId,
  date: '2026-11-16',
  start_time: '09:00',
  end_time: '12:00',
  starts_at: '2026-11-16T09:00:00+05:30',
  ends_at: '2026-11-16T12:00:00+05:30',
  timezone: 'Asia/Kolkata',
  session: 'Morning',
  batch: 'A',
  appointment_type_id: '01a05b92-26e0-7df6-b026-a8c6c26e3c3a',
  appointment_type_name: 'Check-up',
  contact_name: 'Maya Rao',
  contact_number: '+15005550001',
  contact_email: 'maya@example.com',
  notes: null,
  booked_by: 'ai',
  call_id: callId,
  external_id: null,
  cancellation_reason: null,
  created_at: '2026-11-15T09:31:08.512Z',
  updated_at: '2026-11-15T09:31:08.512Z',
}

const initiated: CallEventData = {
  call_id: callId,
  status: 'initiated',
  call_direction: 'outbound',
  call_to: '+15005550001',
  call_from: null,
  call_duration_seconds: 0,
  credits_consumed: null,
  agent_id: 'agt_01a05b9fe28074f0bc5a29de06b510f9',
  agent_name: 'Asha',
  error: null,
  scheduled_call_id: null,
  call_triggered_at: '2026-11-15T09:29:57.204Z',
  scheduled_at: '2026-11-15T09:29:57.118Z',
  completed_at: null,
  contact_name: 'Maya Rao',
  contact_email: 'maya@example.com',
  contact_preferred_language: 'en',
  custom_data: { order_id: 'A-1042', amount: 120, returning: true },
  call_recording: null,
  call_transcript: null,
  call_details_url: null,
  share_token: null,
  call_analytics: null,
  extracted_details: null,
  appointment_details: null,
}

const mediaLink = (kind: 'recordings' | 'transcripts', signature: string): string =>
  `https://parley.example/media/${kind}/${callId}?expires=1794735382&signature=${signature}`

const completed: CallEventData = {
  ...initiated,
  status: 'completed',
  call_duration_seconds: 72,
  credits_consumed: 2,
  completed_at: '2026-11-15T09:31:21.480Z',
  call_recording: mediaLink('recordings', 'b2Nqf3mV0w5T7cXk1ZsYgQ9uRrJ8dLhE4aPiM6tWxKo'),
  call_transcript: mediaLink('transcripts', 'Q7hZ1vXr9kLd3NfT5yBwUe0sJmGc8aPoIi2KtRqYxV4'),
  call_analytics: {
    summary: 'Asha spoke with Maya Rao for a minute. Maya booked a check-up for Monday morning.',
    sentiment: 'positive',
    next_steps: 'Prepare the appointment with Maya Rao: Monday 16 November, 09:00 to 12:00.',
    disposition: 'appointment_booked',
  },
  extracted_details: { name: 'Maya Rao', preferred_time: 'Monday morning' },
  appointment_details: appointment,
}

const failed: CallEventData = {
  ...initiated,
  call_id: 'call_01a1dea83e1f75f08b7562976fa972a3',
  status: 'failed',
  call_to: '+15005550003',
  error: 'no_answer',
  scheduled_call_id: 'call_01a1dea905c276b29bb318814108e942',
  call_triggered_at: '2026-11-15T10:02:25.401Z',
  scheduled_at: '2026-11-15T10:02:25.335Z',
  completed_at: '2026-11-15T10:03:01.442Z',
  contact_name: 'Ravi Menon',
  contact_email: null,
  contact_preferred_language: 'hi',
  custom_data: null,
}

const disallowed: CallEventData = {
  ...failed,
  call_id: 'call_01a1deb38770701ba666170663a4807f',
  status: 'disallowed',
  call_to: '+15005550008',
  error: 'insufficient_credits',
  scheduled_call_id: null,
  call_triggered_at: null,
  scheduled_at: '2026-11-15T10:15:00.000Z',
  completed_at: '2026-11-15T10:15:00.087Z',
}

const slot: Slot = {
  slot_id: calendarId,
  calendar_id: calendarId,
  parent_calendar_id: null,
  branch_id: branchId,
  day: 'monday',
  session: 'Morning',
  batch: 'A',
  start_time: '09:00',
  end_time: '12:00',
  appointment_type: '01a05b92-26e0-7df6-b026-a8c6c26e3c3a',
  max_slots: 12,
  ai_slots: 8,
  filled_slots: null,
  available_slots: null,
  status: 'OPEN',
  created_at: '2026-09-01T06:10:00.000Z',
  updated_at: '2026-11-14T07:45:19.331Z',
}

/** One whole body per event: for the reference, and to try a receiver with. */
export const eventExamples: WebhookEvents = {
  'call.initiated': {
    event_id: 'evt_01a1de8abed47339a4d2fbe8afb6f624',
    event_type: 'call.initiated',
    created_at: '2026-11-15T09:29:57.204Z',
    data: initiated,
  },
  'call.completed': {
    event_id: 'evt_01a1de8c0a207ff9b3bac0baa5562f1b',
    event_type: 'call.completed',
    created_at: '2026-11-15T09:31:22.016Z',
    data: completed,
  },
  'call.failed': {
    event_id: 'evt_01a1dea905c27ba186cc45072852628f',
    event_type: 'call.failed',
    created_at: '2026-11-15T10:03:01.442Z',
    data: failed,
  },
  'call.disallowed': {
    event_id: 'evt_01a1deb3fcf7767ea153576a362baf08',
    event_type: 'call.disallowed',
    created_at: '2026-11-15T10:15:00.087Z',
    data: disallowed,
  },
  'appointment.created': {
    event_id: 'evt_01a1de8bd56074fb9bfd32a6a14d3444',
    event_type: 'appointment.created',
    created_at: '2026-11-15T09:31:08.512Z',
    data: appointment,
  },
  'appointment.updated': {
    event_id: 'evt_01a1df269c01759c85e66e9df9dcbb19',
    event_type: 'appointment.updated',
    created_at: '2026-11-15T12:20:11.905Z',
    data: { ...appointment, notes: 'Brings the last report.', updated_at: '2026-11-15T12:20:11.905Z' },
  },
  'appointment.cancelled': {
    event_id: 'evt_01a1dfdf046c749ba82010fb5e9c1c4d',
    event_type: 'appointment.cancelled',
    created_at: '2026-11-15T15:41:37.260Z',
    data: {
      ...appointment,
      status: 'cancelled',
      cancellation_reason: 'The patient is travelling.',
      updated_at: '2026-11-15T15:41:37.260Z',
    },
  },
  'appointment.completed': {
    event_id: 'evt_01a1e2fbeb4a7e4f9562b809e1f18ec8',
    event_type: 'appointment.completed',
    created_at: '2026-11-16T06:12:03.018Z',
    data: { ...appointment, status: 'completed', updated_at: '2026-11-16T06:12:03.018Z' },
  },
  'slot.updated': {
    event_id: 'evt_01a1d90497e3736faa924e13c6376baa',
    event_type: 'slot.updated',
    created_at: '2026-11-14T07:45:19.331Z',
    data: slot,
  },
}
