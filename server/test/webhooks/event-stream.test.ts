import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventExamples } from '@parley/contract/event-examples'
import { type EventType, eventSchemas } from '@parley/contract/events'
import { Value } from 'typebox/value'
import { request } from 'undici'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { revokeApiKey } from '../../src/api-keys/api-keys.service.ts'
import { readServerSentEvents, type ServerSentEvent } from '../../src/cli/server-sent-events.ts'
import { recordEvents } from '../../src/webhooks/events.service.ts'
import { triggerEvent } from '../../src/webhooks/example-event.ts'
import { createTestApp, type Organisation, type TestApp } from '../app.ts'
import { makeEvents } from '../dashboard.ts'

let t: TestApp
let base: string
let org: Organisation

const listening = async ({ app }: TestApp) => app.listen({ host: '127.0.0.1', port: 0 })

beforeAll(async () => {
  t = await createTestApp({ heartbeatMs: 100 })
  base = await listening(t)
})
beforeEach(async () => {
  org = await t.organisation()
})

/** A connection that keeps what it is told, until it is cut. */
async function follow(key = org.key, headers: Record<string, string> = {}, at = base) {
  const cut = new AbortController()
  const answer = await request(`${at}/v1/events/stream`, {
    headers: { 'x-api-key': key, ...headers },
    signal: cut.signal,
  })
  const blocks: ServerSentEvent[] = []
  const read = async () => {
    for await (const block of readServerSentEvents(answer.body)) blocks.push(block)
  }
  const over = read().then(
    () => 'ended by the server',
    () => 'cut',
  )
  const events = () => blocks.filter((each) => each.data !== '')
  const ids = () => events().map((each) => each.id)
  return {
    ...answer,
    events,
    ids,
    over,
    lastId: () => blocks.findLast((each) => each.id !== null)?.id ?? '',
    until: async (count: number) => {
      for (let waitedMs = 0; events().length < count; waitedMs += 10) {
        if (waitedMs > 20_000) throw new Error(`${events().length} of ${count} events came`)
        await sleep(10)
      }
      return ids()
    },
    cut: async () => {
      cut.abort()
      await over
    },
  }
}
const trigger = (type: EventType) => triggerEvent(t.db, org.organisationId, type)
const refusal = async (headers: Record<string, string>, query = '') => {
  const { statusCode, body } = await request(`${base}/v1/events/stream${query}`, { headers })
  const { error } = (await body.json()) as { error: { code: string; details: { field: string }[] } }
  return [statusCode, error.code, ...error.details.map((each) => each.field)]
}

describe('the stream of events', () => {
  it('gives each event once, as it happens, as a webhook would carry it', async () => {
    await trigger('call.initiated')
    const stream = await follow()
    expect(stream.statusCode).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^req_/),
      'ratelimit-policy': expect.any(String),
    })
    const made = []
    for (const type of ['call.completed', 'appointment.created', 'slot.updated'] as const) {
      made.push(await trigger(type))
      expect(await stream.until(made.length)).toEqual(made)
    }
    for (const { id, event, data } of stream.events()) {
      const body = JSON.parse(data)
      expect([...Value.Errors(eventSchemas[event as EventType], body)]).toEqual([])
      expect(body).toMatchObject({ event_id: id, event_type: event })
    }
    await stream.cut()
  })

  it('gives what a transaction older than the stream commits later, and once', async () => {
    const stream = await t.db.transaction(async (tx) => {
      const event = { organisationId: org.organisationId, callId: null, data: eventExamples['call.failed'].data }
      await tx.query('select now()')
      const opened = await follow()
      await trigger('call.completed')
      await opened.until(1)
      await recordEvents(tx, [{ ...event, type: 'call.failed' }])
      return opened
    })
    await trigger('call.initiated')
    await stream.until(3)
    expect(stream.events().map((each) => each.event)).toEqual(['call.completed', 'call.failed', 'call.initiated'])
    await stream.cut()
  })

  it('goes on after Last-Event-ID without loss, however much came meanwhile', async () => {
    const first = await follow()
    const [seen] = await makeEvents(t, org.organisationId)
    await first.until(1)
    await first.cut()
    const missed: string[] = []
    for (let i = 0; i < 6; i += 1) missed.push(...(await makeEvents(t, org.organisationId, 50)))
    const second = await follow(org.key, { 'last-event-id': String(seen) })
    await second.until(300)
    const live = await trigger('call.failed')
    const ids = await second.until(301)
    expect(ids.at(-1)).toBe(live)
    expect(ids.slice(0, -1).sort()).toEqual(missed.sort())
    await second.cut()
  })

  it('goes on from its beginning when it was cut before the first event', async () => {
    const first = await follow()
    await expect.poll(first.lastId).not.toBe('')
    await first.cut()
    const missed = await trigger('call.completed')
    const second = await follow(org.key, { 'last-event-id': first.lastId() })
    expect(await second.until(1)).toEqual([missed])
    await second.cut()
  })

  it('loses nothing when the last event it gave has been erased', async () => {
    const erased = await trigger('call.completed')
    await t.db.query('delete from events where event_id = $1', [erased])
    const missed = await trigger('call.failed')
    const stream = await follow(org.key, { 'last-event-id': erased })
    expect(await stream.until(1)).toEqual([missed])
    await stream.cut()
  })

  it('goes back as far as a time says', async () => {
    const made = await trigger('call.completed')
    const stream = await follow(org.key, { 'last-event-id': '0000-01-01T00:00:00+23:59' })
    expect(await stream.until(1)).toEqual([made])
    await stream.cut()
  })

  it('shows a key what its scopes let it read', async () => {
    const calls = await follow(await t.keyWith(org.organisationId, ['calls:read']))
    const slots = await follow(await t.keyWith(org.organisationId, ['calls:read', 'slots:read']))
    await trigger('appointment.created')
    const [slot, call] = [await trigger('slot.updated'), await trigger('call.completed')]
    expect(await slots.until(2)).toEqual([slot, call])
    expect(await calls.until(1)).toEqual([call])
    await Promise.all([calls.cut(), slots.cut()])
  })

  it("never shows another organisation's events, not even after one of their ids", async () => {
    const other = await t.organisation()
    const theirs = await triggerEvent(t.db, other.organisationId, 'call.completed')
    const stream = await follow()
    const resumed = await follow(org.key, { 'last-event-id': theirs })
    await triggerEvent(t.db, other.organisationId, 'call.failed')
    const ours = await trigger('call.completed')
    expect(await stream.until(1)).toEqual([ours])
    expect(await resumed.until(1)).toEqual([ours])
    await Promise.all([stream.cut(), resumed.cut()])
  })

  it('ends when its key is revoked', async () => {
    const stream = await follow()
    await revokeApiKey(t.db, org.organisationId, org.api_keys[0]?.key_id ?? '')
    expect(await stream.over).toBe('ended by the server')
  })

  it('refuses in JSON: no key, too few scopes, an id that is none, a parameter', async () => {
    const key = { 'x-api-key': org.key }
    expect(await refusal({})).toEqual([401, 'UNAUTHENTICATED'])
    expect(await refusal({ 'x-api-key': 'pk_wrong' })).toEqual([401, 'UNAUTHENTICATED'])
    const narrow = await t.keyWith(org.organisationId, ['slots:read', 'calls:create'])
    expect((await refusal({ 'x-api-key': narrow })).slice(0, 2)).toEqual([403, 'INSUFFICIENT_SCOPE'])
    for (const id of ['nonsense', 'evt_1', '%00', '2026-01-01', `call_${'0'.repeat(32)}`]) {
      expect(await refusal({ ...key, 'last-event-id': id })).toEqual([400, 'VALIDATION_ERROR', 'last-event-id'])
    }
    expect(await refusal(key, '?types=call.completed')).toEqual([400, 'VALIDATION_ERROR', 'types'])
    const head = await request(`${base}/v1/events/stream`, { method: 'HEAD', headers: key })
    expect([head.statusCode, head.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })
})

describe('a server that stops', () => {
  it('ends its streams, and does not wait for readers that have stopped reading', async () => {
    const own = await createTestApp()
    const at = await listening(own)
    const { key, organisationId } = await own.organisation()
    const stream = await follow(key, {}, at)
    const stalled = connect(Number(new URL(at).port), '127.0.0.1')
    stalled.on('error', () => {})
    stalled.write(`GET /v1/events/stream HTTP/1.1\r\nHost: parley\r\nx-api-key: ${key}\r\n\r\n`)
    await once(stalled, 'data')
    stalled.pause()
    const filler = {
      organisationId,
      type: 'call.completed' as const,
      callId: null,
      data: { text: 'x'.repeat(200_000) },
    }
    for (let i = 0; i < 8; i += 1) await own.db.transaction((tx) => recordEvents(tx, Array(10).fill(filler)))
    await stream.until(80)
    await own.app.close()
    expect(await stream.over).toBe('ended by the server')
    stalled.destroy()
    expect(own.logLines.join('')).not.toContain('an event stream ended early')
  })
})
