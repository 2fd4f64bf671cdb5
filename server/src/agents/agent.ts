export const agentTypes = ['outbound', 'inbound'] as const
export type AgentType = (typeof agentTypes)[number]

export const carriers = ['simulator', 'sip', 'twilio'] as const
export type Carrier = (typeof carriers)[number]

export const retryReasons = ['no_answer', 'busy', 'carrier_error', 'voicemail'] as const
export type RetryReason = (typeof retryReasons)[number]

/** `maxAttempts` counts the first call: 1 means no retry (decisions 3). */
export type RetryPolicy = { maxAttempts: number; delayMs: number; on: RetryReason[] }
export const noRetry: RetryPolicy = { maxAttempts: 1, delayMs: 60_000, on: [] }

export const voicemailActions = ['hang_up', 'leave_message'] as const
/** What is done about a machine that answers; a message only where one is left. */
export type VoicemailSetting = { action: (typeof voicemailActions)[number]; message: string | null }

/** `trunkId`: how a number of the carrier sip is reached. */
export type NewPhoneNumber = { number: string; carrier: Carrier; maxConcurrent: number; trunkId: string | null }

export type NewAgent = {
  name: string
  type: AgentType
  language: string
  prompt: string
  greeting: string
  phoneNumberId: string | null
  branchId: string | null
  retry: RetryPolicy
  voicemail: VoicemailSetting
}
