import type { AdditionalInfo, CallAnalytics, CallStatus } from '@parley/contract/calls'
import type { callSources } from '@parley/contract/dashboard-calls'

export type CallSource = (typeof callSources)[number]

/** A valid request for a call; `scheduledAt` null means as soon as PARLEY_CALL_DELAY allows. */
export type NewCall = {
  agentId: string
  contactNumber: string
  contactName: string | null
  contactEmail: string | null
  preferredLanguage: string | null
  additionalInfo: AdditionalInfo | null
  scheduledAt: Date | null
  source: CallSource
}

/** `contactNumber` is empty for somebody who called without showing a number. */
export type CallRecord = {
  callId: string
  agentId: string
  agentName: string
  status: CallStatus
  direction: 'outbound' | 'inbound'
  contactNumber: string
  contactName: string | null
  contactEmail: string | null
  preferredLanguage: string | null
  additionalInfo: AdditionalInfo | null
  scheduledAt: Date | null
  triggeredAt: Date | null
  answeredAt: Date | null
  completedAt: Date | null
  cancelledAt: Date | null
  durationSeconds: number | null
  attempt: number
  followsCallId: string | null
  scheduledCallId: string | null
  creditsConsumed: number | null
  /** Whether what was heard has been stored; null when nobody recorded, and it is rendered from the words. */
  recorded: boolean | null
  analytics: CallAnalytics | null
  extractedDetails: Record<string, unknown> | null
  errorCode: string | null
  errorMessage: string | null
  createdAt: Date
  updatedAt: Date
}
