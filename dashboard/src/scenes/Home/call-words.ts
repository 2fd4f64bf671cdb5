// What has become of a call, and what to do about it, in plain words.
import type { CallStatus } from '@parley/contract/calls'
import type { Tone } from '../../ui/mark.tsx'

export const stateWords: Record<CallStatus, { words: string; tone: Tone }> = {
  scheduled: { words: 'Planned', tone: 'calm' },
  queued: { words: 'Waiting for a line', tone: 'calm' },
  initiated: { words: 'Dialling', tone: 'busy' },
  ringing: { words: 'Ringing', tone: 'busy' },
  in_progress: { words: 'Talking', tone: 'busy' },
  completed: { words: 'Completed', tone: 'good' },
  failed: { words: 'Failed', tone: 'bad' },
  cancelled: { words: 'Cancelled', tone: 'calm' },
  disallowed: { words: 'Not allowed', tone: 'warn' },
}

const reasons: Record<string, string> = {
  busy: 'The line was busy.',
  no_answer: 'Nobody answered.',
  invalid_number: 'The number does not exist. Check it before calling again.',
  carrier_error: 'The phone network had a problem.',
  node_lost: 'A server stopped in the middle of the call.',
  dial_outcome_unknown: 'The phone network did not say what became of it.',
  agent_error: 'The agent could not take the call. Check that it has a number.',
  do_not_disturb: 'The number is on your do-not-call list.',
  insufficient_credits: 'There was no credit left.',
}
export const reasonWords = (code: string | null): string => reasons[code ?? ''] ?? 'It could not be completed.'

/** Calling again makes no sense while the cause stands. */
export const isWorthAnother = (code: string | null): boolean =>
  code !== 'do_not_disturb' && code !== 'invalid_number' && code !== 'insufficient_credits'

/** 12 of 16 → 75 %. Nobody called: no share. */
export const shareOf = (part: number, rest: number): string =>
  part + rest === 0 ? '–' : `${Math.round((part / (part + rest)) * 100)} %`

/** 7 calls, 1 call. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Since when, as a clock: 0:07, 12:05. */
export function clockSince(from: string | null, nowMs: number): string {
  if (from === null) return '–'
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(from)) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
