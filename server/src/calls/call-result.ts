import type { ConversationResult } from '../voice/conversation.ts'
import { DialRefused, type LegEnd } from '../voice/ports.ts'
import { BrainFailed } from '../voice/turn.ts'
import type { SlotOfCall } from './booking.ts'

/** How a call came out, before it is written. `conversation` only when it counts as completed. */
export type CallResult = {
  error: { code: string; message: string } | null
  answered: boolean
  durationSeconds: number | null
  conversation: ConversationResult | null
  callbackAt: Date | null
  /** Whether what was heard has been stored; null when nobody recorded. */
  recorded: boolean | null
  /** A place the agent still kept free when the talk ended. */
  hold: SlotOfCall | null
}

const messages: Record<string, string> = {
  busy: 'The line was busy, or the call was declined.',
  no_answer: 'Nobody answered.',
  invalid_number: 'The carrier does not know this number.',
  carrier_error: 'The carrier could not connect the call, or lost it.',
  node_lost: 'The node carrying the call went away.',
  dial_outcome_unknown: 'The carrier did not say whether it took the call. It was not dialled again.',
  agent_error: 'The agent could not go on.',
}
export const failureOf = (code: string) => ({ code, message: messages[code] ?? code })

export const failedResult = (code: string, message: string): CallResult => ({
  error: { code, message },
  answered: false,
  durationSeconds: null,
  conversation: null,
  callbackAt: null,
  recorded: null,
  hold: null,
})

export function resultOfDialError(error: unknown, stopped: boolean): CallResult {
  const code = error instanceof DialRefused ? error.reason : stopped ? 'node_lost' : 'dial_outcome_unknown'
  return failedResult(code, failureOf(code).message)
}

export type LegOutcome = {
  end: LegEnd | null
  outcome: ConversationResult | BrainFailed | null
  seconds: number
  stopped: boolean
  callbackAt: Date | null
  hold: SlotOfCall | null
}

/** Pure: what the leg and the talk together mean. */
export function resultOfLeg({ end, outcome, seconds, stopped, callbackAt, hold }: LegOutcome): CallResult {
  const answered = outcome !== null
  const durationSeconds = answered ? Math.max(0, Math.round(seconds)) : null
  const failed = (code: string): CallResult => ({
    error: failureOf(code),
    answered,
    durationSeconds,
    conversation: null,
    callbackAt,
    recorded: null,
    hold,
  })
  if (outcome instanceof BrainFailed) return failed('agent_error')
  if (!outcome) return failed(codeBeforeAnswer(end, stopped))
  if (end?.reason === 'line_dropped' || end?.reason === 'carrier_error') return failed('carrier_error')
  // The talk was cut off by us, not by the callee.
  if (stopped && outcome.ending === 'hung_up_by_callee') return failed('node_lost')
  return { error: null, answered, durationSeconds, conversation: outcome, callbackAt, recorded: null, hold }
}

function codeBeforeAnswer(end: LegEnd | null, stopped: boolean): string {
  if (stopped) return 'node_lost'
  if (!end) return 'carrier_error'
  if (end.reason === 'hangup') return end.by === 'callee' ? 'busy' : 'no_answer'
  return end.reason === 'line_dropped' ? 'carrier_error' : end.reason
}
