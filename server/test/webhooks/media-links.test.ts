import type { Call } from '@parley/contract/calls'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Organisation, testClock } from '../app.ts'
import { answering, type Receiver, startReceiver } from '../receiver.ts'
import { createWorld, type World } from './world.ts'

const clock = testClock()
let t: World
let receiver: Receiver
let org: Organisation

beforeAll(async () => {
  t = await createWorld({ clock, settings: { PARLEY_WEBHOOK_RETRY_DELAYS: '1s' } })
  receiver = await startReceiver()
  org = await t.organisation({ webhook_endpoints: [{ url: receiver.url, events: ['call.completed', 'call.failed'] }] })
})

type Media = Pick<Call, 'call_id'> & { call_recording: string | null; call_transcript: unknown }
// Calls are due by the database's clock; links are made by ours, here at a whole second.
const toNow = () => clock.set(new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString())
const place = async (number: string) => {
  toNow()
  receiver.received.length = 0
  await t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: number })
}
const mediaOf = (index: number) => receiver.received[index]?.event.data as Media
const get = (link: unknown, headers = {}) => t.app.inject({ url: String(link).replace(/^http:\/\/[^/]+/, ''), headers })

describe('links to media in events', () => {
  it('are made for each attempt, good for five minutes from it, and for one object each (§6.4)', async () => {
    receiver.behave(answering(500))
    await place('+15005550008')
    await receiver.until(1)
    const first = mediaOf(0)
    receiver.behave(answering(200))
    clock.advance(240_000)
    await receiver.until(2)
    const second = mediaOf(1)
    expect(receiver.received[1]?.event.event_id).toBe(receiver.received[0]?.event.event_id)
    expect(second.call_recording).not.toBe(first.call_recording)
    expect(second.call_transcript).not.toBe(first.call_transcript)

    // The first attempt's links have run out; the second's have not, to the second.
    clock.advance(61_000)
    expect((await get(first.call_recording)).statusCode).toBe(403)
    clock.advance(239_000)
    expect((await get(second.call_recording)).statusCode).toBe(200)
    clock.advance(1_000)
    expect((await get(second.call_recording)).statusCode).toBe(403)
  })

  it('answer with the right type, whole or in part', async () => {
    await place('+15005550008')
    await receiver.until(1)
    const { call_recording, call_transcript } = mediaOf(0)
    const sound = await get(call_recording)
    expect(sound.headers['content-type']).toBe('audio/wav')
    const part = await get(call_recording, { range: 'bytes=0-3' })
    expect([part.statusCode, part.headers['content-range'], part.body]).toEqual([
      206,
      `bytes 0-3/${sound.rawPayload.length}`,
      'RIFF',
    ])
    const transcript = await get(call_transcript)
    expect(transcript.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(transcript.json()[0]).toMatchObject({ speaker: 'agent', timestamp: expect.any(Number) })
    const swapped = String(call_recording).replace('/recordings/', '/transcripts/')
    expect((await get(swapped)).statusCode).toBe(403)
  })

  it('are there for a call whose line dropped, and null for one that was never answered', async () => {
    await place('+15005550012')
    await receiver.until(1)
    expect(mediaOf(0).call_recording).toMatch(/\/media\/recordings\/call_/)
    await place('+15005550002')
    await receiver.until(1)
    expect(mediaOf(0)).toMatchObject({ call_recording: null, call_transcript: null })
  })

  it('are in no row of the database and in no log line', async () => {
    for (const table of ['events', 'webhook_deliveries', 'webhook_attempts', 'webhook_queue']) {
      const rows = await t.db.query(`select to_jsonb(x)::text as text from ${table} x`)
      expect(JSON.stringify(rows)).not.toContain('signature=')
    }
    expect(t.logLines.join('')).not.toContain('signature=')
  })
})

describe('erasing a call', () => {
  it('erases its events, deliveries and what receivers answered, and drops what was still to be sent', async () => {
    toNow()
    receiver.behave(answering(500, 'Dear Maya, we got it'))
    receiver.received.length = 0
    const made = await t.send(org.key, 'POST', '/v1/calls', {
      agent_id: org.agentId,
      user_number: '+15005550008',
      user_name: 'Maya',
    })
    const callId = made.json().data.call_id
    await receiver.until(1)
    await expect
      .poll(() => t.db.query(`select response from webhook_attempts where response is not null limit 1`))
      .toEqual([{ response: 'Dear Maya, we got it' }])
    expect((await t.send(org.key, 'DELETE', `/v1/calls/${callId}`)).statusCode).toBe(200)
    for (const table of ['events', 'webhook_deliveries', 'webhook_attempts', 'webhook_queue']) {
      const rows = await t.db.query(`select to_jsonb(x)::text as text from ${table} x`)
      expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${callId}|Maya`))
    }
    const before = receiver.received.length
    await t.happen(org)
    await receiver.until(before + 1)
    expect(receiver.received.slice(before).every(({ raw }) => !raw.includes(callId))).toBe(true)
  })

  it('while it is being sent records nothing about it afterwards', async () => {
    receiver.received.length = 0
    toNow()
    let answer = () => {}
    receiver.behave((_request, response) => {
      answer = () => void response.writeHead(200).end('Dear Maya')
    })
    const made = await t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005550008' })
    const callId = made.json().data.call_id
    await receiver.until(1)
    expect((await t.send(org.key, 'DELETE', `/v1/calls/${callId}`)).statusCode).toBe(200)
    answer()
    receiver.behave(answering(200))
    await t.happen(org)
    await receiver.until(2)
    expect(await t.db.query('select 1 from webhook_deliveries where call_id = $1', [callId])).toEqual([])
    expect(await t.db.query(`select 1 from webhook_attempts where response = 'Dear Maya'`)).toEqual([])
  })
})
