// A retry policy as a sentence.
import type { Agent, RetryReason } from '@parley/contract/agents'

export const reasonLabels: Record<RetryReason, string> = {
  no_answer: 'no answer',
  busy: 'busy',
  carrier_error: 'network trouble',
  voicemail: 'voicemail',
}

/** 90 → 90 s, 300 → 5 min, 7200 → 2 h. */
export function waitWords(seconds: number): string {
  if (seconds > 0 && seconds % 3600 === 0) return `${seconds / 3600} h`
  if (seconds >= 120 && seconds % 60 === 0) return `${seconds / 60} min`
  return `${seconds} s`
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** 2 attempts, 60 s apart, on no answer and voicemail. */
export function retryWords({ max_attempts, delay_seconds, on }: Omit<Agent['retry'], 'delay'>): string {
  if (max_attempts <= 1 || on.length === 0) return 'One attempt, no retry'
  return `${max_attempts} attempts, ${waitWords(delay_seconds)} apart, on ${listed(on.map((each) => reasonLabels[each]))}`
}
