import type { CallDetail, CallNews } from '@parley/contract/dashboard-calls'
import { expect, it } from 'vitest'
import { attemptText, hostOf, timelineOf } from './timeline.ts'

const at = (second: number) => `2026-11-15T09:00:${String(second).padStart(2, '0')}.000Z`
const detail = {
  call: {
    status: 'failed',
    created_at: at(0),
    call_triggered_at: at(15),
    completed_at: at(20),
    cancelled_at: null,
    error: { code: 'no_answer', message: 'x' },
  },
  source: 'retry',
  attempt: 2,
  queued_at: at(14),
  ringing_at: at(16),
  answered_at: null,
} as unknown as CallDetail
const news = {
  events: [{ event_id: 'evt_1', event_type: 'call.failed', created_at: at(20) }],
  deliveries: [
    {
      delivery_id: 'dlv_1',
      event_type: 'call.failed',
      endpoint_url: 'https://example.com/hook',
      log: [
        { number: 1, started_at: at(21), duration_ms: 12, status_code: 500, failure: 'status', detail: null },
        { number: 2, started_at: at(51), duration_ms: 9, status_code: 200, failure: null, detail: null },
      ],
    },
  ],
} as unknown as CallNews

it('goes from the request to each attempt, in order, cause before effect', () => {
  const requests = [{ request_id: 'req_1', at: at(0), action: 'call.create', status: 201 }]
  expect(timelineOf(detail, news, requests).map(({ title, text, tone }) => [title, text, tone])).toEqual([
    ['Request to the inbound hook: call.create', 'Answered 201', 'calm'],
    ['Created', 'An automatic retry, number 2', 'calm'],
    ['Due, waiting for a line', undefined, 'calm'],
    ['Dialled', undefined, 'busy'],
    ['Ringing', undefined, 'busy'],
    ['Failed', 'Nobody answered', 'bad'],
    ['Event call.failed', undefined, 'calm'],
    ['Delivery failed: call.failed, attempt 1', 'Answered 500 after 12 ms · example.com', 'bad'],
    ['Delivered: call.failed, attempt 2', 'Answered 200 after 9 ms · example.com', 'good'],
  ])
})

it('an attempt without an answer says why', () => {
  const attempt = { duration_ms: 8000, status_code: null, failure: 'timeout', detail: null } as never
  expect(attemptText(attempt)).toBe('timeout after 8000 ms')
  expect(hostOf(null)).toBe('an endpoint that is gone')
})
