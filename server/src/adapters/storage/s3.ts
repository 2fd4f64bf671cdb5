import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { type Dispatcher, request } from 'undici'
import type { Storage } from '../../media/ports.ts'
import { checkKey, type Range, rangeWithin } from './keys.ts'

export type S3Options = {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** How long the store may stay silent: before its answer, and between two chunks of it. */
  timeLimitMs?: number
}

type Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE'
type Extra = { headers?: Record<string, string>; content?: Uint8Array }
type Send = (method: Method, key: string, extra?: Extra) => Promise<Dispatcher.ResponseData>

const defaultTimeLimitMs = 30_000
/** An upload is given so much longer per byte: two hours of recording are 230 MB. */
const slowestUploadBytesPerMs = 500
const hashedAtOnceBytes = 1024 * 1024
const longestErrorBytes = 16 * 1024
const hashOfNothing = createHash('sha256').digest('hex')

export class S3Error extends Error {
  override readonly name = 'S3Error'
  readonly status: number
  readonly code: string | null
  constructor(method: Method, status: number, code: string | null) {
    super(`The object store answered ${status}${code ? ` ${code}` : ''} to ${method}`)
    this.status = status
    this.code = code
  }
}

/** Any S3-compatible store, by path-style addresses. Nothing is tried twice here: whoever stores knows when to try again. */
export function createS3Storage(options: S3Options): Storage {
  const send = createSender(options)
  return {
    async put(key, content, contentType) {
      const response = await send('PUT', key, { content, headers: { 'content-type': contentType } })
      if (response.statusCode !== 200) throw await errorOf('PUT', response)
      await response.body.dump()
    },

    async get(key, range) {
      const response = await send('HEAD', key)
      if (![200, 404].includes(response.statusCode)) throw await errorOf('HEAD', response)
      await response.body.dump()
      if (response.statusCode === 404) return null
      const size = Number(headerOf(response, 'content-length') ?? Number.NaN)
      if (!Number.isSafeInteger(size)) throw new Error('The object store does not tell the size of an object')
      const within = rangeWithin(size, range)
      const contentType = headerOf(response, 'content-type') ?? 'application/octet-stream'
      return { size, contentType, body: readRange(send, key, within, headerOf(response, 'etag')) }
    },

    async remove(key) {
      const response = await send('DELETE', key)
      if ([200, 204].includes(response.statusCode)) return response.body.dump()
      const error = await errorOf('DELETE', response)
      if (error.status !== 404 || error.code === 'NoSuchBucket') throw error
    },
  }
}

function createSender(options: S3Options): Send {
  const { bucket, region, accessKeyId, secretAccessKey, timeLimitMs = defaultTimeLimitMs } = options
  const base = new URL(options.endpoint)
  // An error of the HTTP client would quote them.
  if (base.username || base.password) throw new Error('The endpoint of the object store must not hold credentials')
  const prefix = `${base.origin}${base.pathname.replace(/\/+$/, '')}`

  return async (method, key, { headers = {}, content } = {}) => {
    checkKey(key)
    const hash = content ? await hashOf(content) : hashOfNothing
    const signed = await new AwsV4Signer({
      method,
      url: `${prefix}/${bucket}/${key}`,
      headers: { ...headers, 'x-amz-content-sha256': hash },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
    }).sign()
    return request(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      body: content ?? null,
      headersTimeout: timeLimitMs + Math.ceil((content?.length ?? 0) / slowestUploadBytesPerMs),
      bodyTimeout: timeLimitMs,
    })
  }
}

/** Asked for only when it is read, so that an answer nobody reads holds no connection. */
async function* readRange(send: Send, key: string, range: Range | null, etag: string | undefined) {
  if (!range) return
  const headers = { range: `bytes=${range.start}-${range.end}`, ...(etag && { 'if-match': etag }) }
  const response = await send('GET', key, { headers })
  const { statusCode } = response
  const startsRight = statusCode === 200 ? range.start === 0 : statusCode === 206
  if (!startsRight) throw await errorOf('GET', response)
  let left = range.end + 1 - range.start
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    // Some stores read `bytes=0-0` as everything.
    if (left <= 0) return
  }
  if (left > 0) throw new Error('The object store sent less than it has')
}

function headerOf(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Of the store's own words only the code is kept: some answers repeat what was signed. */
async function errorOf(method: Method, response: Dispatcher.ResponseData): Promise<S3Error> {
  let text = ''
  for await (const chunk of response.body) {
    text += String(chunk)
    if (text.length > longestErrorBytes) break
  }
  return new S3Error(method, response.statusCode, /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text)?.[1] ?? null)
}

/** In slices: hashing a long recording at once would hold up every call. */
async function hashOf(content: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < content.length; at += hashedAtOnceBytes) {
    hash.update(content.subarray(at, at + hashedAtOnceBytes))
    await breathe()
  }
  return hash.digest('hex')
}
