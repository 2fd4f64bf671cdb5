import { readFileSync } from 'node:fs'
import type net from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OnRequest, startRawServer } from '../../test/raw-server.ts'
import { testCa } from '../../test/receiver.ts'
import { createSafePost, type SafePost } from './safe-post.ts'

let safePost: SafePost
beforeAll(async () => {
  safePost = createSafePost({
    refusalOf: () => null,
    resolve: async () => ['127.0.0.1'],
    timeoutMs: 5_000,
    ca: (await testCa()).cert,
  })
})
afterAll(() => safePost.close())

/** What comes of a post to a server that does this once it has read the request. */
async function postTo(onRequest: OnRequest) {
  const server = await startRawServer(onRequest)
  const { response, durationMs, ...answer } = await safePost.post(server.url, { 'x-webhook-id': 'evt_1' }, '{"a":1}')
  return { ...answer, text: response.toString('latin1'), server }
}
const saying =
  (...bytes: (string | Buffer)[]): OnRequest =>
  (socket) => {
    for (const each of bytes) socket.write(each)
  }
const reset = (socket: net.Socket) => {
  // The end of TLS is not waited for, so the other side sees a connection that breaks off.
  socket.destroy()
}

describe('the status decides', () => {
  it.each([200, 201, 202, 204, 299])('%i is a success', async (status) => {
    const { server, ...answer } = await postTo(saying(`HTTP/1.1 ${status} Fine\r\nContent-Length: 0\r\n\r\n`))
    expect(answer).toEqual({ statusCode: status, failure: null, detail: null, text: '' })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatch(/^POST \/hook HTTP\/1\.1\r\n.*x-webhook-id: evt_1\r\n.*\r\n\r\n\{"a":1\}$/s)
  })

  it.each([400, 401, 404, 410, 429, 500, 503, 599, 999])('%i is a failure of class status', async (status) => {
    const answer = await postTo(saying(`HTTP/1.1 ${status} No\r\nContent-Length: 2\r\n\r\nno`))
    expect(answer).toMatchObject({ statusCode: status, failure: 'status', detail: null, text: 'no' })
  })

  it.each(['Mon, 01 Jan 2125 00:00:00 GMT', '315360000', '-1', 'soon'])(
    'Retry-After: %s changes nothing',
    async (wait) => {
      const answer = await postTo(saying(`HTTP/1.1 503 No\r\nRetry-After: ${wait}\r\nContent-Length: 0\r\n\r\n`))
      expect(answer).toMatchObject({ statusCode: 503, failure: 'status' })
    },
  )

  it('a body that breaks off after a 2xx is still a success, and what came is kept', async () => {
    const answer = await postTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf', () => reset(socket))
    })
    expect(answer).toMatchObject({ statusCode: 200, failure: null, text: 'half' })
  })

  it('broken chunks after a 2xx are still a success', async () => {
    const answer = await postTo(saying('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nwhat\r\n'))
    expect(answer).toMatchObject({ statusCode: 200, failure: null, text: 'half' })
  })

  it('a 204 with a body is a success, and the connection is not used again', async () => {
    const { server, ...answer } = await postTo(saying('HTTP/1.1 204 No Content\r\n\r\n', 'HTTP/1.1 500 x\r\n\r\n'))
    expect(answer).toMatchObject({ statusCode: 204, failure: null, text: '' })
    await expect.poll(server.open).toBe(0)
  })

  it('103 and 102 before the answer are passed over', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n'
    const answer = await postTo(saying(interim.repeat(50), 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
    expect(answer).toMatchObject({ statusCode: 200, failure: null, text: 'ok' })
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%i is not followed, and tells where it points', async (status) => {
    const target = 'http://169.254.169.254/latest/meta-data/'
    const { server, ...answer } = await postTo(
      saying(`HTTP/1.1 ${status} Go\r\nLocation: ${target}\r\nContent-Length: 0\r\n\r\n`),
    )
    expect(answer).toMatchObject({ statusCode: status, failure: 'redirect', detail: target })
    expect(server.requests).toHaveLength(1)
  })

  it('without a place, or with two, or with a very long one, is a redirect all the same', async () => {
    const head = (lines: string) => `HTTP/1.1 302 Go\r\n${lines}Content-Length: 0\r\n\r\n`
    expect(await postTo(saying(head('')))).toMatchObject({ failure: 'redirect', detail: null })
    expect(await postTo(saying(head('Location: a\r\nLocation: b\r\n')))).toMatchObject({ failure: 'redirect' })
    const long = await postTo(saying(head(`Location: /${'a'.repeat(9_000)}\r\n`)))
    expect(long.detail).toHaveLength(500)
  })
})

describe('what is not an answer', () => {
  it.each<[string, OnRequest]>([
    ['HTTP/0.9', saying('<html>hello</html>')],
    ['garbage', saying(Buffer.from([0, 255, 1, 254, 13, 10, 13, 10]))],
    ['another protocol', saying('220 mail.example ESMTP\r\n')],
    ['a head of 100 KB', saying(`HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(100_000)}\r\n\r\n`)],
    ['a head of 100 KB in small lines', saying(`HTTP/1.1 200 OK\r\n${'X-Line: aaaa\r\n'.repeat(8_000)}\r\n`)],
    ['a NUL in a header', saying('HTTP/1.1 302 OK\r\nLocation: a\0b\r\n\r\n')],
    ['two different lengths', saying('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab')],
    ['100 Continue, which nobody asked for', saying('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000))],
    ['101 to another protocol', saying('HTTP/1.1 101 Up\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')],
  ])('%s is a failure of class protocol', async (_what, onRequest) => {
    const { server, ...answer } = await postTo(onRequest)
    expect(answer).toMatchObject({ statusCode: null, failure: 'protocol', detail: expect.stringMatching(/./) })
    await expect.poll(server.open).toBe(0)
  })

  it.each<[string, OnRequest]>([
    ['a connection that breaks off in the head', (socket) => void socket.write('HTTP/1.1 200', () => reset(socket))],
    ['a connection that breaks off before the head', reset],
    ['a connection that is closed after the request was read', (socket) => void socket.end()],
  ])('%s is a failure of class reset, and nothing is sent twice', async (_what, onRequest) => {
    const { server, ...answer } = await postTo(onRequest)
    expect(answer).toMatchObject({ statusCode: null, failure: 'reset', detail: expect.stringMatching(/./) })
    expect(server.requests).toHaveLength(1)
    expect(server.connections).toHaveLength(1)
  })
})

describe('the body', () => {
  it('is not inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000))
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`
    const answer = await postTo(saying(head, bomb))
    expect(answer).toMatchObject({ statusCode: 200, failure: null, text: bomb.toString('latin1') })
  })

  it('comes back byte by byte as it was, whatever it is', async () => {
    const bytes = Buffer.concat([
      readFileSync(process.execPath).subarray(0, 500),
      Buffer.from('\0\xff<script>', 'latin1'),
    ])
    const answer = await postTo(saying(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n`, bytes))
    expect(answer.text).toBe(bytes.toString('latin1'))
  })

  it('is cut at 16 KiB', async () => {
    const answer = await postTo(saying('HTTP/1.1 500 No\r\nContent-Length: 20000\r\n\r\n', 'a'.repeat(20_000)))
    expect(answer).toMatchObject({ statusCode: 500, failure: 'status', text: 'a'.repeat(16_384) })
  })
})

it('cookies are not kept', async () => {
  const server = await startRawServer(saying('HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n'))
  for (let i = 0; i < 2; i++) expect(await safePost.post(server.url, {}, '{}')).toMatchObject({ failure: null })
  expect(server.requests.join()).not.toMatch(/cookie/i)
})
