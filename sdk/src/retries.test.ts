import { describe, expect, it } from 'vitest'
import { ParleyConnectionError, toApiError } from './errors.ts'
import { waitBeforeRepeatMs } from './retries.ts'

const refused = (status: number, retryAfter?: string) =>
  toApiError({
    status,
    headers: new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    body: undefined,
    idempotencyKey: undefined,
  })
const cut = new ParleyConnectionError('cut', { timedOut: false, idempotencyKey: undefined })

describe('the wait before a repeat', () => {
  it.each([408, 429, 500, 502, 503, 504])('%i is repeated', (status) => {
    expect(waitBeforeRepeatMs(refused(status), 0, 0)).toBe(250)
  })

  it.each([200, 302, 400, 401, 403, 404, 409, 413, 415, 422, 431])('%i is not', (status) => {
    expect(waitBeforeRepeatMs(refused(status), 0, 0)).toBeNull()
  })

  it('a fault of our own is not', () => {
    expect(waitBeforeRepeatMs(new TypeError('bug'), 0, 0)).toBeNull()
  })

  it('doubles up to eight seconds, half of it by chance', () => {
    const longest = [0, 1, 2, 3, 4, 5, 5_000].map((repeat) => waitBeforeRepeatMs(cut, repeat, 1))
    expect(longest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
    expect(waitBeforeRepeatMs(cut, 4, 0)).toBe(4_000)
  })

  it.each([429, 503])('comes on top of what Retry-After asks for (%i)', (status) => {
    expect(waitBeforeRepeatMs(refused(status, '60'), 0, 0)).toBe(60_250)
  })

  it.each(['61', '9'.repeat(400)])('is not sat through when Retry-After is %s', (retryAfter) => {
    expect(waitBeforeRepeatMs(refused(429, retryAfter), 0, 0)).toBeNull()
  })
})
