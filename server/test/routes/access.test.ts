import { scopeNames } from '@parley/contract/scopes'
import { describe, expect, it } from 'vitest'
import { createTestApp, testClock } from '../app.ts'

const clock = testClock()
const t = await createTestApp({ clock })
const org = await t.organisation()
const someId = 'call_00000000000000000000000000000000'

const routes = [
  ['POST', '/v1/calls', 'calls:create'],
  ['GET', '/v1/calls', 'calls:read'],
  ['GET', `/v1/calls/${someId}`, 'calls:read'],
  ['POST', `/v1/calls/${someId}/cancel`, 'calls:cancel'],
] as const

describe('§5.1 API keys', () => {
  it.each(routes)('%s %s needs %s and nothing else', async (method, url, scope) => {
    const having = await t.keyWith(org.organisationId, [scope])
    const lacking = await t.keyWith(
      org.organisationId,
      scopeNames.filter((each) => each !== scope),
    )
    expect((await t.send(having, method, url)).statusCode).not.toBe(403)
    const refused = await t.send(lacking, method, url)
    expect(refused.statusCode).toBe(403)
    expect(refused.json().error.code).toBe('INSUFFICIENT_SCOPE')
    const details = Object.fromEntries(
      refused.json().error.details.map((each: { code: string; message: string }) => [each.code, each.message]),
    )
    expect(details.required).toBe(scope)
    expect(details.held.split(', ').toSorted()).toEqual(scopeNames.filter((each) => each !== scope).toSorted())
  })

  it.each(routes)('%s %s: the same 401 without a key and with a malformed or unknown one', async (method, url) => {
    const answers = await Promise.all(
      [{}, { 'x-api-key': '' }, { 'x-api-key': 'nonsense' }, { 'x-api-key': `pk_${'a'.repeat(43)}` }].map((headers) =>
        t.app.inject({ method, url, headers }),
      ),
    )
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401)
      const { request_id, ...error } = answer.json().error
      expect(request_id).toBe(answer.headers['x-request-id'])
      expect(error).toEqual({
        code: 'UNAUTHENTICATED',
        message: 'Send a valid API key in the x-api-key header.',
        details: [],
      })
    }
  })

  it('401 comes before a look at the body', async () => {
    const response = await t.app.inject({ method: 'POST', url: '/v1/calls', payload: '{broken' })
    expect(response.statusCode).toBe(401)
  })

  it('a key in the query string is never accepted', async () => {
    for (const name of ['api_key', 'x-api-key', 'key']) {
      expect((await t.app.inject({ url: `/v1/calls?${name}=${org.key}` })).statusCode).toBe(401)
    }
  })

  it('a key that has expired is refused', async () => {
    const key = await t.keyWith(org.organisationId, ['*'])
    expect((await t.send(key, 'GET', '/v1/calls')).statusCode).toBe(200)
    await t.db.query(`update api_keys set expires_at = now() - interval '1 second' where hint = $1`, [key.slice(-4)])
    expect((await t.send(key, 'GET', '/v1/calls')).statusCode).toBe(401)
  })

  it('notes when a key was last used', async () => {
    const key = await t.keyWith(org.organisationId, ['*'])
    await t.send(key, 'GET', '/v1/calls')
    await expect
      .poll(() =>
        t.db.query<{ last_used_at: Date | null }>('select last_used_at from api_keys where hint = $1', [key.slice(-4)]),
      )
      .toEqual([{ last_used_at: expect.any(Date) }])
  })
})

describe('rate limit', async () => {
  const limited = await createTestApp({ clock, settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '3' } })
  const own = await limited.organisation({ api_keys: [{ name: 'one' }, { name: 'two' }] })
  const [one, two] = own.api_keys.map((each) => each?.key ?? '') as [string, string]
  const get = (key: string) => limited.send(key, 'GET', '/v1/calls')

  it('every response carries the policy and what is left; a 429 says when to come back', async () => {
    for (const left of [2, 1, 0]) {
      const response = await get(one)
      expect(response.statusCode).toBe(200)
      expect(response.headers['ratelimit-policy']).toBe('"default";q=3;w=60')
      expect(response.headers.ratelimit).toMatch(new RegExp(`^"default";r=${left};t=\\d+$`))
    }
    const refused = await get(one)
    expect(refused.statusCode).toBe(429)
    expect(refused.json().error.code).toBe('RATE_LIMITED')
    expect(refused.headers['retry-after']).toBe('20')
    expect(refused.headers.ratelimit).toBe('"default";r=0;t=60')
  })

  it('one key does not use up another, and time fills the bucket again', async () => {
    expect((await get(two)).statusCode).toBe(200)
    expect((await get(one)).statusCode).toBe(429)
    clock.advance(20_000)
    expect((await get(one)).statusCode).toBe(200)
    expect((await get(one)).statusCode).toBe(429)
  })

  it('answers without a key carry the headers too', async () => {
    const response = await limited.app.inject({ url: '/v1/calls' })
    expect(response.statusCode).toBe(401)
    expect(response.headers['ratelimit-policy']).toBe('"default";q=3;w=60')
    expect(response.headers.ratelimit).toBe('"default";r=2;t=20')
  })
})
