import type { Call, Utterance } from '@parley/contract/calls'
import type { CallRecord } from './call.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export type CallMedia = { transcript: Utterance[] | null; recordingUrl: string | null }

/** The union of sets A and B (§2.1), null where unknown. */
export function callView(call: CallRecord, media: CallMedia): Call {
  const outbound = call.direction === 'outbound'
  return {
    call_id: call.callId,
    status: call.status,
    call_direction: call.direction,
    call_to: outbound ? call.contactNumber : null,
    call_from: outbound ? null : call.contactNumber || null,
    call_duration_seconds: call.durationSeconds,
    agent_id: call.agentId,
    agent_name: call.agentName,
    contact_number: call.contactNumber || null,
    contact_name: call.contactName,
    contact_email: call.contactEmail,
    contact_preferred_language: call.preferredLanguage,
    additional_info: call.additionalInfo,
    call_recording: media.recordingUrl,
    call_transcript: media.transcript,
    call_analytics: call.analytics,
    extracted_details: call.extractedDetails,
    credits_consumed: call.creditsConsumed,
    scheduled_call_id: call.scheduledCallId,
    follows_call_id: call.followsCallId,
    call_triggered_at: iso(call.triggeredAt),
    scheduled_at: iso(call.scheduledAt),
    completed_at: iso(call.completedAt),
    cancelled_at: iso(call.cancelledAt),
    error: call.errorCode
      ? { code: call.errorCode as NonNullable<Call['error']>['code'], message: call.errorMessage ?? call.errorCode }
      : null,
    created_at: call.createdAt.toISOString(),
    updated_at: call.updatedAt.toISOString(),
  }
}
