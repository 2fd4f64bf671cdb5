import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import type { TLSSocket, TlsOptions } from 'node:tls'
import { afterAll, describe, expect, it } from 'vitest'
import { type RawServer, startBareServer, startRawServer } from '../../test/raw-server.ts'
import { testCa } from '../../test/receiver.ts'
import { createSafeConnector } from './safe-connector.ts'
import { createSafePost } from './safe-post.ts'
import type { Resolve } from './safe-url.ts'

const ok = (socket: net.Socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const hangUp = (socket: net.Socket) =>
  void socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok')
const only127001 = (address: string) => (address === '127.0.0.1' ? null : 'not-for-this-test')

async function poster(resolve: Resolve, refusalOf: (address: string) => string | null = () => null, timeoutMs = 5_000) {
  const asked: string[] = []
  const safePost = createSafePost({
    refusalOf,
    timeoutMs,
    ca: (await testCa()).cert,
    resolve: (name) => {
      asked.push(name)
      return resolve(name)
    },
  })
  afterAll(safePost.close)
  return { asked, post: (url: string) => safePost.post(url, {}, '{}') }
}
const urlAt = ({ port }: RawServer, name = 'localhost') => `https://${name}:${port}/hook`

describe('the connection', () => {
  it('goes to the address that was judged, whatever the resolver says a moment later', async () => {
    const good = await startRawServer(hangUp)
    const bad = await startRawServer(hangUp, { host: '127.0.0.2', port: good.port })
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1', '127.0.0.2']]
    const { post, asked } = await poster(async () => answers.shift() ?? [], only127001)
    expect(await post(urlAt(good))).toMatchObject({ statusCode: 200, failure: null })
    expect(asked).toEqual(['localhost'])
    expect(await post(urlAt(good))).toMatchObject({ failure: 'refused_address' })
    expect(await post(urlAt(good))).toMatchObject({ statusCode: 200, failure: null })
    expect(await post(urlAt(good))).toMatchObject({ failure: 'refused_address' })
    expect(asked).toHaveLength(4)
    expect(good.requests).toHaveLength(2)
    expect(bad.open() + bad.connections.length).toBe(0)
  })

  it('is used again without asking the resolver; a new one asks again', async () => {
    const server = await startRawServer(ok)
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const { post, asked } = await poster(async () => answers.shift() ?? [], only127001)
    for (let i = 0; i < 3; i++) {
      expect(await post(urlAt(server))).toMatchObject({ failure: null })
      await new Promise(setImmediate)
    }
    expect(server.connections).toHaveLength(1)
    expect(asked).toHaveLength(1)
    server.connections[0]?.destroy()
    await expect.poll(server.open).toBe(0)
    expect(await post(urlAt(server))).toMatchObject({ failure: 'refused_address' })
    expect(asked).toHaveLength(2)
  })

  it.each(['localhost', 'localhost.'])('tells TLS the name, not the address: %s', async (name) => {
    const server = await startRawServer(hangUp)
    const { post } = await poster(async () => ['127.0.0.1'])
    expect(await post(urlAt(server, name))).toMatchObject({ failure: null })
    expect((server.connections[0] as TLSSocket).servername).toBe('localhost')
    expect(server.requests[0]).toContain(`host: ${name}:${server.port}\r\n`)
  })

  it('is refused when the certificate is for another name, even if the address is in it', async () => {
    const certificate = await (await testCa()).issue({ names: ['other.example'] })
    const server = await startRawServer(hangUp, { certificate })
    const { post } = await poster(async () => ['127.0.0.1'])
    expect(await post(urlAt(server))).toMatchObject({ statusCode: null, failure: 'tls' })
    expect(server.requests).toEqual([])
  })

  it('to a literal address is checked against that address', async () => {
    const server = await startRawServer(hangUp)
    const { post, asked } = await poster(async () => [])
    expect(await post(urlAt(server, '127.0.0.1'))).toMatchObject({ statusCode: 200, failure: null })
    expect(asked).toEqual([])
    expect((server.connections[0] as TLSSocket).servername).toBe(false)
  })

  // undici takes what stands before the first colon of an address without brackets for a name.
  it('to a v6 literal does not tell TLS a piece of the address as the name', async () => {
    const names: string[] = []
    const SNICallback: TlsOptions['SNICallback'] = (name, done) => {
      names.push(name)
      done(null)
    }
    const server = await startRawServer(ok, { host: '::1', tls: { SNICallback } })
    const connect = createSafeConnector({ refusalOf: () => null, resolve: async () => [], timeoutMs: 5_000 })
    const hostname = '0:0:0:0:0:0:0:1'
    const target = { hostname, host: `[${hostname}]:${server.port}`, protocol: 'https:', port: String(server.port) }
    const error = await new Promise((done) => connect(target, (...[failed]) => done(failed)))
    expect(error).toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
    expect(names).toEqual([])
  })
})

describe('several addresses', () => {
  it('the second is used when nobody listens at the first', async () => {
    const server = await startRawServer(hangUp)
    for (const dead of [['127.0.0.2'], ['::1'], ['127.0.0.2', '127.0.0.3', '::1']]) {
      const { post, asked } = await poster(async () => [...dead, '127.0.0.1'])
      expect(await post(urlAt(server))).toMatchObject({ statusCode: 200, failure: null })
      expect(asked).toHaveLength(1)
    }
  })

  it('a first one that swallows everything leaves time for the second', async () => {
    const server = await startRawServer(hangUp)
    const stop = await startBlackHole('127.0.0.4', server.port)
    const { post } = await poster(async () => ['127.0.0.4', '127.0.0.1'])
    expect(await post(urlAt(server))).toMatchObject({ statusCode: 200, failure: null })
    stop()
  })

  it('all dead: one failure, with words', async () => {
    const server = await startBareServer(() => {})
    server.close()
    const { post } = await poster(async () => ['127.0.0.2', '127.0.0.3'])
    expect(await post(urlAt(server))).toMatchObject({
      failure: 'connect',
      detail: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('a thousand dead ones before the one that lives do not use the time up', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => `127.1.${i >> 8}.${i & 255}`)
    const server = await startRawServer(hangUp)
    const { post } = await poster(async () => [...many, '127.0.0.1'])
    expect(await post(urlAt(server))).toMatchObject({ statusCode: 200, failure: null })
  })
})

/** A listener whose process stands still and whose backlog is full: the kernel drops whatever else comes. */
async function startBlackHole(host: string, port: number): Promise<() => void> {
  const program = `require('net').createServer().listen({ host: '${host}', port: ${port}, backlog: 1 }, () => console.log('up'))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  const fillers = Array.from({ length: 4 }, () => net.connect({ host, port }).on('error', () => {}))
  const stop = () => {
    for (const filler of fillers) filler.destroy()
    child.kill('SIGKILL')
  }
  afterAll(stop)
  await Promise.race(fillers.map((filler) => once(filler, 'connect')))
  return stop
}
