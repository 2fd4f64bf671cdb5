import { eventSchemas } from '@parley/contract/events'
import { Value } from 'typebox/value'
import { beforeAll, describe, expect, it } from 'vitest'
import { signatureOf } from '../../src/webhooks/sign.ts'
import { createTestApp, type Organisation, type TestApp } from '../app.ts'
import { answering, caFile, type Receiver, startReceiver } from '../receiver.ts'

let t: TestApp
let receiver: Receiver
let org: Organisation

beforeAll(async () => {
  t = await createTestApp({
    settings: {
      PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
      PARLEY_WEBHOOK_CA_FILE: await caFile(),
      PARLEY_WEBHOOK_RETRY_DELAYS: '100ms,200ms,300ms,400ms',
    },
    workers: {},
  })
  receiver = await startReceiver()
  org = await t.organisation({ webhook_endpoints: [{ url: receiver.url, events: ['*'] }] })
})

const createCall = async (number: string) => {
  const answer = await t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: number })
  return answer.json().data.call_id as string
}

describe('a delivery', () => {
  it('carries the headers of §6.1 and a signature over exactly the bytes sent', async () => {
    const callId = await createCall('+15005550008')
    await receiver.until(2)
    const [first, second] = receiver.received
    expect(first?.event.event_type).toBe('call.initiated')
    expect(second?.event.event_type).toBe('call.completed')
    for (const { headers, raw, event } of receiver.received) {
      expect(event.data).toMatchObject({ call_id: callId })
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Parley-Webhooks/1',
        'x-webhook-id': event.event_id,
      })
      const timestamp = Number(headers['x-webhook-timestamp'])
      expect(Math.abs(timestamp - Date.now() / 1_000)).toBeLessThan(60)
      const secret = org.webhook_endpoints[0]?.secret ?? ''
      expect(headers['x-webhook-signature']).toBe(signatureOf(secret, timestamp, raw))
      expect([...Value.Errors(eventSchemas[event.event_type], event)]).toEqual([])
    }
  })

  it('is retried down the whole ladder with the same event_id, then failed', async () => {
    receiver.behave(answering(500, 'no'))
    receiver.received.length = 0
    await createCall('+15005550002')
    await receiver.until(10)
    const ids = new Set(receiver.received.map(({ event }) => event.event_id))
    expect(ids.size).toBe(2)
    await expect
      .poll(() => t.db.query('select status, attempts from webhook_deliveries order by created_at desc limit 2'))
      .toEqual([
        { status: 'failed', attempts: 5 },
        { status: 'failed', attempts: 5 },
      ])
    for (const id of ids) {
      const times = receiver.received.filter(({ event }) => event.event_id === id).map(({ atMs }) => atMs)
      const waits = times.slice(1).map((at, i) => at - (times[i] ?? 0))
      for (const [i, least] of [100, 200, 300, 400].entries()) expect(waits[i]).toBeGreaterThanOrEqual(least)
    }
    receiver.behave(answering(200))
  })
})
