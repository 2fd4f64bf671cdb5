import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Storage } from '../../media/ports.ts'
import { bytesOf, describeStorage } from '../conformance/storage.ts'
import { createS3Storage, type S3Options } from './s3.ts'

type S3rver = { run(): Promise<AddressInfo>; close(): Promise<void> }
// It has no types of its own.
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver

const account = { bucket: 'parley-test', region: 'eu-central-1', accessKeyId: 'S3RVER', secretAccessKey: 'very-secret' }
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

async function startS3(): Promise<S3Options> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-s3-'))
  const buckets = [{ name: account.bucket, configs: [] }]
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: buckets })
  const { port } = await server.run()
  closing.push(
    () => server.close(),
    () => rm(directory, { recursive: true }),
  )
  return { ...account, endpoint: `http://127.0.0.1:${port}` }
}

describeStorage('S3', async () => createS3Storage(await startS3()))

describe('S3 that says no', () => {
  it('does not take a missing bucket for a removed object', async () => {
    const storage = createS3Storage({ ...(await startS3()), bucket: 'no-such-bucket' })
    await expect(storage.put('a.wav', Buffer.from('x'), 'audio/wav')).rejects.toMatchObject({ code: 'NoSuchBucket' })
    await expect(storage.remove('a.wav')).rejects.toMatchObject({ code: 'NoSuchBucket' })
  })

  it('refuses credentials in the endpoint without repeating them', () => {
    const create = () => createS3Storage({ ...account, endpoint: 'https://me:hunter2@s3.example.com' })
    expect(create).toThrow(/^(?!.*hunter2).*credentials/)
  })
})

describe('S3 that misbehaves', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections()
  })

  async function storageAgainst(listener: RequestListener, prefix = '') {
    const server = createServer(listener).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return createS3Storage({ ...account, endpoint: `http://127.0.0.1:${port}${prefix}`, timeLimitMs: 300 })
  }

  // s3rver takes any signature of version 4, so a checking store is played here.
  it('signs what it sends, and never tells the secret when that is refused', async () => {
    const answers: number[] = []
    const listener =
      (secret: string): RequestListener =>
      async (incoming, outgoing) => {
        const status = (await isSignedWith(secret, incoming)) ? 200 : 403
        answers.push(status)
        const { authorization } = incoming.headers
        outgoing.writeHead(status).end(`<Error><Code>SignatureDoesNotMatch</Code><Had>${authorization}</Had></Error>`)
      }
    const put = async (storage: Storage) => storage.put('a/b_c-d.wav', Buffer.alloc(3_000_000, 'x'), 'audio/wav')
    await put(await storageAgainst(listener(account.secretAccessKey)))
    const error = await put(await storageAgainst(listener('another'))).catch((refused: unknown) => refused)
    expect(answers).toEqual([200, 403])
    expect(error).toMatchObject({ name: 'S3Error', status: 403, code: 'SignatureDoesNotMatch' })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/very-secret|Signature=/)
  })

  it('gives up on one that never answers', async () => {
    const storage = await storageAgainst(() => {})
    await expect(storage.get('a.wav')).rejects.toThrow(/timeout/i)
    await expect(storage.put('a.wav', Buffer.from('x'), 'audio/wav')).rejects.toThrow(/timeout/i)
    await expect(storage.remove('a.wav')).rejects.toThrow(/timeout/i)
  })

  it('gives up on one that stops in the middle', async () => {
    const storage = await storageAgainst((incoming, outgoing) => {
      outgoing.writeHead(incoming.method === 'GET' ? 206 : 200, { 'content-length': 100 })
      if (incoming.method === 'GET') outgoing.write('half of it')
      else outgoing.end()
    })
    await expect(storage.get('a.wav').then(bytesOf)).rejects.toThrow(/timeout/i)
  })

  it.each([500, 503, 403, 301])('throws the status %d', async (status) => {
    const storage = await storageAgainst((_, outgoing) => {
      outgoing.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('<Error><Code>Odd</Code></Error>')
    })
    await expect(storage.get('a.wav')).rejects.toMatchObject({ status })
    await expect(storage.put('a.wav', Buffer.from('x'), 'audio/wav')).rejects.toMatchObject({ status, code: 'Odd' })
    await expect(storage.remove('a.wav')).rejects.toMatchObject({ status })
  })

  it('asks for the bucket in the path, behind the path of the endpoint', async () => {
    const asked: string[] = []
    const storage = await storageAgainst((incoming, outgoing) => {
      asked.push(`${incoming.method} ${incoming.url}`)
      outgoing.writeHead(404).end()
    }, '/minio/')
    expect(await storage.get('a/b.wav')).toBeNull()
    expect(asked).toEqual(['HEAD /minio/parley-test/a/b.wav'])
  })

  it('refuses a body that is not the one it was told about', async () => {
    const storage = await storageAgainst((incoming, outgoing) => {
      if (incoming.method === 'HEAD') outgoing.writeHead(200, { 'content-length': 3, etag: '"one"' }).end()
      else outgoing.writeHead(incoming.headers['if-match'] === '"one"' ? 412 : 206).end('new')
    })
    await expect(storage.get('a.wav').then(bytesOf)).rejects.toMatchObject({ status: 412 })
  })
})

/** Version 4 of the signature, computed the other way round: from what arrived. */
async function isSignedWith(secret: string, incoming: IncomingMessage): Promise<boolean> {
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
  const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
  const pattern = /Credential=[^/]+\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/
  const [, day = '', region = '', names = '', signature] = pattern.exec(incoming.headers.authorization ?? '') ?? []
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const hash = sha256(Buffer.concat(chunks))
  const lines = names.split(';').map((name) => `${name}:${incoming.headers[name]}\n`)
  const canonical = [incoming.method, incoming.url, '', lines.join(''), names, hash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', incoming.headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secret}`, day), region))
  return hmac(key, toSign).toString('hex') === signature && names.includes('x-amz-content-sha256')
}
