import net from 'node:net'
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

type Answer = { status: number; requestId: string | undefined; body: string }

/** Writes, reads until the server closes, and tells the answers apart by their Content-Length. */
async function tell(...parts: string[]): Promise<Answer[]> {
  const socket = net.connect(port, '127.0.0.1')
  let rest = ''
  socket.on('data', (bytes) => {
    rest += bytes.toString('latin1')
  })
  const closed = new Promise<void>((resolve) => socket.on('error', () => {}).on('close', () => resolve()))
  for (const part of parts) socket.write(part, 'latin1')
  await closed
  const answers: Answer[] = []
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
    const head = rest.slice(0, end)
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? rest.length)
    const requestId = /^x-request-id: (\S+)/im.exec(head)?.[1]
    answers.push({ status: Number(head.split(' ')[1]), requestId, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', `x-api-key: ${org.key}`, ...headers, '', ''].join('\r\n')
const post = (text: string, ...headers: string[]) =>
  ['POST /v1/calls HTTP/1.1', 'Host: x', `x-api-key: ${org.key}`, 'Content-Type: application/json', ...headers]
    .concat('', text)
    .join('\r\n')
const closing = 'Connection: close'
const chunked = 'Transfer-Encoding: chunked'
const length = (bytes: number) => `Content-Length: ${bytes}`
const asChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const countCalls = async () => Number((await t.db.query<{ n: string }>('select count(*) as n from calls'))[0]?.n)

/** Refused as a whole: one answer, our error body, and no call. */
async function expectRefused(text: string, status: number): Promise<void> {
  const before = await countCalls()
  const answers = await tell(text)
  expect(answers.map((each) => each.status)).toEqual([status])
  const [answer] = answers
  expect(answer?.body).toMatch(/^\{"success":false,"error":\{"code":"[A-Z_]+","message":/)
  expect(JSON.parse(answer?.body ?? '').error.request_id).toBe(answer?.requestId)
  expect(await countCalls()).toBe(before)
}

describe('two requests in one', () => {
  const hidden = () => post(body, length(body.length), closing)
  it.each<[string, () => string]>([
    ['Content-Length twice, equal', () => post(body, length(body.length), length(body.length))],
    ['Content-Length twice, different', () => post(body + hidden(), length(body.length), length(0))],
    ['Content-Length as a list', () => post(body, `Content-Length: ${body.length}, ${body.length}`)],
    ['Content-Length with a sign', () => post(body, `Content-Length: +${body.length}`)],
    ['Content-Length in hex', () => post(body, `Content-Length: 0x${body.length.toString(16)}`)],
    ['Content-Length below zero', () => post(body, length(-1))],
    ['Content-Length and chunks', () => post(`0\r\n\r\n${hidden()}`, length(5), chunked)],
    ['chunks and Content-Length', () => post(`0\r\n\r\n${hidden()}`, chunked, length(5))],
    ['a blank before the colon', () => post(`0\r\n\r\n${hidden()}`, length(5), 'Transfer-Encoding : chunked')],
    ['a transfer encoding nobody knows', () => post(`0\r\n\r\n${hidden()}`, 'Transfer-Encoding: xchunked')],
    ['chunked, but not last', () => post(`0\r\n\r\n${hidden()}`, 'Transfer-Encoding: chunked, identity')],
    ['a chunk size that is none', () => post(`zz\r\n${body}\r\n0\r\n\r\n`, chunked)],
    ['a chunk longer than its size', () => post(`5\r\n${body}\r\n0\r\n\r\n`, chunked)],
    ['a header folded over two lines', () => post(body, length(body.length), 'X-Fold: a\r\n b: c')],
    ['a bare line feed ends a header', () => post(body, `X-A: b\nContent-Length: ${body.length}`)],
    ['NUL in a header', () => post(body, length(body.length), 'X-Nul: a\0b')],
    ['garbage', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a method nobody knows', () => get('/v1/calls').replace('GET', 'BREW')],
    ['no Host', () => get('/v1/calls', closing).replace('Host: x\r\n', '')],
  ])('%s: 400', async (_name, text) => {
    await expectRefused(text(), 400)
  })

  it('an expectation nobody can meet is ignored or refused in our words', async () => {
    const answers = await tell(get('/v1/calls/x', 'Expect: the-moon', closing))
    expect(answers).toHaveLength(1)
    expect([400, 404, 417]).toContain(answers[0]?.status)
    expect(answers[0]?.requestId).toMatch(/^req_/)
    expect(JSON.parse(answers[0]?.body ?? '').error.request_id).toBe(answers[0]?.requestId)
  })

  it('chunks alone are one request, trailers and extensions included', async () => {
    const before = await countCalls()
    const text = `${body.length.toString(16)};ext=1\r\n${body}\r\n0\r\nX-Sum: 5\r\n\r\n`
    const answers = await tell(post(text, chunked, closing))
    expect(answers.map((each) => each.status)).toEqual([201])
    expect(await countCalls()).toBe(before + 1)
  })

  it('HTTP/0.9 gets one answer and a closed connection', async () => {
    expect(await tell('GET /healthz\r\n\r\n')).toHaveLength(1)
  })

  it.each(['http://[/', 'http://a:99999/', '//evil.test/', 'https://evil.test/', '*'])(
    'the target %s',
    async (start) => {
      const answers = await tell(get(`${start}v1/calls?limit=1`, closing))
      expect(answers).toHaveLength(1)
      expect([200, 400, 404]).toContain(answers[0]?.status)
      expect(answers[0]?.body).not.toContain('evil.test')
    },
  )
})

describe('one after the other', () => {
  it('pipelined requests are answered in order', async () => {
    const paths = Array.from(
      { length: 60 },
      (_, at) => ['/healthz', '/v1/calls?limit=1', '/nowhere', '/v1/calls?x=1'][at % 4],
    )
    const answers = await tell(paths.map((path) => get(String(path))).join('') + get('/healthz', closing))
    expect(answers.map((each) => each.status)).toEqual([...paths.map((_, at) => [200, 200, 404, 400][at % 4]), 200])
    expect(new Set(answers.map((each) => each.requestId)).size).toBe(61)
  })

  it('a body longer than Content-Length: the request is judged without the rest', async () => {
    const before = await countCalls()
    const answers = await tell(post(body, length(body.length - 1), closing))
    expect(answers[0]?.status).toBe(400)
    expect(await countCalls()).toBe(before)
  })

  it.each([
    ['garbage', () => 'GARBAGE\r\n\r\n'],
    ['half a request', () => 'GET /healthz HTTP/1.1\r\n'],
  ])('%s behind a good request does not take its answer', async (_name, rest) => {
    const before = await countCalls()
    const answers = await tell(post(body, length(body.length)) + rest())
    // Whatever was begun on that connection is done by now.
    for (let round = 0; round < 20; round += 1) await t.send(org.key, 'GET', '/v1/calls')
    const made = (await countCalls()) - before
    // Either nothing was made, or its maker is told so (or told nothing): never "400" for a call that will ring.
    expect([made, answers[0]?.status]).not.toEqual([1, 400])
    expect([made, answers[0]?.status]).not.toEqual([1, 408])
  })

  it('still answers', async () => {
    const answers = await tell(post(asChunk(body), chunked, closing))
    expect(answers.map((each) => each.status)).toEqual([201])
    expect(t.logLines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([])
  })
})
