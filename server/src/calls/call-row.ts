import type { CallStatus } from '@parley/contract/calls'
import type { CallRecord } from './call.ts'

export type CallRow = {
  call_id: string
  agent_id: string
  agent_name: string
  status: CallStatus
  direction: 'outbound' | 'inbound'
  contact_number: string
  contact_name: string | null
  contact_email: string | null
  preferred_language: string | null
  additional_info: CallRecord['additionalInfo']
  scheduled_at: Date | null
  triggered_at: Date | null
  answered_at: Date | null
  completed_at: Date | null
  cancelled_at: Date | null
  duration_seconds: number | null
  attempt: number
  follows_call_id: string | null
  scheduled_call_id: string | null
  credits_consumed: number | null
  recorded: boolean | null
  analytics: CallRecord['analytics']
  extracted_details: CallRecord['extractedDetails']
  error_code: string | null
  error_message: string | null
  created_at: Date
  updated_at: Date
}

export const callColumns = `c.call_id, c.agent_id, a.name as agent_name, c.status, c.direction, c.contact_number, c.contact_name,
  c.contact_email, c.preferred_language, c.additional_info, c.scheduled_at, c.triggered_at, c.answered_at, c.completed_at,
  c.cancelled_at, c.duration_seconds, c.attempt, c.follows_call_id, c.scheduled_call_id, c.credits_consumed, c.recorded,
  c.analytics, c.extracted_details, c.error_code, c.error_message, c.created_at, c.updated_at`

export const fromCallRow = (row: CallRow): CallRecord => ({
  callId: row.call_id,
  agentId: row.agent_id,
  agentName: row.agent_name,
  status: row.status,
  direction: row.direction,
  contactNumber: row.contact_number,
  contactName: row.contact_name,
  contactEmail: row.contact_email,
  preferredLanguage: row.preferred_language,
  additionalInfo: row.additional_info,
  scheduledAt: row.scheduled_at,
  triggeredAt: row.triggered_at,
  answeredAt: row.answered_at,
  completedAt: row.completed_at,
  cancelledAt: row.cancelled_at,
  durationSeconds: row.duration_seconds,
  attempt: row.attempt,
  followsCallId: row.follows_call_id,
  scheduledCallId: row.scheduled_call_id,
  creditsConsumed: row.credits_consumed,
  recorded: row.recorded,
  analytics: row.analytics,
  extractedDetails: row.extracted_details,
  errorCode: row.error_code,
  errorMessage: row.error_message,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
