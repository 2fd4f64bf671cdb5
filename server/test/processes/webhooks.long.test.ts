import type { Delivery, Endpoint } from '@parley/contract/webhooks'
import { verifyWebhook } from '@parley/sdk/webhooks'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { answering, caFile, type Receiver, startReceiver } from '../receiver.ts'
import { apply, expectRefusal, parley, readJson, type Settings, startedServer } from './process.ts'
import { until } from './until.ts'

type Made = Endpoint & { secret: string }
type Logged = Delivery & { log: { number: number; status_code: number; advice: string | null }[] }

const none = '0'.repeat(32)
let settings: Settings
let receiver: Receiver
let endpointId: string
let secret: string

beforeAll(async () => {
  const { url } = await createTestDatabase()
  settings = {
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: 'a secret key of the tests',
    PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
    PARLEY_WEBHOOK_CA_FILE: await caFile(),
    PARLEY_WEBHOOK_RETRY_DELAYS: '20ms,20ms,20ms,20ms',
  }
  receiver = await startReceiver()
  readJson(await apply({ organisation: { name: 'Acme', plan: 'professional' } }, settings))
  await startedServer(settings)
}, 120_000)

beforeEach(() => {
  receiver.behave(answering(200, 'thanks'))
  receiver.received.length = 0
})

const webhooks = async <T>(...words: string[]): Promise<T> =>
  readJson<T>(await parley(['webhooks', ...words], settings))
const trigger = async (type = 'call.completed') =>
  readJson<{ event_id: string; event_type: string }>(await parley(['trigger', type], settings)).event_id
const untilStatus = (status: string, eventId: string) =>
  until(`${eventId} to be ${status}`, async () =>
    (await webhooks<Delivery[]>('deliveries', '--status', status)).some((each) => each.event_id === eventId),
  )

describe('parley webhooks', () => {
  it('create prints the secret once; list, update, disable and enable never again', async () => {
    const made = await webhooks<Made>('create', '--url', receiver.url, '--description', 'Ours')
    endpointId = made.endpoint_id
    secret = made.secret
    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{43,}$/)
    expect(made).toMatchObject({
      url: receiver.url,
      description: 'Ours',
      events: ['*'],
      signing: true,
      status: 'enabled',
    })
    const list = await webhooks<Endpoint[]>('list')
    expect(list).toMatchObject([{ endpoint_id: endpointId, has_next_secret: false }])
    const events = 'call.completed,call.failed,call.failed'
    const updated = await webhooks('update', endpointId, '--events', events, '--description', '')
    expect(updated).toMatchObject({ events: ['call.completed', 'call.failed'], description: null, url: receiver.url })
    const disabled = await webhooks('disable', endpointId)
    expect(disabled).toMatchObject({ status: 'disabled', disabled_reason: 'by_hand' })
    const enabled = await webhooks('enable', endpointId)
    expect(enabled).toMatchObject({ status: 'enabled', disabled_reason: null, consecutive_failures: 0 })
    expect(JSON.stringify([list, updated, disabled, enabled])).not.toContain('whsec_')
  })

  it('test sends at once and shows the answer, the good and the bad', async () => {
    const good = await webhooks('test', endpointId, '--event', 'slot.updated')
    expect(good).toMatchObject({ status_code: 200, failure: null, response: 'thanks' })
    const [one] = receiver.received
    expect(verifyWebhook(one?.raw ?? '', one?.headers ?? {}, secret)).toMatchObject({ event_type: 'slot.updated' })
    expect(one?.headers['x-webhook-test']).toBe('true')
    receiver.behave(answering(500, 'broken'))
    expect(await webhooks('test', endpointId)).toMatchObject({
      status_code: 500,
      failure: 'status',
      advice: expect.stringContaining('log'),
      response: 'broken',
    })
  })

  it('trigger makes an event that the running server delivers; deliveries, delivery and replay follow it', async () => {
    const eventId = await trigger()
    const [one] = await receiver.until(1)
    expect(verifyWebhook(one?.raw ?? '', one?.headers ?? {}, secret).event_id).toBe(eventId)
    await untilStatus('succeeded', eventId)
    // Not one of those it wants.
    await trigger('slot.updated')
    const [delivery, ...rest] = await webhooks<Delivery[]>('deliveries', '--endpoint', endpointId, '--limit', '5')
    expect(rest).toEqual([])
    expect(delivery).toMatchObject({ event_id: eventId, event_type: 'call.completed', attempts: 1 })
    expect(await webhooks('deliveries', '--event', 'call.failed')).toEqual([])

    const replayed = await webhooks<Delivery>('replay', delivery?.delivery_id ?? '')
    expect(replayed).toMatchObject({ event_id: eventId })
    await receiver.until(2)
    expect(receiver.received.map(({ event }) => event.event_id)).toEqual([eventId, eventId])
    const log = async () => (await webhooks<Logged>('delivery', delivery?.delivery_id ?? '')).log
    await until('the second attempt to be in the log', async () => (await log()).length === 2)
    expect(await log()).toMatchObject([
      { number: 1, status_code: 200, advice: null },
      { number: 2, status_code: 200, advice: null },
    ])
  })

  it('recover counts, then replays what failed and what was held', async () => {
    const since = new Date().toISOString()
    receiver.behave(answering(500))
    const failed = await trigger('call.failed')
    await untilStatus('failed', failed)
    await webhooks('disable', endpointId)
    const held = await trigger()
    await untilStatus('held', held)
    expectRefusal(await parley(['webhooks', 'recover', endpointId, '--since', since], settings), /switched off/)
    await webhooks('enable', endpointId)
    receiver.behave(answering(200))
    receiver.received.length = 0
    expect(await webhooks('recover', endpointId, '--since', since, '--dry-run')).toEqual({ dry_run: true, total: 2 })
    const { recovery_id } = await webhooks<{ recovery_id: string }>('recover', endpointId, '--since', since)
    await receiver.until(2)
    expect(receiver.received.map(({ event }) => event.event_id).sort()).toEqual([failed, held].sort())
    const look = () => webhooks<{ status: string; replayed: number }>('recovery', recovery_id)
    await until('the recovery to be over', async () => (await look()).status === 'done')
    expect(await webhooks('recovery', recovery_id, '--cancel')).toMatchObject({ status: 'done', total: 2, replayed: 2 })
  })

  it('rotate, at leisure or now', async () => {
    const rotate = (...words: string[]) => webhooks<{ secret: string; active: boolean }>('rotate', endpointId, ...words)
    const staged = await rotate('--staged')
    expect(staged.active).toBe(false)
    await webhooks('test', endpointId, '--staged')
    await webhooks('test', endpointId)
    const isSignedBy = (at: number, key: string) => {
      const { raw, headers } = receiver.received.at(at) ?? { raw: '', headers: {} }
      return verifyWebhook(raw, headers, key).event_type === 'call.completed'
    }
    expect([isSignedBy(0, staged.secret), isSignedBy(1, secret)]).toEqual([true, true])
    expect(await webhooks('activate', endpointId)).toMatchObject({ has_next_secret: false })
    await webhooks('test', endpointId)
    expect(isSignedBy(2, staged.secret)).toBe(true)
    const now = await rotate()
    expect(now.active).toBe(true)
    await trigger()
    await receiver.until(4)
    expect(isSignedBy(3, now.secret)).toBe(true)
    await rotate('--staged')
    expect(await webhooks('discard', endpointId)).toMatchObject({ has_next_secret: false })
  })

  it('says in plain words what is wrong, and exits 1', async () => {
    const refusals: [string[], RegExp][] = [
      [[], /webhooks list.*webhooks create.*webhooks recover/s],
      [['dance'], /Say what to do/],
      [['create'], /--url https:/],
      [['create', '--url', 'http://hooks.acme.test/'], /^url: .*https/m],
      [['create', '--url', 'https://me:pw@hooks.acme.test/'], /^url: .*password/m],
      [['create', '--url', receiver.url, '--events', 'call.answered'], /call\.completed/],
      [['create', '--url', receiver.url, '--signing', 'maybe'], /--signing takes on or off/],
      [['create', '--url', receiver.url, '--description', 'd'.repeat(201)], /--description takes at most 200/],
      [['create', '--url', receiver.url, '--colour', 'red'], /--colour.*Usage/s],
      [['update', endpointId], /Say what to change/],
      [['update', `whe_${none}`, '--signing', 'off'], /no such webhook endpoint/],
      [['disable'], /Say which.*ENDPOINT_ID/s],
      [['enable', 'nonsense'], /no such webhook endpoint/],
      [['test', endpointId, '--event', 'call.completed,call.failed'], /one event type/],
      [['test', endpointId, '--staged'], /No new secret is staged/],
      [['activate', endpointId], /No new secret is staged/],
      [['deliveries', '--endpoint', 'nonsense'], /--endpoint takes/],
      [['deliveries', '--status', 'lost'], /--status takes: pending/],
      [['deliveries', '--limit', '1000'], /--limit takes/],
      [['delivery', `dlv_${none}`], /no such delivery/],
      [['replay'], /Say which.*DELIVERY_ID/s],
      [['recover', endpointId], /--since takes a time/],
      [['recover', endpointId, '--since', '2026-01-01T00:00:00'], /--since takes a time/],
      [['recover', endpointId, '--since', '2126-01-01T00:00:00Z', '--dry-run'], /^since: .*before/m],
      [['recovery', `rcv_${none}`], /no such recovery/],
      [['list', '--organisation', 'org_nobody'], /no organisation org_nobody/],
    ]
    for (let i = 0; i < refusals.length; i += 6) {
      const some = refusals.slice(i, i + 6)
      const exits = await Promise.all(some.map(([words]) => parley(['webhooks', ...words], settings)))
      for (const [at, exit] of exits.entries()) {
        expectRefusal(exit, some[at]?.[1] ?? '')
        expect(exit.stdout).toBe('')
      }
    }
    expectRefusal(await parley(['trigger', 'call.answered'], settings), /call\.completed/)
    expect(await webhooks<Endpoint[]>('list')).toHaveLength(1)
  })

  it('delete, and it is gone', async () => {
    expect(await webhooks('delete', endpointId)).toEqual({ endpoint_id: endpointId, deleted: true })
    expect(await webhooks('list')).toEqual([])
    expectRefusal(await parley(['webhooks', 'delete', endpointId], settings), /no such webhook endpoint/)
  })
})
