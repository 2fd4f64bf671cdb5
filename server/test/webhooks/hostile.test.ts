import type net from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/platform/ids.ts'
import { createVault } from '../../src/platform/secrets.ts'
import { getDelivery, listDeliveries } from '../../src/webhooks/deliveries.service.ts'
import { newSecret } from '../../src/webhooks/endpoints.service.ts'
import { insertEndpoint } from '../../src/webhooks/endpoints.store.ts'
import { createTestApp, type Organisation, type TestApp } from '../app.ts'
import { startRawServer } from '../raw-server.ts'
import { caFile, startReceiver } from '../receiver.ts'

const settings = async (allowPrivate: boolean) => ({
  PARLEY_WEBHOOK_ALLOW_PRIVATE: String(allowPrivate),
  PARLEY_WEBHOOK_CA_FILE: await caFile(),
  PARLEY_WEBHOOK_TIMEOUT: '1s',
  PARLEY_WEBHOOK_RETRY_DELAYS: '50ms,50ms,50ms,50ms',
})
const createCall = (t: TestApp, org: Organisation) =>
  t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005550008' })

/** The log of an organisation's deliveries once all of them have ended, the oldest first. */
async function logOf({ db }: TestApp, { organisationId }: Organisation, count: number) {
  const filter = { endpointId: null, eventId: null, callId: null, eventType: null, statuses: null }
  const list = async () => (await listDeliveries(db, organisationId, filter, {})).items
  const ended = async () => (await list()).filter(({ status }) => status !== 'pending').length
  await expect.poll(ended, { timeout: 25_000 }).toBe(count)
  const all = await Promise.all((await list()).map(({ deliveryId }) => getDelivery(db, organisationId, deliveryId)))
  return all.flatMap(({ log }) => log)
}

describe('hostile receivers', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await createTestApp({ settings: await settings(true), workers: {} })
  })
  /** An organisation whose one endpoint answers every request with these bytes. */
  const answeredWith = async (...bytes: (string | Buffer)[]) => {
    const server = await startRawServer((socket: net.Socket) => {
      for (const each of bytes) socket.write(each)
    })
    const org = await t.organisation({ webhook_endpoints: [{ url: server.url, events: ['call.completed'] }] })
    await createCall(t, org)
    return logOf(t, org, 1)
  }

  it('one that hangs does not keep a healthy one from its events', async () => {
    const hanging = await startRawServer(() => {})
    const healthy = await startReceiver()
    const bad = await t.organisation({ webhook_endpoints: [{ url: hanging.url, events: ['*'] }] })
    const good = await t.organisation({ webhook_endpoints: [{ url: healthy.url, events: ['*'] }] })
    for (let i = 0; i < 10; i++) {
      await createCall(t, bad)
      await createCall(t, good)
    }
    await healthy.until(20)
    for (const { failure, statusCode } of await logOf(t, good, 20)) expect([failure, statusCode]).toEqual([null, 200])
    expect(new Set(healthy.received.map(({ event }) => event.event_id)).size).toBe(20)
    const failures = () =>
      t.db.query(
        `select distinct a.failure from webhook_attempts a join webhook_deliveries d using (delivery_id)
         where d.organisation_id = $1`,
        [bad.organisationId],
      )
    await expect.poll(failures, { timeout: 10_000 }).toEqual([{ failure: 'timeout' }])
    await t.db.query("update webhook_endpoints set status = 'disabled' where organisation_id = $1", [
      bad.organisationId,
    ])
  })

  it.each([
    ['NUL', Buffer.alloc(500)],
    ['bytes that are not UTF-8', Buffer.alloc(20_000, 0xff)],
    ['20 KB of text', Buffer.alloc(20_000, 'é')],
    ['a page with a script', Buffer.from('<script>alert(1)</script>')],
  ])('an answer of %s is kept as text of at most 16 KiB', async (_what, body) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n`
    const [attempt, ...more] = await answeredWith(head, body)
    expect(attempt).toMatchObject({ statusCode: 200, failure: null })
    expect(more).toEqual([])
    expect(attempt?.response).toMatch(/^(�+|é+�?|<script>alert\(1\)<\/script>)$/)
    expect(Buffer.byteLength(attempt?.response ?? '')).toBeLessThanOrEqual(16_384)
  })

  it('a redirect to the metadata address is recorded as such, five times, and followed never', async () => {
    const location = 'http://169.254.169.254/latest/meta-data/'
    const log = await answeredWith(`HTTP/1.1 307 Go\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`)
    expect(log).toHaveLength(5)
    for (const attempt of log) {
      expect(attempt).toMatchObject({ statusCode: 307, failure: 'redirect', detail: location })
    }
  })

  it('a redirect to bytes nobody can read is recorded too', async () => {
    const place = Buffer.from('Location: /\xff\xfe\xed\xa0\x80\r\n', 'latin1')
    const [attempt] = await answeredWith('HTTP/1.1 302 Go\r\n', place, 'Content-Length: 0\r\n\r\n')
    expect(attempt).toMatchObject({ statusCode: 302, failure: 'redirect', detail: expect.stringMatching(/^\//) })
  })

  it('Retry-After does not move the schedule', async () => {
    const log = await answeredWith('HTTP/1.1 503 No\r\nRetry-After: 315360000\r\nContent-Length: 0\r\n\r\n')
    expect(log).toHaveLength(5)
  })
})

describe('with the address guard on', () => {
  it('a name that leads to loopback at the time of sending is refused, and nobody is connected to', async () => {
    const t = await createTestApp({ settings: await settings(false), workers: {} })
    const server = await startRawServer(() => {})
    const org = await t.organisation()
    const { organisationId } = org
    const hosts = ['localhost', '127.0.0.1', '[::1]', '0x7f.1', '[::ffff:127.0.0.1]']
    for (const host of hosts) {
      // Registration would refuse it: the name has led elsewhere then.
      await insertEndpoint(t.db, {
        endpointId: newId('endpoint'),
        organisationId,
        url: `https://${host}:${server.port}/hook`,
        description: null,
        events: ['call.completed'],
        signing: true,
        sealedSecret: createVault('secret for tests only').seal(newSecret()),
      })
    }
    await createCall(t, org)
    const log = await logOf(t, org, hosts.length)
    expect(log).toHaveLength(hosts.length * 5)
    for (const attempt of log) expect(attempt).toMatchObject({ statusCode: null, failure: 'refused_address' })
    expect(server.open() + server.connections.length).toBe(0)
  })
})
