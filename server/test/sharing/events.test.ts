import type { CallEventData } from '@parley/contract/events'
import { describe, expect, it } from 'vitest'
import { replayDelivery } from '../../src/webhooks/deliveries.service.ts'
import { triggerEvent } from '../../src/webhooks/example-event.ts'
import { type Organisation, testClock } from '../app.ts'
import { answering, type Receiver, startReceiver } from '../receiver.ts'
import { createWorld } from '../webhooks/world.ts'
import { sharing, sharingOf } from './shared.ts'

const clock = testClock()
const t = await createWorld({ clock, settings: { PARLEY_WEBHOOK_RETRY_DELAYS: '1s' } })
const s = sharingOf(t, clock)

async function listening(file: object, events: ('*' | 'call.completed')[] = ['*']): Promise<[Organisation, Receiver]> {
  const receiver = await startReceiver()
  return [await t.organisation({ ...file, webhook_endpoints: [{ url: receiver.url, events }] }), receiver]
}
const dataOf = (receiver: Receiver) => receiver.received.map(({ event }) => event.data as CallEventData)
const statusOf = async (link: unknown) => (await s.get(String(link))).statusCode

describe('call events while sharing is on (§6.4)', async () => {
  const [org, receiver] = await listening(sharing())

  it('carry the page, its token and public media, the same in every event of the call', async () => {
    const { call_id } = await s.call(org)
    await receiver.until(2)
    const [initiated, completed] = dataOf(receiver).toSorted((a) => (a.status === 'initiated' ? -1 : 1))
    const token = String(completed?.share_token)
    expect(token).toMatch(/^[0-9a-z]{50}$/)
    const place = `http://127.0.0.1:3000/public/call/${call_id}`
    expect(completed).toMatchObject({
      call_details_url: `${place}/details?share_token=${token}`,
      call_recording: `${place}/recording?token=${token}`,
      call_transcript: `${place}/transcript?token=${token}`,
    })
    // There is a page from the beginning, and nothing to hear yet.
    expect(initiated).toMatchObject({
      share_token: token,
      call_details_url: completed?.call_details_url,
      call_recording: null,
      call_transcript: null,
    })
    clock.advance(86_400_000 * 365)
    for (const link of [completed?.call_details_url, completed?.call_recording, completed?.call_transcript]) {
      expect(await statusOf(link)).toBe(200)
    }
    expect(await statusOf(`${place}?token=${token}`)).toBe(200)
  })

  it('carry the page of a call that nobody answered, and no media', async () => {
    receiver.received.length = 0
    await s.call(org, { user_number: '+15005550002' })
    await receiver.until(2)
    const failed = dataOf(receiver).find((each) => each.status === 'failed')
    expect(failed).toMatchObject({ call_recording: null, call_transcript: null })
    expect(await statusOf(failed?.call_details_url)).toBe(200)
  })

  it('are retried with the same links; without them once the link is revoked, then with signed media', async () => {
    const [org, receiver] = await listening(sharing(), ['call.completed'])
    receiver.behave(answering(500))
    const { call_id } = await s.call(org)
    await receiver.until(1)
    receiver.behave(answering(200))
    await receiver.until(2)
    const [first, second] = dataOf(receiver)
    expect(first?.share_token).toMatch(/./)
    expect(second).toEqual(first)

    await s.revoke(org, call_id)
    const delivery = 'select delivery_id as id, status from webhook_deliveries where call_id = $1'
    const row = async () => (await t.db.query<{ id: string; status: string }>(delivery, [call_id]))[0]
    // A replay is a send of its own once the one before is recorded.
    await expect.poll(async () => (await row())?.status).toBe('succeeded')
    await replayDelivery(t.db, org.organisationId, String((await row())?.id), 'test')
    await receiver.until(3)
    expect(dataOf(receiver)[2]).toMatchObject({
      call_details_url: null,
      share_token: null,
      call_recording: expect.stringContaining('/media/recordings/'),
      call_transcript: expect.stringContaining('/media/transcripts/'),
    })
  })

  it('never carry a link that has expired', async () => {
    const [timed, hourly] = await listening(sharing('Timed', 'hour'), ['call.completed'])
    hourly.behave(answering(500))
    await s.call(timed)
    await hourly.until(1)
    clock.advance(3_600_000)
    hourly.behave(answering(200))
    await hourly.until(2)
    const [early, late] = dataOf(hourly)
    expect(early?.call_details_url).toMatch(/./)
    expect(late?.call_details_url).toBeNull()
    expect(await statusOf(early?.call_details_url)).toBe(410)
  })

  it('stream the same links', async () => {
    const { call_id } = await s.call(org)
    const { token, detailsUrl } = await s.link(org, call_id)
    const origin = await t.app.listen({ host: '127.0.0.1', port: 0 })
    const stream = await fetch(`${origin}/v1/events/stream`, { headers: { 'x-api-key': org.key } })
    const next = s.call(org)
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of stream.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.includes('call.completed')) break
    }
    const later = await s.link(org, (await next).call_id)
    expect(text).toContain(`"call_details_url":"${later.detailsUrl}","share_token":"${later.token}"`)
    expect([text.includes(token), text.includes(detailsUrl)]).toEqual([false, false])
  })

  it('leave no token in any row or log line', async () => {
    const { token } = await s.link(org, (await s.call(org)).call_id)
    for (const table of ['events', 'webhook_deliveries', 'webhook_attempts', 'webhook_queue', 'call_shares']) {
      const rows = await t.db.query(`select to_jsonb(x)::text as text from ${table} x`)
      expect(JSON.stringify(rows)).not.toMatch(new RegExp(`token=|${token}`))
    }
    expect(t.logLines.join('')).not.toContain(token)
  })
})

describe('call events while sharing is off', () => {
  it('have no page and no token, signed links of five minutes, and issue nothing', async () => {
    const [org, receiver] = await listening({})
    const { call_id } = await s.call(org)
    await receiver.until(2)
    for (const data of dataOf(receiver)) expect(data).toMatchObject({ call_details_url: null, share_token: null })
    const completed = dataOf(receiver).find((each) => each.status === 'completed')
    expect(completed?.call_recording).toContain('/media/recordings/')
    expect(await statusOf(completed?.call_recording)).toBe(200)
    expect(await t.db.query('select 1 from call_shares where call_id = $1', [call_id])).toEqual([])
  })

  it('lose their links with the next attempt after it is switched off', async () => {
    const [org, receiver] = await listening(sharing('Switching'), ['call.completed'])
    receiver.behave(answering(500))
    await s.call(org)
    await receiver.until(1)
    expect(await statusOf(dataOf(receiver)[0]?.call_details_url)).toBe(200)
    await s.set(org, { enabled: false })
    expect(await statusOf(dataOf(receiver)[0]?.call_details_url)).toBe(404)
    receiver.behave(answering(200))
    await receiver.until(2)
    expect(dataOf(receiver)[1]).toMatchObject({ call_details_url: null, share_token: null })
  })
})

it('example events are about no call and have no link', async () => {
  const [org, receiver] = await listening(sharing())
  await triggerEvent(t.db, org.organisationId, 'call.completed')
  await receiver.until(1)
  expect(dataOf(receiver)[0]).toMatchObject({ call_details_url: null, share_token: null })
})
