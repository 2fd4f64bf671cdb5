import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { verifyWebhook } from '@parley/sdk/webhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { caFile, startReceiver } from '../receiver.ts'
import {
  apply,
  checkout,
  expectRefusal,
  expectSuccess,
  freePort,
  onlySettings,
  parley,
  readJson,
  type Server,
  type Settings,
  start,
  startedServer,
} from './process.ts'
import { until } from './until.ts'

type Applied = { api_keys: { key: string }[]; webhook_endpoints: { secret: string }[] }

let settings: Settings
let server: Server
let key: string
let narrowKey: string
let endpointSecret: string
const endpoint = await startReceiver()

beforeAll(async () => {
  const { url } = await createTestDatabase()
  settings = {
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: 'a secret key of the tests',
    PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
    PARLEY_WEBHOOK_CA_FILE: await caFile(),
    PORT: String(await freePort()),
  }
  const made = readJson<Applied>(
    await apply(
      {
        organisation: { name: 'Acme' },
        api_keys: [{ name: 'all' }, { name: 'narrow', scopes: ['slots:read'] }],
        webhook_endpoints: [{ url: endpoint.url }],
      },
      settings,
    ),
  )
  key = made.api_keys[0]?.key ?? ''
  narrowKey = made.api_keys[1]?.key ?? ''
  endpointSecret = made.webhook_endpoints[0]?.secret ?? ''
  server = await startedServer(settings)
}, 120_000)

type Got = { headers: IncomingHttpHeaders; raw: Buffer }

/** A program somebody is writing, on their own machine and without TLS. */
async function startProgram(status = 200) {
  const got: Got[] = []
  const program = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      got.push({ headers: request.headers, raw: Buffer.concat(chunks) })
      response.writeHead(status).end()
    })
  })
  program.listen(0, '127.0.0.1')
  await once(program, 'listening')
  afterAll(() => {
    program.close()
    program.closeAllConnections()
  })
  return { got, url: `http://127.0.0.1:${(program.address() as AddressInfo).port}/hook` }
}

const startListening = (...words: string[]) =>
  start(path.join(checkout, 'node_modules/.bin/parley'), ['listen', ...words], { env: onlySettings(settings) })

/** `parley listen`, connected, with the program it forwards to. */
async function listenWith(...words: string[]) {
  const program = await startProgram()
  const listening = startListening('--forward-to', program.url, '--key', key, ...words)
  const printed = await listening.waitFor('Listening. Press Ctrl-C to stop.')
  const secret = /Signing secret (whsec_\w+)/.exec(printed)?.[1] ?? ''
  const ids = () => program.got.map(({ raw, headers }) => verifyWebhook(raw, headers, secret).event_id)
  return { ...listening, got: program.got, secret, ids }
}
const trigger = async (type = 'call.completed') =>
  readJson<{ event_id: string }>(await parley(['trigger', type], settings)).event_id

describe('parley listen', () => {
  it('forwards what happens, signed with the secret it prints, while endpoints get it too; Ctrl-C ends it', async () => {
    const listening = await listenWith()
    const mine = await listenWith('--secret', 'whsec_of_my_own')
    expect(mine.secret).toBe('whsec_of_my_own')
    const made = [await trigger(), await trigger('appointment.created')]
    await until('both to be forwarded', () => listening.got.length >= 2 && mine.got.length >= 2)
    expect(listening.ids()).toEqual(made)
    expect(mine.ids()).toEqual(made)
    expect(listening.got[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Parley-Webhooks/1',
      'x-webhook-id': made[0],
    })
    await endpoint.until(2)
    for (const { raw, headers } of endpoint.received) {
      expect(made).toContain(verifyWebhook(raw, headers, endpointSecret).event_id)
    }
    expect(await listening.waitFor(`${made[1]} → 200`)).toContain(`call.completed ${made[0]} → 200`)
    for (const each of [listening, mine]) expectSuccess(await each.stop())
  })

  it('survives a restart of the server, says so, and forwards what came meanwhile', async () => {
    const used = await listenWith()
    const before = await trigger()
    await until('it to be forwarded', () => used.got.length === 1)
    const unused = await listenWith()
    await server.stop()
    for (const each of [used, unused]) await each.waitFor('trying again')
    const meanwhile = [await trigger('call.failed'), await trigger('slot.updated')]
    server = await startedServer(settings)
    const after = await trigger('call.initiated')
    await until('all to be forwarded', () => used.got.length >= 4 && unused.got.length >= 3)
    expect(used.ids()).toEqual([before, ...meanwhile, after])
    // Cut off before its first event, it loses none either.
    expect(unused.ids()).toEqual([...meanwhile, after])
    for (const each of [used, unused]) expectSuccess(await each.stop('SIGTERM'))
  })

  it('says what the program answered, also when it does not answer at all', async () => {
    const program = await startProgram(500)
    const broken = startListening('--forward-to', program.url, '--key', key)
    const away = startListening('--forward-to', `http://127.0.0.1:${await freePort()}/`, '--key', key)
    for (const each of [broken, away]) await each.waitFor('Listening')
    const eventId = await trigger()
    await broken.waitFor(`${eventId} → 500`)
    expect(await away.waitFor(`${eventId} → `)).toMatch(/→ .*ECONNREFUSED/)
    expect(program.got).toHaveLength(1)
    for (const each of [broken, away]) expectSuccess(await each.stop())
  })

  it('is stopped by Ctrl-C while it waits for a server that is not there', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const waiting = startListening('--forward-to', 'http://127.0.0.1:1/', '--key', key, '--server', nowhere)
    await waiting.waitFor('trying again')
    expectSuccess(await waiting.stop())
  })

  it('ends with exit 1 and a clear message when it cannot work', async () => {
    const to = ['--forward-to', 'http://127.0.0.1:1/hook']
    const refusals: [string[], RegExp][] = [
      [[...to, '--key', 'pk_wrong'], /valid API key/],
      [[...to, '--key', 'pk_ключ'], /--key pk_/],
      [[...to, '--key', narrowKey], /calls:read/],
      [to, /--key pk_/],
      [['--key', key], /--forward-to http/],
      [['--forward-to', 'localhost:4000', '--key', key], /--forward-to http/],
      [[...to, '--key', key, '--server', 'nonsense'], /--server/],
      [[...to, '--key', key, '--server', `${server.url}/nothing`], /nothing at this address/],
    ]
    const exits = await Promise.all(refusals.map(([words]) => startListening(...words).exited))
    for (const [i, exit] of exits.entries()) expectRefusal(exit, refusals[i]?.[1] ?? '')
  })
})
