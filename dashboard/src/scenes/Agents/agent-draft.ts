// An agent as a form holds it, and as the server takes it.
import type { Agent, AgentBody, RetryReason, VoicemailAction } from '@parley/contract/agents'
import { fillTemplate, sampleOf, standingPlaceholders } from '@parley/contract/placeholders'
import { denseNumber } from '../NewCall/phone.ts'

export interface Draft {
  name: string
  type: Agent['type']
  language: string
  prompt: string
  greeting: string
  number: string
  branch_id: string
  attempts: string
  delay: string
  on: RetryReason[]
  voicemail: VoicemailAction
  message: string
  transfer_to: string
}

export const emptyDraft: Draft = {
  name: '',
  type: 'outbound',
  language: 'en',
  prompt: '',
  greeting: 'Hello {{user_name}}, this is the assistant of the clinic.',
  number: '',
  branch_id: '',
  attempts: '1',
  delay: '60s',
  on: [],
  voicemail: 'hang_up',
  message: '',
  transfer_to: '',
}

export const draftOf = (agent: Agent): Draft => ({
  name: agent.name,
  type: agent.type,
  language: agent.language,
  prompt: agent.prompt,
  greeting: agent.greeting,
  number: agent.number ?? '',
  branch_id: agent.branch_id ?? '',
  attempts: String(agent.retry.max_attempts),
  delay: agent.retry.delay,
  on: agent.retry.on,
  voicemail: agent.voicemail.action,
  message: agent.voicemail.message ?? '',
  transfer_to: agent.transfer_to ?? '',
})

/** A number that is no number is passed on as it is: the server says what is wrong with it. */
const wholeOr = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN)

export const bodyOf = (draft: Draft): AgentBody => ({
  name: draft.name.trim(),
  type: draft.type,
  language: draft.language.trim(),
  prompt: draft.prompt,
  greeting: draft.greeting,
  number: draft.number === '' ? null : draft.number,
  branch_id: draft.branch_id === '' ? null : draft.branch_id,
  retry: { max_attempts: wholeOr(draft.attempts), delay: draft.delay.trim(), on: draft.on },
  voicemail:
    draft.voicemail === 'hang_up'
      ? { action: 'hang_up' }
      : { action: 'leave_message', ...(draft.message.trim() === '' ? {} : { message: draft.message.trim() }) },
  transfer_to: denseNumber(draft.transfer_to) || null,
})

/** Only what differs: two people on one agent do not undo each other's fields. */
export function changesIn(before: Draft, now: Draft): Partial<AgentBody> {
  const [old, fresh] = [bodyOf(before), bodyOf(now)]
  return Object.fromEntries(
    Object.entries(fresh).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof AgentBody]),
    ),
  )
}

export const preview = (template: string): string => fillTemplate(template, sampleOf)

/** What has to come with each call. */
export const ownPlaceholders = (keys: readonly string[]): string[] =>
  keys.filter((key) => !standingPlaceholders.some((each) => each === key))
