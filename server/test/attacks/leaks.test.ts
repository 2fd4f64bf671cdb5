import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { revokeApiKey } from '../../src/api-keys/api-keys.service.ts'
import { createTestApp, type Organisation, type TestApp } from '../app.ts'
import { createTestDatabase } from '../database.ts'

let t: TestApp
let other: TestApp
let ours: Organisation
let theirs: Organisation
let theirCall: string

beforeAll(async () => {
  const database = await createTestDatabase()
  t = await createTestApp({ database })
  other = await createTestApp({ database })
  ours = await t.organisation()
  theirs = await t.organisation()
  const made = await t.send(theirs.key, 'POST', '/v1/calls', { agent_id: theirs.agentId, user_number: '+15005550001' })
  theirCall = made.json().data.call_id
})

/** What a client can tell answers apart by: all of it, but for what differs between any two answers. */
function visible(answer: LightMyRequestResponse): object {
  const { 'x-request-id': id, date, ratelimit, ...headers } = answer.headers
  return { status: answer.statusCode, headers, body: answer.body.replaceAll(String(id), 'req_…') }
}

type Document = { paths: Record<string, Record<string, object>> }
async function callRoutes(): Promise<['GET' | 'POST' | 'PATCH' | 'DELETE', string][]> {
  const { paths } = (await t.app.inject('/openapi.json')).json<Document>()
  return Object.entries(paths)
    .filter(([path]) => path.includes('{call_id}'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase() as 'GET', path]))
}

describe("another organisation's things", () => {
  const unknownCall = `call_${'0'.repeat(32)}`

  it('its calls look like calls that never were, on every route', async () => {
    const routes = await callRoutes()
    expect(routes.length).toBeGreaterThanOrEqual(2)
    for (const [method, path] of routes) {
      const ask = (key: string, id: string) => t.send(key, method, path.replace('{call_id}', id))
      const foreign = await ask(ours.key, theirCall)
      expect(foreign.statusCode, `${method} ${path}`).toBe(404)
      for (const id of [unknownCall, 'call_1', 'x', theirCall.toUpperCase()]) {
        expect(visible(await ask(ours.key, id)), `${method} ${path} ${id}`).toEqual(visible(foreign))
      }
      // Without the scope, not even that it might be somebody's.
      const poor = await t.keyWith(ours.organisationId, ['slots:read'])
      expect(visible(await ask(poor, theirCall))).toEqual(visible(await ask(poor, unknownCall)))
    }
    const untouched = await t.send(theirs.key, 'GET', `/v1/calls/${theirCall}`)
    expect(untouched.json().data.status).toBe('scheduled')
  })

  it('its agents look like agents that never were', async () => {
    const unknown = `agt_${'0'.repeat(32)}`
    const create = (agent_id: string) =>
      t.send(ours.key, 'POST', '/v1/calls', { agent_id, user_number: '+15005550001' }, { 'idempotency-key': agent_id })
    const list = (agentId: string) => t.send(ours.key, 'GET', `/v1/calls?agent_id=${agentId}`)
    for (const ask of [create, list]) {
      const foreign = await ask(theirs.agentId)
      expect(foreign.statusCode).toBe(400)
      for (const id of [unknown, 'x']) expect(visible(await ask(id))).toEqual(visible(foreign))
    }
  })

  it('its calls are in no list, whatever the filter or the cursor', async () => {
    const theirCursor = Buffer.from(`${Date.now() + 60_000}.${theirCall}`).toString('base64url')
    for (const query of [
      '',
      'contact_number=%2B15005550001',
      'status=scheduled',
      `cursor=${theirCursor}`,
      'order=asc',
    ]) {
      expect((await t.send(ours.key, 'GET', `/v1/calls?${query}`)).json()).toMatchObject({ data: [], has_more: false })
    }
  })
})

describe('keys', () => {
  it('missing, malformed, unknown, revoked and expired look the same', async () => {
    const org = await t.organisation({ api_keys: [1, 2, 3].map((n) => ({ name: `k${n}`, scopes: ['*'] })) })
    const [revoked, expired, good] = org.api_keys
    await revokeApiKey(t.db, org.organisationId, String(revoked?.key_id))
    await t.db.query(`update api_keys set expires_at = now() - interval '1 ms' where key_id = $1`, [expired?.key_id])
    const key = String(good?.key)
    const wrong = [revoked?.key, expired?.key, `pk_${'a'.repeat(43)}`, key.slice(0, -1), `${key}a`, key.toLowerCase()]
    const odd = [
      '',
      ' ',
      'pk_',
      `Bearer ${key}`,
      `"${key}"`,
      `${key}, ${key}`,
      `${key}\0`,
      'é'.repeat(50),
      'x'.repeat(9_000),
    ]
    const missing = await t.app.inject('/v1/calls')
    expect(missing.statusCode).toBe(401)
    for (const each of [...wrong, ...odd]) {
      expect(visible(await t.send(String(each), 'GET', '/v1/calls')), String(each)).toEqual(visible(missing))
    }
    expect((await t.send(key, 'GET', '/v1/calls')).statusCode).toBe(200)
  })

  it('count in the x-api-key header and nowhere else', async () => {
    const elsewhere: [string, Record<string, string>][] = [
      ...['x-api-key', 'X-Api-Key', 'api_key', 'apikey', 'key', 'token', 'access_token'].map(
        (name): [string, Record<string, string>] => [`?${name}=${ours.key}`, {}],
      ),
      ['', { authorization: `Bearer ${ours.key}` }],
      ['', { authorization: `Basic ${Buffer.from(`${ours.key}:`).toString('base64')}` }],
      ['', { cookie: `x-api-key=${ours.key}; parley_session=${ours.key}` }],
    ]
    const missing = await t.app.inject('/v1/calls')
    for (const [query, headers] of elsewhere) {
      const answer = await t.app.inject({ url: `/v1/calls${query}`, headers })
      expect(visible(answer), query).toEqual(visible(missing))
    }
  })

  it('that are revoked fail on the very next request, on every node', async () => {
    for (let round = 0; round < 10; round += 1) {
      const key = await t.keyWith(ours.organisationId, ['calls:read'])
      const ask = () => Promise.all([t, other].map((node) => node.send(key, 'GET', '/v1/calls')))
      expect((await ask()).map((each) => each.statusCode)).toEqual([200, 200])
      const [row] = await t.db.query<{ key_id: string }>('select key_id from api_keys order by key_id desc limit 1')
      await revokeApiKey(t.db, ours.organisationId, String(row?.key_id))
      expect((await ask()).map((each) => each.statusCode)).toEqual([401, 401])
    }
  })

  it('are revoked by their own organisation only', async () => {
    const keyId = String(theirs.api_keys[0]?.key_id)
    await expect(revokeApiKey(t.db, ours.organisationId, keyId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await t.send(theirs.key, 'GET', '/v1/calls')).statusCode).toBe(200)
  })
})
