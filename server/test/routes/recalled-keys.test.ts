import { describe, expect, it } from 'vitest'
import { createTestApp, testClock } from '../app.ts'

const clock = testClock()
const t = await createTestApp({ clock })
const org = await t.organisation()
const other = await t.organisation()
const agentId = org.agents[0]?.agent_id ?? ''

const body = (name = 'Maya') => ({ agent_id: agentId, user_number: '+15005550001', user_name: name })
const post = (key: string, payload: object | string = body(), headers: Record<string, string> = {}) =>
  t.app.inject({
    method: 'POST',
    url: '/v1/calls',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    payload,
  })
const change = (key: string, what: string) => t.db.query(`update api_keys set ${what} where hint = $1`, [key.slice(-4)])
const storedCalls = async () =>
  Number((await t.db.query<{ count: string }>('select count(*) from calls'))[0]?.count ?? 0)

/** A key that the node has seen a moment ago, and so recalls. */
async function recalledKey(): Promise<string> {
  const key = await t.keyWith(org.organisationId, ['*'])
  expect((await post(key)).statusCode).toBe(201)
  return key
}

const ends = [
  ['revoked', 'revoked_at = now()', 401],
  ['expired', `expires_at = now() - interval '1 second'`, 401],
  ['left without the scope', `scopes = '{calls:read}'`, 403],
] as const

describe.each(ends)('decisions 2: a key used a moment ago and now %s', (_name, what, status) => {
  it(`gets ${status} on the very next request, and nothing is stored`, async () => {
    const key = await recalledKey()
    await change(key, what)
    const before = await storedCalls()
    const answer = await post(key)
    expect(answer.statusCode).toBe(status)
    expect(answer.json().error.code).toBe(status === 401 ? 'UNAUTHENTICATED' : 'INSUFFICIENT_SCOPE')
    expect(await storedCalls()).toBe(before)
  })

  const refused = [
    ['a field that is not valid', { ...body(), user_number: 'nonsense' }, {}],
    ['a body that is no JSON', '{broken', {}],
    ['a body of another kind', 'text', { 'content-type': 'text/plain' }],
    ['an agent that is not there', { ...body(), agent_id: `agt_${'0'.repeat(32)}` }, {}],
    ['an Idempotency-Key that is not one', body(), { 'idempotency-key': 'two words' }],
  ] as const
  it.each(refused)('learns nothing else from %s', async (_what, payload, headers) => {
    const key = await recalledKey()
    await change(key, what)
    expect((await post(key, payload, headers)).statusCode).toBe(status)
  })

  it('does not see the answer it got before, though the request is the same', async () => {
    const key = await recalledKey()
    const headers = { 'idempotency-key': `again-${status}-${what.length}` }
    expect((await post(key, body(), headers)).statusCode).toBe(201)
    expect((await post(key, body(), headers)).headers['idempotent-replayed']).toBe('true')
    await change(key, what)
    expect((await post(key, body(), headers)).statusCode).toBe(status)
  })
})

it('a scope that was added a moment ago holds on the very next request', async () => {
  const key = await t.keyWith(org.organisationId, ['calls:read'])
  expect((await post(key)).statusCode).toBe(403)
  await change(key, `scopes = '{calls:create}'`)
  expect((await post(key)).statusCode).toBe(201)
})

it('is told the same as a stranger', async () => {
  const key = await recalledKey()
  await change(key, 'revoked_at = now()')
  const [mine, stranger] = await Promise.all([post(key), post(`pk_${'a'.repeat(43)}`)])
  expect({ ...mine.json().error, request_id: '' }).toEqual({ ...stranger.json().error, request_id: '' })
  expect(mine.headers['ratelimit-policy']).toBe(stranger.headers['ratelimit-policy'])
})

it('a revoked key does not fail the requests that share its statement', async () => {
  const [good, bad] = [await recalledKey(), await recalledKey()]
  await change(bad, 'revoked_at = now()')
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => (await post(index % 2 ? good : bad)).statusCode),
  )
  expect(statuses).toEqual(Array.from({ length: 20 }, (_, index) => (index % 2 ? 201 : 401)))
})

it('a recalled key still belongs to its organisation only', async () => {
  expect((await post(other.key)).json().error.code).toBe('AGENT_NOT_CALLABLE')
  expect((await post(other.key)).json().error.code).toBe('AGENT_NOT_CALLABLE')
})
