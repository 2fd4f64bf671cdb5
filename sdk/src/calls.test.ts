import { describe, expect, it } from 'vitest'
import { cutBeforeAnswer, json, refusal, startServer } from '../test/answering-server.ts'
import { ParleyClient } from './client.ts'

const created = { call_id: 'call_1', status: 'scheduled', scheduled_at: '2026-11-15T09:30:00.000Z' }
const body = { agent_id: 'agt_1', user_number: '+15005550001' }
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function clientOf(...answers: Parameters<typeof startServer>) {
  const { baseUrl, seen } = await startServer(...answers)
  return { calls: new ParleyClient({ apiKey: 'pk_test', baseUrl }).calls, seen }
}
const page = (ids: string[], next: string | null) =>
  json(200, { data: ids.map((call_id) => ({ call_id })), has_more: next !== null, next_cursor: next })

describe('create', () => {
  it('sends the body as JSON with the key, and answers what was created', async () => {
    const { calls, seen } = await clientOf(json(201, { data: created }))
    expect(await calls.create(body)).toEqual(created)
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/v1/calls', body: JSON.stringify(body) })
    expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'pk_test', 'content-type': 'application/json' })
  })

  it('makes a new Idempotency-Key for every call', async () => {
    const { calls, seen } = await clientOf(json(201, { data: created }))
    await calls.create(body)
    await calls.create(body)
    const [first, second] = seen.map((each) => each.headers['idempotency-key'])
    expect(first).toMatch(uuid)
    expect(second).toMatch(uuid)
    expect(second).not.toBe(first)
  })

  it('keeps the key it is given', async () => {
    const { calls, seen } = await clientOf(json(201, { data: created }))
    await calls.create(body, { idempotencyKey: 'order-1042' })
    expect(seen[0]?.headers['idempotency-key']).toBe('order-1042')
  })

  it.each(['', 'with space', 'ключ', 'line\nbreak', 'x'.repeat(256)])('refuses the key %j unsent', async (key) => {
    const { calls, seen } = await clientOf(json(201, { data: created }))
    await expect(calls.create(body, { idempotencyKey: key })).rejects.toThrow(TypeError)
    expect(seen).toEqual([])
  })

  it('repeats a 503 with the same key and the same bytes, even if the body has changed meanwhile', async () => {
    const { calls, seen } = await clientOf(refusal(503, 'UNAVAILABLE'), json(201, { data: created }))
    const changing = { ...body }
    const creating = calls.create(changing)
    changing.user_number = '+15005550002'
    expect(await creating).toEqual(created)
    expect(seen).toHaveLength(2)
    expect(seen[1]?.headers['idempotency-key']).toBe(seen[0]?.headers['idempotency-key'])
    expect(seen.map((each) => each.body)).toEqual([JSON.stringify(body), JSON.stringify(body)])
  })
})

describe('get, cancel and delete', () => {
  it('keep an odd id inside its part of the path', async () => {
    const { calls, seen } = await clientOf(json(200, { data: created }))
    await calls.get('../agents?x=1#y')
    await calls.cancel('a/b')
    await calls.delete('a/../b')
    expect(seen.map((each) => each.url)).toEqual([
      '/v1/calls/..%2Fagents%3Fx%3D1%23y',
      '/v1/calls/a%2Fb/cancel',
      '/v1/calls/a%2F..%2Fb',
    ])
  })

  it.each(['', '.', '..'])('refuse the id %j unsent', async (id) => {
    const { calls, seen } = await clientOf(json(200, { data: created }))
    await expect(calls.get(id)).rejects.toThrow(TypeError)
    await expect(calls.cancel(id)).rejects.toThrow(TypeError)
    await expect(calls.delete(id)).rejects.toThrow(TypeError)
    expect(seen).toEqual([])
  })

  it('cancel sends no body', async () => {
    const { calls, seen } = await clientOf(json(200, { data: created }))
    await calls.cancel('call_1')
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/v1/calls/call_1/cancel', body: '' })
    expect(seen[0]?.headers).not.toHaveProperty('idempotency-key')
  })

  it('delete sends no body, and answers what was erased', async () => {
    const erased = { call_id: 'call_1', deleted: true }
    const { calls, seen } = await clientOf(json(200, { data: erased }))
    expect(await calls.delete('call_1')).toEqual(erased)
    expect(seen[0]).toMatchObject({ method: 'DELETE', url: '/v1/calls/call_1', body: '' })
    expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'pk_test', 'content-type': 'application/json' })
  })

  it('delete is repeated after a lost answer, and says so when nothing is left to erase', async () => {
    const { calls, seen } = await clientOf(cutBeforeAnswer, refusal(404, 'NOT_FOUND'))
    await expect(calls.delete('call_1')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(seen.map((each) => each.method)).toEqual(['DELETE', 'DELETE'])
  })
})

describe('list and all', () => {
  it('escape the filters, join states with commas and leave out what is undefined', async () => {
    const { calls, seen } = await clientOf(page([], null))
    await calls.list({ status: ['scheduled', 'queued'], contact_number: '+15005550001', agent_id: undefined, limit: 5 })
    const { searchParams } = new URL(seen[0]?.url ?? '', 'http://x')
    expect(Object.fromEntries(searchParams)).toEqual({
      status: 'scheduled,queued',
      contact_number: '+15005550001',
      limit: '5',
    })
  })

  it('list answers one page as it came', async () => {
    const { calls } = await clientOf(page(['a'], 'next'))
    expect(await calls.list()).toEqual({ data: [{ call_id: 'a' }], has_more: true, next_cursor: 'next' })
  })

  it('all walks every page with the same filters', async () => {
    const { calls, seen } = await clientOf(page(['a', 'b'], 'p 2'), page([], 'p3'), page(['c'], null))
    const ids: string[] = []
    for await (const call of calls.all({ order: 'asc' })) ids.push(call.call_id)
    expect(ids).toEqual(['a', 'b', 'c'])
    const queries = seen.map((each) => Object.fromEntries(new URL(each.url, 'http://x').searchParams))
    const filters = { limit: '100', order: 'asc' }
    expect(queries).toEqual([filters, { ...filters, cursor: 'p 2' }, { ...filters, cursor: 'p3' }])
  })

  it('all asks for no page that nobody reads', async () => {
    const { calls, seen } = await clientOf(page(['a', 'b'], 'next'))
    for await (const call of calls.all()) if (call.call_id === 'b') break
    expect(seen).toHaveLength(1)
  })

  it('all ends when a server forgets to say where it goes on', async () => {
    const { calls, seen } = await clientOf(json(200, { data: [{ call_id: 'a' }], has_more: true }))
    for await (const call of calls.all()) expect(call.call_id).toBe('a')
    expect(seen).toHaveLength(1)
  })
})
