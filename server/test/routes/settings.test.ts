import type { Role } from '@parley/contract/common'
import { beforeAll, describe, expect, it } from 'vitest'
import { holdCredits } from '../../src/credits/credits.service.ts'
import { createTestApp, type TestApp } from '../app.ts'
import { type As, apiAs, type Signed, signedOrganisation } from '../dashboard.ts'

let t: TestApp
let org: Signed
let as: Record<Role, As>
let stranger: As
const roles = ['owner', 'admin', 'staff', 'viewer'] as const

beforeAll(async () => {
  t = await createTestApp()
  org = await signedOrganisation(t, { organisation: { name: 'Acme', plan: 'base', credits: 25 } }, roles)
  as = Object.fromEntries(roles.map((role) => [role, apiAs(t, org.cookies[role])])) as Record<Role, As>
  stranger = apiAs(t, (await signedOrganisation(t)).cookies.owner)
})

it('every write is for the roles it is for, and never for a foreign page', async () => {
  const managed: [Parameters<As>[0], string, unknown][] = [
    ['PATCH', '/organisation', { name: 'X' }],
    ['PATCH', '/sharing', { enabled: true }],
    ['POST', '/sharing/revoke-all', undefined],
    ['DELETE', '/do-not-call/+15005550000', undefined],
    ['GET', '/audit-log', undefined],
  ]
  for (const [method, path, body] of managed) {
    for (const role of ['staff', 'viewer'] as const)
      expect((await as[role](method, path, body)).statusCode, `${role} ${method} ${path}`).toBe(403)
    const foreign = await as.owner(method, path, body, { origin: 'https://evil.example' })
    expect(foreign.statusCode, `${method} ${path}`).toBe(method === 'GET' ? 200 : 403)
  }
  expect((await as.viewer('POST', '/do-not-call', { numbers: ['+15005550000'] })).statusCode).toBe(403)
  for (const path of ['/organisation', '/organisation/usage', '/credits/entries', '/sharing', '/do-not-call', '/home'])
    expect((await as.viewer('GET', path)).statusCode, path).toBe(200)
  expect((await apiAs(t, '')('GET', '/organisation', undefined, { 'x-api-key': org.key })).statusCode).toBe(401)
})

describe('the organisation', () => {
  it('name and zone change and are seen at once; what cannot be is named', async () => {
    const answer = await as.admin('PATCH', '/organisation', { name: 'Lakeside', timezone: 'Asia/Kolkata' })
    expect(answer.json().data).toMatchObject({ name: 'Lakeside', timezone: 'Asia/Kolkata', plan: 'base' })
    expect((await as.viewer('GET', '/session')).json().data.organisation).toMatchObject({ name: 'Lakeside' })
    for (const [body, field] of [
      [{ timezone: 'Mars/Olympus' }, 'timezone'],
      [{ name: '  ' }, 'name'],
      [{ plan: 'enterprise' }, 'plan'],
    ] as const) {
      const refused = await as.owner('PATCH', '/organisation', body)
      expect([refused.statusCode, refused.json().error.details[0].field]).toEqual([400, field])
    }
    expect((await as.owner('PATCH', '/organisation', {})).statusCode).toBe(400)
  })

  it('usage says what the plan allows and what is in use; the ledger is paged', async () => {
    const { data } = (await as.viewer('GET', '/organisation/usage')).json()
    expect(data).toMatchObject({
      api_keys: { used: 1, limit: 5 },
      webhook_endpoints: { used: 0, limit: 1 },
      hook_quota: { limit: 1_000, used: 0 },
      credits: { balance: 25, held: 0 },
    })
    expect((await stranger('GET', '/organisation/usage')).json().data.api_keys.limit).toBeNull()
    const page = (await as.viewer('GET', '/credits/entries?limit=1')).json()
    expect(page).toMatchObject({ data: [{ kind: 'grant', amount: 25, call_id: null }], has_more: false })
    await t.db.transaction((tx) => holdCredits(tx, [{ organisationId: org.organisationId, callId: 'call_1' }]))
    const kinds = async (show: string) =>
      (await as.viewer('GET', `/credits/entries?show=${show}`)).json().data.map((each: { kind: string }) => each.kind)
    expect([await kinds('all'), await kinds('settled')]).toEqual([['hold', 'grant'], ['grant']])
  })
})

describe('sharing', () => {
  it('on with an expiry, off, all links revoked: each leaves its line in the audit log', async () => {
    expect((await as.owner('PATCH', '/sharing', { enabled: true, expiry: 'week' })).json().data).toEqual({
      enabled: true,
      expiry: 'week',
    })
    expect((await as.viewer('GET', '/sharing')).json().data).toEqual({ enabled: true, expiry: 'week' })
    expect((await as.owner('POST', '/sharing/revoke-all')).json().data).toEqual({ revoked: 0 })
    await as.owner('PATCH', '/sharing', { enabled: false })
    const { data } = (await as.owner('GET', '/audit-log?limit=3')).json()
    expect(data.map((each: { action: string }) => each.action)).toEqual([
      'sharing.off',
      'share.revoked_all',
      'sharing.on',
    ])
    expect((await as.owner('PATCH', '/sharing', { enabled: true, expiry: 'year' })).statusCode).toBe(400)
  })
})

describe('do not call', () => {
  it('many at once: every faulty line is named and nothing is added; the good ones are added once', async () => {
    const bad = await as.staff('POST', '/do-not-call', { numbers: ['+15005550001', 'nobody', '0091', '+15005550002'] })
    expect(bad.json().error.details.map((each: { field: string }) => each.field)).toEqual(['numbers.1', 'numbers.2'])
    expect((await as.staff('GET', '/do-not-call')).json().data).toEqual([])
    const numbers = ['+15005550001', '+15005550002', '+15005550001']
    expect((await as.staff('POST', '/do-not-call', { numbers })).json().data).toEqual({ added: 2, already_there: 0 })
    expect((await as.staff('POST', '/do-not-call', { numbers })).json().data).toEqual({ added: 0, already_there: 2 })
  })

  it('is searched and paged, for this organisation only; removal is one by one', async () => {
    const numbers = Array.from({ length: 25 }, (_, i) => `+9198765432${String(i).padStart(2, '0')}`)
    await as.owner('POST', '/do-not-call', { numbers })
    const first = (await as.viewer('GET', '/do-not-call?q=98765&limit=20')).json()
    const second = (await as.viewer('GET', `/do-not-call?q=98765&limit=20&cursor=${first.next_cursor}`)).json()
    const found = [...first.data, ...second.data].map((each: { number: string }) => each.number)
    expect([first.has_more, second.has_more, found.toSorted()]).toEqual([true, false, numbers])
    expect((await stranger('GET', '/do-not-call')).json().data).toEqual([])
    expect((await stranger('DELETE', `/do-not-call/${numbers[0]}`)).statusCode).toBe(404)
    expect((await as.owner('DELETE', `/do-not-call/${numbers[0]}`)).statusCode).toBe(200)
    expect((await as.owner('DELETE', `/do-not-call/${numbers[0]}`)).statusCode).toBe(404)
    for (const q of ['%', '_', "'", 'abc']) {
      expect((await as.viewer('GET', `/do-not-call?q=${encodeURIComponent(q)}`)).statusCode).toBe(400)
    }
    for (const body of [{}, { numbers: [] }, { numbers: [1] }, { numbers: '+15005550001' }])
      expect((await as.owner('POST', '/do-not-call', body)).statusCode).toBe(400)
  })
})

describe('the audit log', () => {
  it('is filtered by who, area and thing, paged, and shows nobody else’s', async () => {
    const lines = async (query: string) => (await as.owner('GET', `/audit-log${query}`)).json()
    const owner = org.users[0]?.user_id
    const all = (await lines('?limit=100')).data
    expect(all.length).toBeGreaterThan(4)
    const areas = (await lines('?area=sharing')).data.map((each: { action: string }) => each.action.split('.')[0])
    expect([...new Set(areas)]).toEqual(['sharing'])
    const actors = (await lines(`?actor=${owner}`)).data.map((each: { actor: string }) => each.actor)
    expect([...new Set(actors)]).toEqual([owner])
    expect((await lines(`?resource_id=${org.organisationId}&limit=100`)).data).toHaveLength(all.length)
    const first = await lines('?limit=2')
    const second = await lines(`?limit=2&cursor=${first.next_cursor}`)
    const ids = [...first.data, ...second.data].map((each: { audit_id: string }) => each.audit_id)
    expect(ids).toEqual(all.slice(0, 4).map((each: { audit_id: string }) => each.audit_id))
    expect((await stranger('GET', '/audit-log')).json().data).toEqual([])
    expect((await as.owner('GET', '/audit-log?area=A.B')).statusCode).toBe(400)
  })
})
