import { describe, expect, it } from 'vitest'
import {
  countdown,
  deliveryStatus,
  failureWords,
  headerLines,
  noticeWords,
  readable,
  shareWords,
  streakWords,
} from './webhook-words.ts'

describe('how an endpoint is doing', () => {
  it('a streak has words at 10, 25 and 40', () => {
    const words = [0, 1, 9, 10, 24, 25, 39, 40, 50].map((failures) => streakWords(failures).words)
    expect(words).toEqual([
      'No failures in a row',
      'The last attempt failed',
      'The last attempts failed',
      'Keeps failing',
      'Keeps failing',
      'Half way to being switched off',
      'Half way to being switched off',
      'About to be switched off',
      'About to be switched off',
    ])
  })

  it('one failure of a thousand is not 100 %', () => {
    expect(shareWords({ succeeded: 999, failed: 1 })).toBe('99 % arrived (999 of 1,000)')
    expect(shareWords({ succeeded: 3, failed: 0 })).toBe('100 % arrived (3 of 3)')
    expect(shareWords({ succeeded: 0, failed: 0 })).toBe('Nothing sent in the last day')
  })

  it('a notice names the last failure in plain words', () => {
    const notice = { endpoint_id: 'whe_1', created_at: '', consecutive_failures: 50 }
    expect(noticeWords({ ...notice, kind: 'disabled', last_failure: 'status 503' }).words).toBe(
      'Switched off after 50 failed attempts in a row. Last: answered with an error (503).',
    )
    expect(noticeWords({ ...notice, kind: 'failing', last_failure: null }).words).toBe('50 failed attempts in a row.')
  })
})

describe('how a delivery is doing', () => {
  it('one that was tried and waits is being retried', () => {
    expect(deliveryStatus({ status: 'pending', attempts: 0 }).words).toBe('Waiting')
    expect(deliveryStatus({ status: 'pending', attempts: 2 }).words).toBe('Retrying')
    expect(deliveryStatus({ status: 'held', attempts: 2 }).words).toBe('Held')
  })

  it('the next retry is counted down', () => {
    const now = Date.parse('2026-11-15T10:00:00Z')
    expect([0, 500, 29_500, 65_000, 3_725_000, -4_000].map((ms) => countdown(now + ms, now))).toEqual([
      'now',
      'in 1 s',
      'in 30 s',
      'in 1 min 5 s',
      'in 1 h 2 min',
      'now',
    ])
  })

  it('every class of failure has words, and one that is new is shown as it is', () => {
    expect(failureWords('timeout')).toBe('No answer in time')
    expect(failureWords('sunspots')).toBe('sunspots')
  })
})

it('JSON gets its lines, anything else stays as it is', () => {
  expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(readable('<img onerror=alert(1)>')).toBe('<img onerror=alert(1)>')
  expect(headerLines({ 'x-webhook-id': 'evt_1', a: 'b' })).toBe('x-webhook-id: evt_1\na: b')
})
