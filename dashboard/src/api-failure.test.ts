import { describe, expect, it } from 'vitest'
import { readFailure, readRetryAfter } from './api-failure.ts'

const nowMs = Date.UTC(2026, 10, 15, 12, 0, 0)
const read = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  readFailure(status, new Headers(headers), typeof body === 'string' ? body : JSON.stringify(body), nowMs).facts

describe('readFailure', () => {
  it('takes code, message, details and request id from the error body', () => {
    const details = [{ field: 'email', code: 'format', message: 'must be an e-mail address' }]
    const error = { code: 'VALIDATION_ERROR', message: 'Invalid request', details, request_id: 'req_1' }
    expect(read(400, { success: false, error })).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      message: 'Invalid request',
      details,
      requestId: 'req_1',
      retryAfterSeconds: undefined,
    })
  })

  it('falls back to the X-Request-Id header', () => {
    expect(read(500, { error: { code: 'INTERNAL' } }, { 'x-request-id': 'req_2' }).requestId).toBe('req_2')
  })

  it.each(['<html>502 Bad Gateway</html>', '', '{"error":', 'null', '[]', '{"error":"no"}', '{"error":{"code":7}}'])(
    'calls %j unreadable instead of failing',
    (body) => {
      expect(read(502, body)).toMatchObject({ status: 502, code: 'UNREADABLE', message: '', details: [] })
    },
  )

  it('drops details that are not objects and fills what they lack', () => {
    const facts = read(400, { error: { code: 'X', details: [null, 'no', { field: 'email' }] } })
    expect(facts.details).toEqual([{ field: 'email', code: '', message: '' }])
  })
})

describe('readRetryAfter', () => {
  it('reads seconds', () => expect(readRetryAfter(' 42 ', nowMs)).toBe(42))
  it('reads an HTTP date', () => expect(readRetryAfter('Sun, 15 Nov 2026 12:01:30 GMT', nowMs)).toBe(90))
  it('makes a past date no wait', () => expect(readRetryAfter('Sun, 15 Nov 2026 11:00:00 GMT', nowMs)).toBe(0))
  it('ignores what is neither', () => {
    expect(readRetryAfter(null, nowMs)).toBeUndefined()
    expect(readRetryAfter('', nowMs)).toBeUndefined()
    expect(readRetryAfter('soon', nowMs)).toBeUndefined()
  })
})

it('a refusal for want of a place brings along where there is one', () => {
  const slot = { slot_id: 'c||2026-11-16' }
  const body = (alternatives: unknown) => JSON.stringify({ success: false, error: { code: 'SLOT_FULL', alternatives } })
  expect(readFailure(409, new Headers(), body([slot]), 0).facts.alternatives).toEqual([slot])
  expect(readFailure(409, new Headers(), body('none'), 0).facts.alternatives).toBeUndefined()
})
