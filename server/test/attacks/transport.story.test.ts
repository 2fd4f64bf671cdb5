import net from 'node:net'
import { ErrorBody } from '@parley/contract/errors'
import { Value } from 'typebox/value'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Organisation, type TestApp } from '../app.ts'

let t: TestApp
let org: Organisation
let port: number
let body: string

beforeAll(async () => {
  t = await createTestApp({
    httpLimits: { headersTimeoutMs: 500, requestTimeoutMs: 1_000 },
    settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '1000000' },
  })
  org = await t.organisation()
  body = JSON.stringify({ agent_id: org.agentId, user_number: '+15005550001' })
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as net.AddressInfo).port
})

type Answer = { status: number; headers: Record<string, string>; body: string }

/** Every whole answer in what came over the wire, in order. */
function answersIn(wire: string): Answer[] {
  const answers: Answer[] = []
  for (let rest = wire; rest.includes('\r\n\r\n'); ) {
    const [head = '', ...after] = rest.split('\r\n\r\n')
    const [first = '', ...lines] = head.split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const text = after.join('\r\n\r\n')
    const length = Number(
      headers['content-length'] ?? (headers['transfer-encoding'] ? text.indexOf('0\r\n\r\n') + 5 : 0),
    )
    if (text.length < length) break
    answers.push({ status: Number(first.split(' ')[1]), headers, body: text.slice(0, length) })
    rest = text.slice(length)
  }
  return answers
}

/** A client that never closes its side by itself, so that what the server does about it shows. */
function dial() {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const state = { wire: '', ended: false }
  socket.on('data', (bytes) => {
    state.wire += bytes.toString('latin1')
  })
  socket.on('end', () => {
    state.ended = true
  })
  // A server that closes while we write resets the connection; that is an answer too.
  socket.on('error', () => {})
  socket.on('close', () => {
    state.ended = true
  })
  return {
    socket,
    state,
    write: (text: string) => void socket.write(text, 'latin1'),
    answers: () => answersIn(state.wire),
    ended: () => until('the server to close', () => state.ended),
  }
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Waited in vain for ${what}.`)
}

/** Writes, waits until the server closes, and gives what it answered. */
async function tell(text: string, more: (client: ReturnType<typeof dial>) => void = () => {}): Promise<Answer[]> {
  const client = dial()
  client.write(text)
  more(client)
  await client.ended()
  client.socket.destroy()
  return client.answers()
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', `x-api-key: ${org.key}`, ...headers, '', ''].join('\r\n')
const post = (text: string, ...headers: string[]) =>
  ['POST /v1/calls HTTP/1.1', 'Host: x', `x-api-key: ${org.key}`, 'Content-Type: application/json', ...headers]
    .concat('', text)
    .join('\r\n')
const closing = 'Connection: close'
const length = (bytes: number) => `Content-Length: ${bytes}`
const chunked = 'Transfer-Encoding: chunked'

/** The one error body, and one answer only: a second would be taken for the answer to somebody else's request. */
function expectRefusal(answers: Answer[], ...statuses: number[]): void {
  expect(answers).toHaveLength(1)
  const [answer] = answers
  expect(statuses).toContain(answer?.status)
  const parsed = JSON.parse(answer?.body || 'null')
  expect(Value.Check(ErrorBody, parsed), answer?.body).toBe(true)
  expect(answer?.headers['x-request-id']).toBe(parsed.error.request_id)
}

const countCalls = async () => Number((await t.db.query<{ n: string }>('select count(*) as n from calls'))[0]?.n)
const connections = () => new Promise<number>((resolve) => t.app.server.getConnections((_, count) => resolve(count)))

describe('slow clients', () => {
  it.each([
    ['half a head', () => 'GET /healthz HTTP/1.1\r\nHost: x\r\n'],
    ['nothing at all', () => ''],
    ['half a body', () => post(body.slice(0, 20), length(body.length))],
    ['a body shorter than Content-Length', () => post(body, length(body.length + 10))],
    ['chunks that do not end', () => post(`5\r\n{"a":\r\n`, chunked)],
  ])('%s: 408', async (_name, text) => {
    expectRefusal(await tell(text()), 408)
  })

  it('a head that drips, byte by byte: 408', async () => {
    const drip = (client: ReturnType<typeof dial>) => {
      const timer = setInterval(() => (client.state.ended ? clearInterval(timer) : client.write('a')), 50)
    }
    expectRefusal(await tell('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ', drip), 408)
  })

  it('what comes after a 408 is not carried out', async () => {
    const before = await countCalls()
    const client = dial()
    client.write(post(body.slice(0, 20), length(body.length)))
    await client.ended()
    client.write(body.slice(20))
    // On another connection, and answered after anything the first one could still do.
    for (let round = 0; round < 20; round += 1) await tell(get('/v1/calls', closing))
    client.socket.destroy()
    expectRefusal(client.answers(), 408)
    expect(await countCalls()).toBe(before)
  })

  it.each(['GARBAGE\r\n\r\n', 'GET / HTTP/1.1\r\n'])(
    'a client refused for %j, never closing, is let go',
    async (text) => {
      const clients = Array.from({ length: 5 }, () => dial())
      for (const client of clients) client.write(text)
      await Promise.all(clients.map((client) => client.ended()))
      let left = await connections()
      for (let tries = 0; left > 0 && tries < 200; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        left = await connections()
      }
      for (const client of clients) client.socket.destroy()
      expect(left).toBe(0)
    },
  )

  it('200 idle connections do not keep others waiting', async () => {
    const clients = Array.from({ length: 200 }, () => dial())
    await until('200 connections', async () => (await connections()) >= 200)
    const [answer] = await tell(get('/v1/calls', closing))
    for (const client of clients) client.socket.destroy()
    expect(answer?.status).toBe(200)
  })

  it('a client that closes its side after the request gets its answer or none, and is let go', async () => {
    const answers = await tell(get('/v1/calls'), (client) => client.socket.end())
    expect(answers.length).toBeLessThanOrEqual(1)
    await until('no connection', async () => (await connections()) === 0)
  })
})

describe('size', () => {
  const filled = (bytes: number) => `{"user_name":"${'n'.repeat(bytes - 16)}"}`
  it('256 KiB are read and judged by their content', async () => {
    const [answer] = await tell(post(filled(262_144), length(262_144), closing))
    expect(answer?.status).toBe(400)
    expect(answer?.body).toContain('"code":"too_long"')
  })
  it.each([
    ['one byte more', () => post(filled(262_145), length(262_145))],
    ['Content-Length says so, whatever comes', () => post('{', length(1e12))],
  ])('%s: 413', async (_name, text) => {
    expectRefusal(await tell(text()), 413)
  })
  it('chunks without end: 413, and no more is read', async () => {
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`
    const pour = (client: ReturnType<typeof dial>) => {
      const timer = setInterval(() => (client.state.ended ? clearInterval(timer) : client.write(chunk)), 5)
    }
    expectRefusal(await tell(post('', chunked), pour), 413)
  })
  it.each([
    ['one header of 20 KB', () => get('/healthz', `X-Long: ${'a'.repeat(20_000)}`)],
    ['1,000 headers', () => get('/healthz', ...Array.from({ length: 1_000 }, (_, at) => `X-${at}: ${'a'.repeat(20)}`))],
    ['a URL of 20 KB', () => get(`/v1/calls?cursor=${'a'.repeat(20_000)}`)],
  ])('%s: 431', async (_name, text) => {
    expectRefusal(await tell(text()), 414, 431)
  })
  it.each([
    ['300 characters', 'x'.repeat(300), [404]],
    ['5,000 characters', 'x'.repeat(5_000), [400, 404]],
    ['NUL', '%00', [404]],
    ['no hex', '%zz', [400]],
    ['a lone percent sign', '%', [400]],
    ['no UTF-8', '%c3%28', [400]],
  ])('a call id of %s', async (_name, id, statuses) => {
    expectRefusal(await tell(get(`/v1/calls/${id}`, closing)), ...statuses)
  })
})
