import { beforeAll, describe, expect, it } from 'vitest'
import { ParleyClient } from '../../../sdk/src/client.ts'
import { ParleyApiError } from '../../../sdk/src/errors.ts'
import { createTestApp, type Organisation, type TestApp, testClock } from '../app.ts'

type Fetch = typeof globalThis.fetch

async function listen(testApp: TestApp) {
  const baseUrl = await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  return (apiKey: string, fetch?: Fetch) => new ParleyClient({ apiKey, baseUrl, fetch })
}
async function refusalOf(promise: Promise<unknown>): Promise<ParleyApiError> {
  const failure = await promise.catch((thrown: unknown) => thrown)
  if (!(failure instanceof ParleyApiError)) throw new Error('This should have been refused.', { cause: failure })
  return failure
}
async function idsOf(calls: AsyncIterable<{ call_id: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const call of calls) ids.push(call.call_id)
  return ids
}

describe('a program that uses the SDK', () => {
  let parley: TestApp
  let clientWith: Awaited<ReturnType<typeof listen>>
  let acme: Organisation
  let client: ParleyClient
  const scheduled_time = new Date(Date.now() + 86_400_000).toISOString()
  const body = () => ({ agent_id: acme.agentId, user_number: '+15005550001', scheduled_time })

  beforeAll(async () => {
    parley = await createTestApp()
    clientWith = await listen(parley)
    acme = await parley.organisation()
    client = clientWith(acme.key)
  })

  it('creates a call and reads it back', async () => {
    const additional_info = { order_id: 'A-1042', amount: 120, urgent: true, note: null }
    const created = await client.calls.create({ ...body(), user_name: 'Zoë 🙂', additional_info })
    expect(created).toEqual({
      call_id: expect.stringMatching(/^call_/),
      status: 'scheduled',
      scheduled_at: scheduled_time,
    })
    expect(await client.calls.get(created.call_id)).toMatchObject({
      ...created,
      agent_id: acme.agentId,
      agent_name: 'Asha',
      call_direction: 'outbound',
      call_to: '+15005550001',
      contact_name: 'Zoë 🙂',
      additional_info,
      call_transcript: null,
    })
  })

  it('places one call when the first answer is lost on its way', async () => {
    const answers: { status: number; replayed: string | null; text: string }[] = []
    const losesTheFirst: Fetch = async (...given) => {
      const response = await fetch(...given)
      const text = await response.clone().text()
      answers.push({ status: response.status, replayed: response.headers.get('idempotent-replayed'), text })
      if (answers.length === 1) throw new TypeError('the cable was cut')
      return response
    }
    const user_number = '+15005550077'
    const created = await clientWith(acme.key, losesTheFirst).calls.create({ ...body(), user_number })
    expect(answers.map(({ status, replayed }) => ({ status, replayed }))).toEqual([
      { status: 201, replayed: null },
      { status: 201, replayed: 'true' },
    ])
    expect(answers[1]?.text).toBe(answers[0]?.text)
    expect(await idsOf(client.calls.all({ contact_number: user_number }))).toEqual([created.call_id])
  })

  it('places one call for a key of its own, however often it asks', async () => {
    const options = { idempotencyKey: 'order-1042' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.calls.create(body(), options)))
    expect(new Set(answers.map((each) => each.call_id)).size).toBe(1)
    const other = client.calls.create({ ...body(), user_number: '+15005550002' }, options)
    expect(await refusalOf(other)).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' })
  })

  it('pages through more calls than a page holds, none twice, none missed', async () => {
    const lister = await parley.organisation()
    const { calls } = clientWith(lister.key)
    const made: string[] = []
    for (let count = 0; count < 45; count += 1) {
      made.push((await calls.create({ ...body(), agent_id: lister.agentId })).call_id)
    }
    const first = await calls.list()
    expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) })
    expect(first.data.map((call) => call.call_id)).toEqual(made.slice(-20).toReversed())
    const second = await calls.list({ cursor: String(first.next_cursor) })
    expect(second.data.map((call) => call.call_id)).toEqual(made.slice(5, 25).toReversed())

    expect(await idsOf(calls.all({ limit: 20 }))).toEqual(made.toReversed())
    expect(await idsOf(calls.all({ limit: 15, order: 'asc' }))).toEqual(made)
    expect(await idsOf(calls.all())).toEqual(made.toReversed())
  })

  it('filters what it lists', async () => {
    const user_number = '+919876543210'
    const from = (await client.calls.get((await client.calls.create({ ...body(), user_number })).call_id)).created_at
    const cancelled = await client.calls.create({ ...body(), user_number })
    await client.calls.cancel(cancelled.call_id)
    const list = (filters: Parameters<typeof client.calls.list>[0]) =>
      client.calls.list({ contact_number: user_number, ...filters }).then((page) => page.data.length)
    expect(await list({})).toBe(2)
    expect(await list({ status: 'cancelled' })).toBe(1)
    expect(await list({ status: ['cancelled', 'scheduled'] })).toBe(2)
    expect(await list({ agent_id: acme.agentId, created_from: from.replace('Z', '+00:00') })).toBe(2)
    expect(await list({ created_to: from })).toBe(0)
    expect(await refusalOf(client.calls.list({ status: [] }))).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  })

  it('cancels a call, and cancelling it again answers the same', async () => {
    const { call_id } = await client.calls.create(body())
    const cancelled = await client.calls.cancel(call_id)
    expect(cancelled).toEqual({ call_id, status: 'cancelled', cancelled_at: expect.any(String) })
    expect(await client.calls.cancel(call_id)).toEqual(cancelled)
    expect(await client.calls.get(call_id)).toMatchObject(cancelled)
  })

  it('learns from a refusal what was wrong', async () => {
    const badNumber = await refusalOf(client.calls.create({ ...body(), user_number: '12' }))
    expect(badNumber).toMatchObject({
      status: 422,
      code: 'INVALID_PHONE_NUMBER',
      requestId: expect.stringMatching(/^req_/),
    })
    expect(badNumber.details).toEqual([expect.objectContaining({ field: 'user_number' })])
    const abroad = client.calls.create({ ...body(), user_number: '+4915112345678' })
    expect(await refusalOf(abroad)).toMatchObject({ status: 422, code: 'UNSUPPORTED_COUNTRY' })
    const badFields = await refusalOf(client.calls.create({ ...body(), user_email: 'nobody', scheduled_time: 'soon' }))
    expect(badFields).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    expect(badFields.details.map((each) => each.field).toSorted()).toEqual(['scheduled_time', 'user_email'])
  })

  it("cannot reach another organisation's call", async () => {
    const { call_id } = await client.calls.create(body())
    const { calls } = clientWith((await parley.organisation()).key)
    const notFound = { status: 404, code: 'NOT_FOUND' }
    expect(await refusalOf(calls.get(call_id))).toMatchObject(notFound)
    expect(await refusalOf(calls.cancel(call_id))).toMatchObject(notFound)
    expect(await idsOf(calls.all())).toEqual([])
    expect(await client.calls.get(call_id)).toMatchObject({ status: 'scheduled' })
  })

  it('cannot do what its key has no scope for, and nothing with a key that is none', async () => {
    const { calls } = clientWith(await parley.keyWith(acme.organisationId, ['calls:read']))
    await calls.list()
    const missing = { status: 403, code: 'INSUFFICIENT_SCOPE' }
    expect(await refusalOf(calls.create(body()))).toMatchObject(missing)
    expect(await refusalOf(calls.cancel('call_unknown'))).toMatchObject(missing)
    expect(await refusalOf(clientWith('pk_nobody').calls.list())).toMatchObject({
      status: 401,
      code: 'UNAUTHENTICATED',
    })
  })
})

it('a program erases a completed call, and only such', async () => {
  const parley = await createTestApp({ workers: {} })
  const acme = await parley.organisation()
  const client = (await listen(parley))(acme.key)
  const { call_id } = await client.calls.create({ agent_id: acme.agentId, user_number: '+15005550008' })
  const notFound = { status: 404, code: 'NOT_FOUND' }
  const laterAt = new Date(Date.now() + 86_400_000).toISOString()
  const later = { agent_id: acme.agentId, user_number: '+15005550008', scheduled_time: laterAt }
  const { call_id: pending } = await client.calls.create(later)
  expect(await refusalOf(client.calls.delete(pending))).toMatchObject(notFound)
  await parley.untilCall(acme.key, call_id, (call) => call.status === 'completed')
  expect(await client.calls.delete(call_id)).toEqual({ call_id, deleted: true })
  expect(await refusalOf(client.calls.get(call_id))).toMatchObject(notFound)
  expect(await refusalOf(client.calls.delete(call_id))).toMatchObject(notFound)
})

it('a program over its rate limit waits as told and is served', async () => {
  const clock = testClock()
  const parley = await createTestApp({ clock, settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '60' } })
  const statuses: number[] = []
  const client = (await listen(parley))((await parley.organisation()).key, async (...given) => {
    const response = await fetch(...given)
    statuses.push(response.status)
    if (response.status === 429) clock.advance(Number(response.headers.get('retry-after')) * 1_000)
    return response
  })
  for (let count = 0; count < 61; count += 1) await client.calls.list()
  expect(statuses).toEqual([...Array(60).fill(200), 429, 200])
})
