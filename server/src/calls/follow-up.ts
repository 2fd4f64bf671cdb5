import type { RetryPolicy, RetryReason } from '../agents/agent.ts'
import { newId } from '../platform/ids.ts'
import type { FollowUp } from './end-calls.store.ts'

// A lost node or an unknown dial is, for whoever set the policy, trouble on the way to the phone.
const reasonOf: Record<string, RetryReason> = {
  no_answer: 'no_answer',
  busy: 'busy',
  carrier_error: 'carrier_error',
  node_lost: 'carrier_error',
  dial_outcome_unknown: 'carrier_error',
  voicemail: 'voicemail',
}

/** A callback the callee asked for, else a retry when the agent's policy has one left for this outcome, else nothing. */
export function followUpFor(
  outcome: string | null,
  { callbackAt, attempt, retry }: { callbackAt: Date | null; attempt: number; retry: RetryPolicy },
): FollowUp | null {
  if (callbackAt) return { callId: newId('call'), source: 'callback', at: callbackAt, delayMs: null }
  const reason = outcome === null ? undefined : reasonOf[outcome]
  if (!reason || !retry.on.includes(reason) || attempt >= retry.maxAttempts) return null
  return { callId: newId('call'), source: 'retry', at: null, delayMs: retry.delayMs }
}
