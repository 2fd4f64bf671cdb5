import type { AgentBody, AgentPatch, PhoneNumberBody } from '@parley/contract/agents'
import { parseDurationMs } from '../platform/duration.ts'
import { type Fault, fault } from '../platform/errors.ts'
import { isE164 } from '../platform/phone.ts'
import {
  hangUp,
  type NewAgent,
  type NewPhoneNumber,
  noRetry,
  type RetryPolicy,
  type VoicemailSetting,
} from './agent.ts'

// What a schema cannot say of agents and numbers, and what holds when nothing is said. `parley apply` and the dashboard
// ask here, so that what one takes the other takes too.

type RetryFields = NonNullable<AgentBody['retry']>
type VoicemailFields = NonNullable<AgentBody['voicemail']>
const fieldsOf = <T>(value: unknown): Partial<T> => (typeof value === 'object' && value !== null ? (value as T) : {})

export function agentFaults(
  agent: { name?: unknown; retry?: unknown; voicemail?: unknown; transfer_to?: unknown },
  at = '',
): Fault[] {
  const { delay } = fieldsOf<RetryFields>(agent.retry)
  const { action, message } = fieldsOf<VoicemailFields>(agent.voicemail)
  return [
    ...(typeof delay === 'string' && parseDurationMs(delay) === null
      ? [fault(`${at}retry.delay`, 'format', 'Write a duration such as 60s, 5m or 1h.')]
      : []),
    ...(typeof agent.name === 'string' && agent.name !== '' && agent.name.trim() === ''
      ? [fault(`${at}name`, 'required', 'Give the agent a name.')]
      : []),
    ...(action === 'leave_message' && message === undefined
      ? [fault(`${at}voicemail.message`, 'required', 'Say what to leave: a message.')]
      : []),
    ...(action === 'hang_up' && message !== undefined
      ? [fault(`${at}voicemail.message`, 'not_allowed', 'An agent that hangs up leaves no message.')]
      : []),
    ...(typeof agent.transfer_to === 'string' && !isE164(agent.transfer_to)
      ? [fault(`${at}transfer_to`, 'format', inE164)]
      : []),
  ]
}

const inE164 = 'Write the number in E.164, e.g. +15005550000.'

export const phoneNumberFaults = ({ number }: { number?: unknown }, at = ''): Fault[] =>
  typeof number === 'string' && !isE164(number) ? [fault(`${at}number`, 'format', inE164)] : []

export const withDefaults = (
  agent: Pick<AgentBody, 'name' | 'type' | 'language' | 'prompt' | 'greeting' | 'retry' | 'voicemail' | 'transfer_to'>,
): Omit<NewAgent, 'phoneNumberId' | 'branchId'> => ({
  name: agent.name,
  type: agent.type ?? 'outbound',
  language: agent.language ?? 'en',
  prompt: agent.prompt ?? '',
  greeting: agent.greeting ?? `Hello, this is ${agent.name}.`,
  retry: toRetry(agent.retry ?? {}, noRetry),
  voicemail: toVoicemail(agent.voicemail, hangUp),
  transferTo: agent.transfer_to ?? null,
})

const toVoicemail = (given: VoicemailFields | undefined, before: VoicemailSetting): VoicemailSetting =>
  given ? { action: given.action, message: given.message ?? null } : before

/** What is not given stays as it was. */
export const toRetry = (retry: RetryFields, before: RetryPolicy): RetryPolicy => ({
  maxAttempts: retry.max_attempts ?? before.maxAttempts,
  delayMs: parseDurationMs(retry.delay ?? '') ?? before.delayMs,
  on: [...new Set(retry.on ?? before.on)],
})

export const numberWithDefaults = (each: PhoneNumberBody): Omit<NewPhoneNumber, 'trunkId'> => ({
  number: each.number,
  carrier: each.carrier ?? 'simulator',
  maxConcurrent: each.max_concurrent ?? 10,
})

/** The fields a change names, over what the agent is. */
export const changed = (agent: NewAgent, patch: AgentPatch): Omit<NewAgent, 'phoneNumberId' | 'branchId'> => ({
  name: patch.name ?? agent.name,
  type: patch.type ?? agent.type,
  language: patch.language ?? agent.language,
  prompt: patch.prompt ?? agent.prompt,
  greeting: patch.greeting ?? agent.greeting,
  retry: toRetry(patch.retry ?? {}, agent.retry),
  voicemail: toVoicemail(patch.voicemail, agent.voicemail),
  transferTo: patch.transfer_to === undefined ? agent.transferTo : patch.transfer_to,
})
