import { describe, expect, it } from 'vitest'
import * as server from '../test/answering-server.ts'
import { ParleyApiError, ParleyConnectionError } from './errors.ts'
import { createSend, type ParleyOptions } from './http.ts'

const fine = server.json(200, { data: { call_id: 'call_1' } })
const get = { method: 'GET', path: 'v1/calls/call_1' } as const
const create = { method: 'POST', path: 'v1/calls', idempotencyKey: 'key-1', body: {} } as const

const sendTo = (baseUrl: string, options: Partial<ParleyOptions> = {}) =>
  createSend({ apiKey: 'pk_test', baseUrl, ...options })
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (failure: unknown) => failure,
  )

describe('hostile answers', () => {
  it('a page instead of JSON is an error, even with status 200, and is not asked for again', async () => {
    const { baseUrl, seen } = await server.startServer(server.html(200))
    const failure = await failureOf(sendTo(baseUrl)(create))
    expect(failure).toBeInstanceOf(ParleyApiError)
    expect(failure).toMatchObject({ status: 200, code: 'UNREADABLE', details: [], idempotencyKey: 'key-1' })
    expect(seen).toHaveLength(1)
  })

  it.each([[null], [[]], [{}], [{ data: null }], ['text']])('%j is not an answer', async (body) => {
    const { baseUrl } = await server.startServer(server.json(200, body))
    expect(await failureOf(sendTo(baseUrl)(get))).toMatchObject({ status: 200, code: 'UNREADABLE' })
  })

  it('an error that carries data is an error', async () => {
    const { baseUrl } = await server.startServer(server.json(404, { data: { call_id: 'call_1' } }))
    expect(await failureOf(sendTo(baseUrl)(get))).toMatchObject({ status: 404, code: 'UNREADABLE' })
  })

  it("a proxy's 502 page passes", async () => {
    const { baseUrl, seen } = await server.startServer(server.html(502), fine)
    expect(await sendTo(baseUrl)(get)).toEqual({ data: { call_id: 'call_1' } })
    expect(seen).toHaveLength(2)
  })

  it('a connection cut before or inside the answer is tried again', async () => {
    const { baseUrl, seen } = await server.startServer(server.cutBeforeAnswer, server.cutInsideAnswer, fine)
    expect(await sendTo(baseUrl)(create)).toEqual({ data: { call_id: 'call_1' } })
    expect(seen.map((each) => each.headers['idempotency-key'])).toEqual(['key-1', 'key-1', 'key-1'])
  })

  it('the last failure is told once the repeats are used up, with the key to go on with', async () => {
    const { baseUrl, seen } = await server.startServer(server.cutBeforeAnswer)
    const failure = await failureOf(sendTo(baseUrl, { maxRetries: 1 })(create))
    expect(failure).toBeInstanceOf(ParleyConnectionError)
    expect(failure).toMatchObject({ timedOut: false, idempotencyKey: 'key-1', cause: expect.any(TypeError) })
    expect(seen).toHaveLength(2)
  })

  it('a redirect is not followed: the key stays with the server it is for', async () => {
    const stranger = await server.startServer(fine)
    const { baseUrl } = await server.startServer(server.json(307, {}, { location: stranger.baseUrl }))
    expect(await failureOf(sendTo(baseUrl)(create))).toMatchObject({ status: 307, code: 'UNREADABLE' })
    expect(stranger.seen).toEqual([])
  })
})

describe('refusals', () => {
  it.each([400, 401, 403, 404, 409, 413, 415, 422])('%i is final', async (status) => {
    const { baseUrl, seen } = await server.startServer(server.refusal(status, 'NOT_FOUND'))
    expect(await failureOf(sendTo(baseUrl)(get))).toMatchObject({ status, code: 'NOT_FOUND', requestId: 'req_1' })
    expect(seen).toHaveLength(1)
  })

  it('429 is repeated no sooner than Retry-After says', async () => {
    const limited = server.refusal(429, 'RATE_LIMITED', { 'retry-after': '1' })
    const { baseUrl, seen } = await server.startServer(limited, fine)
    expect(await sendTo(baseUrl)(get)).toEqual({ data: { call_id: 'call_1' } })
    const [first, second] = seen.map((each) => each.atMs)
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(1_000)
  })

  it('429 for longer than a minute is told at once', async () => {
    const { baseUrl, seen } = await server.startServer(server.refusal(429, 'X', { 'retry-after': '3600' }))
    expect(await failureOf(sendTo(baseUrl)(get))).toMatchObject({ status: 429, retryAfterSeconds: 3_600 })
    expect(seen).toHaveLength(1)
  })

  it('maxRetries 0 tries once', async () => {
    const { baseUrl, seen } = await server.startServer(server.refusal(503, 'UNAVAILABLE'))
    expect(await failureOf(sendTo(baseUrl, { maxRetries: 0 })(get))).toMatchObject({ status: 503 })
    expect(seen).toHaveLength(1)
  })
})

describe('time', () => {
  it.each([
    ['before', server.silence],
    ['inside', server.silenceInsideAnswer],
  ])('an attempt ends at its time-out, silent %s the answer', async (_, answer) => {
    const { baseUrl } = await server.startServer(answer)
    const failure = await failureOf(sendTo(baseUrl, { timeoutMs: 200, maxRetries: 0 })(create))
    expect(failure).toBeInstanceOf(ParleyConnectionError)
    expect(failure).toMatchObject({ timedOut: true, idempotencyKey: 'key-1' })
  })

  it('a slow attempt is repeated with the same key', async () => {
    const { baseUrl, seen } = await server.startServer(server.silence, fine)
    expect(await sendTo(baseUrl, { timeoutMs: 1_000, maxRetries: 5 })(create)).toHaveProperty('data')
    expect(seen.length).toBeGreaterThan(1)
    expect(new Set(seen.map((each) => each.headers['idempotency-key']))).toEqual(new Set(['key-1']))
  })

  it('a fetch that does not listen to its signal cannot hold the caller', async () => {
    const deaf = () => new Promise<Response>(() => {})
    const failure = await failureOf(sendTo('http://parley.test', { fetch: deaf, timeoutMs: 10, maxRetries: 1 })(get))
    expect(failure).toMatchObject({ timedOut: true })
  })
})

describe('giving up', () => {
  const reason = new Error('changed my mind')

  it('ends a running attempt with the reason, and is not taken for a broken connection', async () => {
    const giveUp = new AbortController()
    const { baseUrl, seen } = await server.startServer(() => giveUp.abort(reason))
    expect(await failureOf(sendTo(baseUrl, { maxRetries: 0 })({ ...create, signal: giveUp.signal }))).toBe(reason)
    expect(seen).toHaveLength(1)
  })

  it('ends the wait between two attempts', async () => {
    const giveUp = new AbortController()
    const { baseUrl, seen } = await server.startServer((response) => {
      response.on('close', () => setTimeout(() => giveUp.abort(reason), 100))
      server.refusal(503, 'UNAVAILABLE', { 'retry-after': '60' })(response)
    })
    expect(await failureOf(sendTo(baseUrl)({ ...get, signal: giveUp.signal }))).toBe(reason)
    expect(seen).toHaveLength(1)
  })

  it('beforehand sends nothing', async () => {
    const { baseUrl, seen } = await server.startServer(fine)
    expect(await failureOf(sendTo(baseUrl)({ ...get, signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(seen).toEqual([])
  })
})
