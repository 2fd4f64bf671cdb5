import { describe, expect, it } from 'vitest'
import { ParleyApiError, readRetryAfter, toApiError } from './errors.ts'

const answer = (body: unknown, headers: Record<string, string> = {}) =>
  toApiError({ status: 422, headers: new Headers(headers), body, idempotencyKey: 'key-1' })

describe('ParleyApiError', () => {
  it("carries the answer's facts", () => {
    const details = [{ field: 'user_number', code: 'invalid_phone_number', message: 'Use E.164.' }]
    const error = { code: 'INVALID_PHONE_NUMBER', message: 'Not a number.', details, request_id: 'req_1' }
    const failure = answer({ success: false, error }, { 'retry-after': '7' })
    expect(failure).toBeInstanceOf(ParleyApiError)
    expect(failure).toMatchObject({
      name: 'ParleyApiError',
      message: 'Not a number.',
      status: 422,
      code: 'INVALID_PHONE_NUMBER',
      details,
      requestId: 'req_1',
      retryAfterSeconds: 7,
      idempotencyKey: 'key-1',
    })
  })

  it('takes the request id from the header when the body has none', () => {
    expect(answer(undefined, { 'x-request-id': 'req_2' })).toMatchObject({ code: 'UNREADABLE', requestId: 'req_2' })
  })

  it.each([
    null,
    'text',
    [],
    { error: null },
    { error: 'no' },
    { error: { code: 7, message: {}, details: {}, request_id: 1 } },
    { error: { details: [null, 1, { field: 'a' }] } },
  ])('%j gives an error of the usual shape', (body) => {
    expect(answer(body)).toMatchObject({ code: 'UNREADABLE', details: [], message: expect.stringContaining('422') })
    expect(answer(body).requestId).toBeUndefined()
  })
})

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-11-15T09:30:00.000Z')
  it.each([
    ['0', 0],
    [' 12 ', 12],
    ['Sun, 15 Nov 2026 09:30:05 GMT', 5],
    ['Sun, 15 Nov 2026 09:29:00 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j means %j seconds', (header, seconds) => {
    expect(readRetryAfter(header, nowMs)).toBe(seconds)
  })
})
