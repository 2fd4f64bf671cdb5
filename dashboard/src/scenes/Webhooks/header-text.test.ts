import { describe, expect, it } from 'vitest'
import { readHeaders } from './header-text.ts'

const wanted = { timestamp: '1763197200', signature: 'v1=MTIz+/=', id: 'evt_1' }

describe('headers as people paste them', () => {
  it.each([
    [
      'HTTP',
      'Host: a.example\nX-Webhook-Id: evt_1\r\nX-Webhook-Timestamp: 1763197200\nX-Webhook-Signature: v1=MTIz+/=',
    ],
    [
      'JSON',
      '{\n"x-webhook-id": "evt_1",\n"x-webhook-timestamp": "1763197200",\n"x-webhook-signature": "v1=MTIz+/="\n}',
    ],
    [
      'JSON in one line',
      '{"x-webhook-id":"evt_1","x-webhook-timestamp":"1763197200","x-webhook-signature":"v1=MTIz+/="}',
    ],
    ['Python', "'X-Webhook-Id': 'evt_1', 'X-Webhook-Timestamp': '1763197200', 'X-Webhook-Signature': 'v1=MTIz+/='"],
    ['PHP', 'HTTP_X_WEBHOOK_ID=evt_1\nHTTP_X_WEBHOOK_TIMESTAMP=1763197200\nHTTP_X_WEBHOOK_SIGNATURE=v1=MTIz+/='],
    [
      'curl',
      "-H 'x-webhook-id: evt_1' \\\n-H 'x-webhook-timestamp: 1763197200' \\\n-H 'x-webhook-signature: v1=MTIz+/='",
    ],
  ])('%s', (_what, text) => {
    expect(readHeaders(text)).toEqual(wanted)
  })

  it('what is not there is empty', () => {
    expect(readHeaders('Content-Type: text/plain')).toEqual({ timestamp: '', signature: '', id: '' })
  })
})
