import { once } from 'node:events'
import type net from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { type Certificate, createTestCa } from '../../test/certificates.ts'
import { startBareServer, startRawServer } from '../../test/raw-server.ts'
import { testCa } from '../../test/receiver.ts'
import { createSafePost } from './safe-post.ts'
import { type Resolve, resolveAll } from './safe-url.ts'

const at127001: Resolve = async () => ['127.0.0.1']
async function poster(resolve = at127001, timeoutMs = 5_000) {
  const safePost = createSafePost({ refusalOf: () => null, resolve, timeoutMs, ca: (await testCa()).cert })
  afterAll(safePost.close)
  return safePost
}
const ok = (socket: net.Socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const takeAll = (socket: net.Socket) => void socket.resume()

describe('TLS', () => {
  const day = 86_400_000
  const ago = (days: number) => new Date(Date.now() - days * day)
  it.each<[string, () => Promise<Certificate>]>([
    ['expired', async () => (await testCa()).issue({ notBeforeDate: ago(10), notAfterDate: ago(1) })],
    ['not valid yet', async () => (await testCa()).issue({ notBeforeDate: ago(-1), notAfterDate: ago(-10) })],
    ['signed by itself', () => createTestCa()],
    ['signed by an unknown authority', async () => (await createTestCa()).issue()],
    ['made for another host', async () => (await testCa()).issue({ names: ['other.example'] })],
    ['made for a subdomain', async () => (await testCa()).issue({ names: ['*.localhost', 'www.localhost'] })],
  ])('a certificate that is %s is a failure of class tls, and nothing is sent', async (_what, issue) => {
    const server = await startRawServer(ok, { certificate: await issue() })
    expect(await (await poster()).post(server.url, {}, '{}')).toMatchObject({ statusCode: null, failure: 'tls' })
    expect(server.requests).toEqual([])
  })

  it.each(['TLSv1', 'TLSv1.1'] as const)('nothing newer than %s is a failure of class tls', async (maxVersion) => {
    const tls = { minVersion: 'TLSv1', maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const server = await startRawServer(ok, { tls })
    expect(await (await poster()).post(server.url, {}, '{}')).toMatchObject({ statusCode: null, failure: 'tls' })
  })

  it('plain HTTP on the port of TLS is a failure of class tls', async () => {
    const server = await startBareServer((socket) => void socket.once('data', () => ok(socket)))
    expect(await (await poster()).post(server.url, {}, '{}')).toMatchObject({ statusCode: null, failure: 'tls' })
  })

  it('a connection that is closed in the handshake is a failure of class reset', async () => {
    const server = await startBareServer((socket) => void socket.once('data', () => socket.destroy()))
    expect(await (await poster()).post(server.url, {}, '{}')).toMatchObject({ statusCode: null, failure: 'reset' })
  })
})

describe('no connection', () => {
  it('refused: class connect', async () => {
    const server = await startBareServer(() => {})
    server.close()
    expect(await (await poster()).post(server.url, {}, '{}')).toMatchObject({ statusCode: null, failure: 'connect' })
  })

  it('a name that does not resolve: class dns', async () => {
    const { post } = await poster(resolveAll)
    expect(await post('https://nowhere.invalid/', {}, '{}')).toMatchObject({ statusCode: null, failure: 'dns' })
    expect(await (await poster(async () => [])).post('https://nowhere.invalid/', {}, '{}')).toMatchObject({
      failure: 'dns',
      detail: 'nowhere.invalid has no address.',
    })
  })

  it('a resolver that never answers: class timeout, at the deadline', async () => {
    const { post } = await poster(() => new Promise(() => {}), 300)
    const answer = await post('https://nowhere.invalid/', {}, '{}')
    expect(answer).toMatchObject({ statusCode: null, failure: 'timeout' })
    expect(answer.durationMs).toBeGreaterThanOrEqual(290)
  })
})

describe('a connection', () => {
  it('that the server closed between two posts is made anew', async () => {
    const server = await startRawServer(ok)
    const { post } = await poster()
    expect(await post(server.url, {}, '{}')).toMatchObject({ failure: null })
    server.connections[0]?.end()
    await expect.poll(server.open).toBe(0)
    expect(await post(server.url, {}, '{}')).toMatchObject({ failure: null })
    expect(server.connections).toHaveLength(2)
    expect(server.requests).toHaveLength(2)
  })

  it('on which more came than was asked for is not used again', async () => {
    const server = await startRawServer((socket) => {
      ok(socket)
      // An answer to a question nobody has put yet must not become the answer to the next one.
      setImmediate(() => socket.write('HTTP/1.1 299 Forged\r\nContent-Length: 0\r\n\r\n'))
    })
    const { post } = await poster()
    expect(await post(server.url, {}, '{}')).toMatchObject({ statusCode: 200 })
    await expect.poll(server.open).toBe(0)
    expect(await post(server.url, {}, '{}')).toMatchObject({ statusCode: 200 })
    expect(server.connections).toHaveLength(2)
  })

  // undici connects again when a request was aborted; nobody would have used that connection.
  it('that was cut is not followed by another one that nobody needs', async () => {
    const server = await startBareServer(takeAll)
    const hanging = await startRawServer(() => {})
    const long = await startRawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n${'a'.repeat(99_999)}`)
    })
    let asked = 0
    const { post } = await poster(async () => {
      asked++
      return ['127.0.0.1']
    }, 500)
    expect(await post(server.url, {}, '{}')).toMatchObject({ failure: 'timeout' })
    expect(await post(hanging.url, {}, '{}')).toMatchObject({ failure: 'timeout' })
    expect(await post(long.url, {}, '{}')).toMatchObject({ failure: null })
    for (const each of [server, hanging, long]) await expect.poll(each.open, { timeout: 5_000 }).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(asked).toBe(3)
    expect(hanging.connections).toHaveLength(1)
    expect(long.connections).toHaveLength(1)
  })
})

describe('close', () => {
  it('ends what is idle, what waits for an answer, and what is still being connected', async () => {
    const idle = await startRawServer(ok)
    const waiting = await startRawServer(() => {})
    const handshaking = await startBareServer(takeAll)
    const { post, close } = await poster()
    await post(idle.url, {}, '{}')
    const posts = [post(waiting.url, {}, '{}'), post(handshaking.url, {}, '{}')]
    await expect.poll(() => waiting.requests.length + handshaking.connections.length).toBe(2)
    await close()
    for (const answer of await Promise.all(posts)) expect(answer).toMatchObject({ statusCode: null })
    for (const each of [idle, waiting, handshaking]) await expect.poll(each.open).toBe(0)
    expect(await post(idle.url, {}, '{}')).toMatchObject({ statusCode: null })
    expect(idle.connections).toHaveLength(1)
  })

  // When one connection of an origin fails, undici's agent forgets those that are still being made.
  it('ends a connection whose neighbour failed', async () => {
    const there = await startBareServer(takeAll, { host: '127.0.0.2' })
    // Where nobody listens: on 127.0.0.1 another test may have been given the same port.
    const answers = [['127.0.0.2'], ['127.0.0.3']]
    // Longer than this test may take.
    const { post, close } = await poster(async () => answers.shift() ?? [], 60_000)
    const hanging = post(there.url, {}, '{}')
    expect(await post(there.url, {}, '{}')).toMatchObject({ failure: 'connect' })
    await expect.poll(there.open).toBe(1)
    const gone = once(there.connections[0] as net.Socket, 'close')
    await close()
    await gone
    expect(await hanging).toMatchObject({ statusCode: null })
  })
})
