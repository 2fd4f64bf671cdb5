import { describe, expect, it } from 'vitest'
import { ApiFailure, type FailureFacts } from './api-failure.ts'
import { explain, waitInWords } from './explain.ts'

const failure = (facts: Partial<FailureFacts>) =>
  new ApiFailure({ status: 400, code: 'X', message: '', details: [], ...facts })

describe('explain', () => {
  it('blames the connection when no answer came', () => {
    expect(explain(failure({ status: 0, code: 'NO_ANSWER' })).title).toBe('Parley cannot be reached')
  })

  it('says how long to wait', () => {
    const said = explain(failure({ status: 429, code: 'RATE_LIMITED', retryAfterSeconds: 90, requestId: 'req_1' }))
    expect(said).toEqual({ title: 'Too many attempts', text: 'Wait 2 minutes, then try again.', requestId: 'req_1' })
  })

  it.each([
    { status: 500, code: 'INTERNAL_ERROR', message: 'stack trace' },
    { status: 404, code: 'UNREADABLE' },
  ])('takes the blame for %j and repeats nothing of the inside', (facts) => {
    expect(explain(failure(facts))).toMatchObject({
      title: 'Something went wrong on our side',
      text: 'Try again in a moment.',
    })
  })

  it("passes the server's own words on for any other refusal", () => {
    expect(explain(failure({ status: 403, message: 'Your account is locked.' })).text).toBe('Your account is locked.')
  })

  it('has words for a fault of the page itself', () => {
    expect(explain(new TypeError('x is undefined'))).toMatchObject({ title: 'Something went wrong in this page' })
  })
})

describe('waitInWords', () => {
  it.each([
    [undefined, 'Wait a minute'],
    [0, 'Wait a second'],
    [45, 'Wait 45 seconds'],
    [60, 'Wait a minute'],
    [61, 'Wait 2 minutes'],
    [3600, 'Wait an hour'],
    [7000, 'Wait 2 hours'],
  ])('%j s: %s', (seconds, words) => expect(waitInWords(seconds)).toBe(words))
})
