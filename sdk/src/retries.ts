import { ParleyApiError, ParleyConnectionError } from './errors.ts'

const firstBackoffMs = 500
const longestBackoffMs = 8_000
/** The service limits by the minute. A longer wait (a daily quota) is for the caller to plan, not to sit through. */
const longestRetryAfterSeconds = 60

/** 408: the request did not arrive whole. 5xx is safe because every request we send may be repeated (http.ts). */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

/**
 * How long to wait before repeat number `repeat` (from 0), or null: repeating will not help. Never sooner than
 * Retry-After says; half of the backoff is `chance` (0 to 1), so that many clients do not come back at once.
 */
export function waitBeforeRepeatMs(failure: unknown, repeat: number, chance: number): number | null {
  const backoffMs = (Math.min(longestBackoffMs, firstBackoffMs * 2 ** repeat) * (1 + chance)) / 2
  if (failure instanceof ParleyConnectionError) return backoffMs
  if (!(failure instanceof ParleyApiError) || !isPassing(failure.status)) return null
  const askedSeconds = failure.retryAfterSeconds ?? 0
  return askedSeconds > longestRetryAfterSeconds ? null : askedSeconds * 1_000 + backoffMs
}
