import type { AgentBody, AgentPatch, PhoneNumberBody } from '@parley/contract/agents'
import { parseDurationMs } from '../platform/duration.ts'
import { type Fault, fault } from '../platform/errors.ts'
import { isE164 } from '../platform/phone.ts'
import { type NewAgent, type NewPhoneNumber, noRetry, type RetryPolicy } from './agent.ts'

// What a schema cannot say of agents and numbers, and what holds when nothing is said. `parley apply` and the dashboard
// ask here, so that what one takes the other takes too.

type RetryFields = NonNullable<AgentBody['retry']>

export function agentFaults(agent: { name?: unknown; retry?: unknown }, at = ''): Fault[] {
  const { delay } = (typeof agent.retry === 'object' && agent.retry !== null ? agent.retry : {}) as RetryFields
  return [
    ...(typeof delay === 'string' && parseDurationMs(delay) === null
      ? [fault(`${at}retry.delay`, 'format', 'Write a duration such as 60s, 5m or 1h.')]
      : []),
    ...(typeof agent.name === 'string' && agent.name !== '' && agent.name.trim() === ''
      ? [fault(`${at}name`, 'required', 'Give the agent a name.')]
      : []),
  ]
}

export const phoneNumberFaults = ({ number }: { number?: unknown }, at = ''): Fault[] =>
  typeof number === 'string' && !isE164(number)
    ? [fault(`${at}number`, 'format', 'Write the number in E.164, e.g. +15005550000.')]
    : []

export const withDefaults = (
  agent: Pick<AgentBody, 'name' | 'type' | 'language' | 'prompt' | 'greeting' | 'retry'>,
): Omit<NewAgent, 'phoneNumberId' | 'branchId'> => ({
  name: agent.name,
  type: agent.type ?? 'outbound',
  language: agent.language ?? 'en',
  prompt: agent.prompt ?? '',
  greeting: agent.greeting ?? `Hello, this is ${agent.name}.`,
  retry: toRetry(agent.retry ?? {}, noRetry),
})

/** What is not given stays as it was. */
export const toRetry = (retry: RetryFields, before: RetryPolicy): RetryPolicy => ({
  maxAttempts: retry.max_attempts ?? before.maxAttempts,
  delayMs: parseDurationMs(retry.delay ?? '') ?? before.delayMs,
  on: [...new Set(retry.on ?? before.on)],
})

export const numberWithDefaults = (each: PhoneNumberBody): NewPhoneNumber => ({
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
})
