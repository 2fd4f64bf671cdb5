import type { AgentType, Carrier, RetryReason, VoicemailAction } from '@parley/contract/agents'

export type { AgentType, Carrier, RetryReason }

/** `maxAttempts` counts the first call: 1 means no retry (decisions 3). */
export type RetryPolicy = { maxAttempts: number; delayMs: number; on: RetryReason[] }
export const noRetry: RetryPolicy = { maxAttempts: 1, delayMs: 60_000, on: [] }

/** What is done about a machine that answers; a message only where one is left. */
export type VoicemailSetting = { action: VoicemailAction; message: string | null }
export const hangUp: VoicemailSetting = { action: 'hang_up', message: null }

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
  /** E.164 of a person on real lines; null: there is nobody to put people through to. */
  transferTo: string | null
}

export type Agent = NewAgent & {
  agentId: string
  number: string | null
  carrier: Carrier | null
  branchName: string | null
  archivedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export type PhoneNumber = NewPhoneNumber & {
  phoneNumberId: string
  inTheAir: number
  agents: { agentId: string; name: string }[]
  createdAt: Date
}

/** Why an agent cannot place calls (decisions 1). */
export const callingProblems = {
  agent_missing: 'There is no agent with this id.',
  agent_not_outbound: 'This agent only takes inbound calls.',
  agent_without_number: 'This agent has no phone number assigned.',
} as const
export type CallingProblem = keyof typeof callingProblems

/** The branches of an SQL `case` that finds the problem; `a` is the agents table, outer joined. */
export const whenItCannotCall = `when a.agent_id is null then 'agent_missing' when a.type <> 'outbound' then 'agent_not_outbound'
      when a.phone_number_id is null then 'agent_without_number'`
