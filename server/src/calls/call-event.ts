import type { Appointment } from '@parley/contract/appointments'
import type { Utterance } from '@parley/contract/calls'
import type { CallEventData } from '@parley/contract/events'
import type { NewEvent } from '../webhooks/events.service.ts'
import type { CallRecord } from './call.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null
const types = {
  initiated: 'call.initiated',
  completed: 'call.completed',
  failed: 'call.failed',
  disallowed: 'call.disallowed',
} as const
export type ReportedStatus = keyof typeof types

/** `transcript`: inline, where there is nothing to link to. */
type EventParts = { hasMedia?: boolean; transcript?: Utterance[] | null; appointment?: Appointment | null }

/** §6.4. Links to recording and transcript are added when a delivery is rendered; they would be stale by then here. */
export function callEvent(
  call: CallRecord,
  organisationId: string,
  status: ReportedStatus,
  { hasMedia = false, transcript = null, appointment = null }: EventParts = {},
): NewEvent {
  const outbound = call.direction === 'outbound'
  const done = status === 'completed'
  const data: CallEventData = {
    call_id: call.callId,
    status,
    call_direction: call.direction,
    call_to: outbound ? call.contactNumber : null,
    call_from: outbound ? null : call.contactNumber || null,
    call_duration_seconds: call.durationSeconds ?? 0,
    credits_consumed: done ? call.creditsConsumed : null,
    agent_id: call.agentId,
    agent_name: call.agentName,
    error: status === 'failed' || status === 'disallowed' ? (call.errorCode as CallEventData['error']) : null,
    scheduled_call_id: call.scheduledCallId,
    call_triggered_at: iso(call.triggeredAt),
    scheduled_at: iso(call.scheduledAt),
    completed_at: iso(call.completedAt),
    contact_name: call.contactName,
    contact_email: call.contactEmail,
    contact_preferred_language: call.preferredLanguage,
    custom_data: call.additionalInfo,
    call_recording: null,
    call_transcript: transcript,
    call_details_url: null,
    share_token: null,
    call_analytics: done ? call.analytics : null,
    extracted_details: done ? call.extractedDetails : null,
    appointment_details: appointment,
  }
  return { organisationId, type: types[status], callId: call.callId, data, hasMedia }
}
