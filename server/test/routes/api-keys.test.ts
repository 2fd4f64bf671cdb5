import { scopeNames } from '@parley/contract/scopes'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, testClock } from '../app.ts'
import { type As, askAs, auditOf, type Signed, signedOrganisation } from '../dashboard.ts'

const clock = testClock()
let t: TestApp
let org: Signed
let owner: As

beforeAll(async () => {
  t = await createTestApp({ clock })
  org = await signedOrganisation(t, {}, ['owner', 'admin', 'staff', 'viewer'])
  owner = askAs(t, org.cookies.owner)
})

const body = { name: 'Website', scopes: ['calls:create', 'calls:read'] }
const works = async (key: string) => (await t.send(key, 'GET', '/v1/calls')).statusCode

describe('making a key', () => {
  it('201 with the key this one time; it works, and the list shows its last four letters only', async () => {
    const made = await owner('POST', '/api/keys', body)
    expect(made.statusCode, made.body).toBe(201)
    const { key, ...shown } = made.json().data
    expect(key).toMatch(/^pk_\w{40,}$/)
    expect(shown).toMatchObject({
      ...body,
      hint: key.slice(-4),
      status: 'active',
      expires_at: null,
      last_used_at: null,
    })
    expect(await works(key)).toBe(200)
    const list = await owner('GET', '/api/keys')
    expect(list.body).not.toContain(key)
    expect(list.json().data.keys[0]).toMatchObject({ key_id: shown.key_id, name: 'Website' })
    expect(await auditOf(t, org, shown.key_id)).toEqual([['api_key.created', expect.stringMatching(/^usr_/)]])
  })

  it('it may do what its scopes say and no more', async () => {
    const { key } = (await owner('POST', '/api/keys', { name: 'Slots', scopes: ['slots:read'] })).json().data
    const refused = await t.send(key, 'GET', '/v1/calls')
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
  })

  it('with an expiry it works until then', async () => {
    const expires_at = new Date(clock.now().getTime() + 3_600_000).toISOString()
    const made = (await owner('POST', '/api/keys', { ...body, expires_at })).json().data
    expect(made).toMatchObject({ expires_at, status: 'active' })
    clock.advance(3_600_001)
    const [shown] = (await owner('GET', '/api/keys')).json().data.keys
    expect(shown).toMatchObject({ key_id: made.key_id, status: 'expired' })
  })

  it.each([
    ['no name', { ...body, name: '' }, 'name'],
    ['a blank name', { ...body, name: '  ' }, 'name'],
    ['a name of 101 letters', { ...body, name: 'a'.repeat(101) }, 'name'],
    ['no scopes', { ...body, scopes: [] }, 'scopes'],
    ['a scope there is not', { ...body, scopes: ['*'] }, 'scopes.0'],
    ['a scope twice', { ...body, scopes: ['calls:read', 'calls:read'] }, 'scopes'],
    ['an expiry without an offset', { ...body, expires_at: '2099-01-01T00:00' }, 'expires_at'],
    ['an expiry that is over', { ...body, expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['an unknown field', { ...body, role: 'owner' }, 'role'],
  ])('400 for %s, naming the field', async (_what, given, field) => {
    const answer = await owner('POST', '/api/keys', given)
    expect([answer.statusCode, answer.json().error.code], answer.body).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.json().error.details.map((each: { field: string }) => each.field)).toContain(field)
  })

  it('403 PLAN_LIMIT_REACHED for a sixth active key on Base; a revoked one frees its place', async () => {
    const small = await signedOrganisation(t, { organisation: { name: 'Small', plan: 'base' }, api_keys: [] })
    const ask = askAs(t, small.cookies.owner)
    for (let made = 0; made < 5; made += 1) expect((await ask('POST', '/api/keys', body)).statusCode).toBe(201)
    const sixth = await ask('POST', '/api/keys', body)
    expect([sixth.statusCode, sixth.json().error.code]).toEqual([403, 'PLAN_LIMIT_REACHED'])
    const { active, limit, keys } = (await ask('GET', '/api/keys')).json().data
    expect([active, limit]).toEqual([5, 5])
    await ask('POST', `/api/keys/${keys[0].key_id}/revoke`)
    expect((await ask('POST', '/api/keys', body)).statusCode).toBe(201)
    expect((await owner('GET', '/api/keys')).json().data.limit).toBeNull()
  })
})

describe('revoking a key', () => {
  it('ends it with the very next request; doing it again changes nothing', async () => {
    const { key, key_id } = (await owner('POST', '/api/keys', { name: 'Old', scopes: scopeNames })).json().data
    expect(await works(key)).toBe(200)
    const revoked = await owner('POST', `/api/keys/${key_id}/revoke`)
    expect(revoked.json().data).toMatchObject({ key_id, status: 'revoked' })
    expect(await works(key)).toBe(401)
    expect((await owner('POST', `/api/keys/${key_id}/revoke`)).json()).toEqual(revoked.json())
    expect((await auditOf(t, org, key_id)).map(([action]) => action)).toEqual(['api_key.created', 'api_key.revoked'])
  })

  it("404 for another organisation's key, one that is not there, and what is no id", async () => {
    const other = await signedOrganisation(t)
    const theirs = other.api_keys[0]?.key_id ?? ''
    for (const id of [theirs, `key_${'0'.repeat(32)}`, 'nonsense', '%00']) {
      const answer = await owner('POST', `/api/keys/${id}/revoke`)
      expect([answer.statusCode, answer.json().error.code], id).toEqual([404, 'NOT_FOUND'])
    }
    expect(await works(other.key)).toBe(200)
    expect((await owner('GET', '/api/keys')).body).not.toContain(theirs)
  })
})

describe('who may', () => {
  it('everyone signed in reads; owners and admins make and revoke; nobody else, and no API key', async () => {
    const nobody = await askAs(t, '')('GET', '/api/keys', undefined, { 'x-api-key': org.key })
    expect(nobody.statusCode).toBe(401)
    for (const role of ['viewer', 'staff'] as const) {
      const ask = askAs(t, org.cookies[role])
      expect((await ask('GET', '/api/keys')).statusCode).toBe(200)
      expect((await ask('POST', '/api/keys', body)).statusCode).toBe(403)
      expect((await ask('POST', `/api/keys/${org.api_keys[0]?.key_id}/revoke`)).statusCode).toBe(403)
    }
    expect((await askAs(t, org.cookies.admin)('POST', '/api/keys', body)).statusCode).toBe(201)
    const foreign = await owner('POST', '/api/keys', body, { origin: 'https://evil.example' })
    expect(foreign.statusCode).toBe(403)
  })
})

it('a key remembers when it was last used, written at most once a minute', async () => {
  const { key, key_id } = (await owner('POST', '/api/keys', body)).json().data
  const lastUsed = async (): Promise<string | null> =>
    (await owner('GET', '/api/keys')).json().data.keys.find((each: { key_id: string }) => each.key_id === key_id)
      .last_used_at
  expect(await works(key)).toBe(200)
  await expect.poll(lastUsed).not.toBeNull()
  const first = await lastUsed()
  for (let uses = 0; uses < 5; uses += 1) await works(key)
  expect(await lastUsed()).toBe(first)
  await t.db.query(`update api_keys set last_used_at = now() - interval '61 seconds' where key_id = $1`, [key_id])
  const aged = await lastUsed()
  await works(key)
  await expect.poll(lastUsed).not.toBe(aged)
})
