import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../app.ts'
import { type As, askAs, auditOf, type Signed, signedOrganisation } from '../dashboard.ts'
import { createBody, post, signed, tokenOf, unixSeconds } from '../hooks/hook.ts'

let t: TestApp
let org: Signed
let owner: As

beforeAll(async () => {
  t = await createTestApp({ settings: { PARLEY_HOOK_QUOTA_PROFESSIONAL: '7' } })
})
beforeEach(async () => {
  org = await signedOrganisation(t)
  owner = askAs(t, org.cookies.owner)
})

const settings = async () => (await owner('GET', '/api/hook')).json().data
const requests = async (query = '') => (await owner('GET', `/api/hook/requests?${query}`)).json()
const tokenIn = (url: string) => url.split('/').at(-1) ?? ''

describe('the hook in the dashboard', () => {
  it('shows where it is without its token, whether it is signed, and what is left of today', async () => {
    await post(t, tokenOf(org), createBody(org))
    const answer = await owner('GET', '/api/hook')
    expect(answer.body).not.toContain(tokenOf(org))
    expect(answer.json().data).toEqual({
      url_start: expect.stringMatching(/\/v1\/hooks\/$/),
      signing: false,
      quota: { limit: 7, used: 1, remaining: 6, resets_at: expect.stringMatching(/T00:00:00.000Z$/) },
    })
  })

  it('a new URL is shown once and works; the old one is refused at once', async () => {
    const made = await owner('POST', '/api/hook/regenerate')
    const { url } = made.json().data
    expect((await post(t, tokenIn(url), createBody(org))).statusCode).toBe(201)
    expect((await post(t, tokenOf(org), createBody(org))).statusCode).toBe(401)
    expect((await owner('GET', '/api/hook')).body).not.toContain(tokenIn(url))
    expect((await auditOf(t, org, org.organisationId)).map(([action]) => action)).toEqual(['hook_token.regenerated'])
  })

  it('signing switched on with a new secret: unsigned requests are refused, signed ones are not', async () => {
    const on = (await owner('POST', '/api/hook/signing', { enabled: true, rotate: true })).json().data
    expect(on).toEqual({ signing: true, signing_secret: expect.stringMatching(/^ins_/) })
    expect((await settings()).signing).toBe(true)
    expect((await post(t, tokenOf(org), createBody(org))).statusCode).toBe(401)
    const body = JSON.stringify(createBody(org))
    const headers = signed(on.signing_secret, unixSeconds(new Date()), body)
    expect((await post(t, tokenOf(org), body, headers)).statusCode).toBe(201)
    const off = (await owner('POST', '/api/hook/signing', { enabled: false })).json().data
    expect(off).toEqual({ signing: false, signing_secret: null })
    expect((await post(t, tokenOf(org), createBody(org))).statusCode).toBe(201)
    // Two of one moment have no order.
    expect((await auditOf(t, org, org.organisationId)).map(([action]) => action).sort()).toEqual([
      'hook_secret.rotated',
      'hook_signing.disabled',
      'hook_signing.enabled',
    ])
  })

  it('lists requests newest first, by result, page by page', async () => {
    const good = (await post(t, tokenOf(org), createBody(org))).json().data.call_id
    await post(t, tokenOf(org), createBody(org, { contact_number: 'none' }))
    await post(t, tokenOf(org), { action: 'call.cancel', data: { call_id: good } })
    expect((await requests()).data.map((each: { status: number }) => each.status)).toEqual([200, 400, 201])
    const [refused] = (await requests('result=refused')).data
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_PHONE_NUMBER', action: 'call.create', call_id: null })
    expect((await requests('result=accepted')).data.map((each: { call_id: string }) => each.call_id)).toEqual([
      good,
      good,
    ])
    const first = await requests('limit=2')
    expect(first.has_more).toBe(true)
    const second = await requests(`limit=2&cursor=${first.next_cursor}`)
    expect(second.data.map((each: { status: number }) => each.status)).toEqual([201])
  })

  it("shows nothing of another organisation's requests", async () => {
    const other = await signedOrganisation(t)
    await post(t, tokenOf(other), createBody(other))
    expect((await requests()).data).toEqual([])
    expect((await settings()).quota.used).toBe(0)
  })

  it.each([
    ['POST', '/api/hook/signing', {}],
    ['POST', '/api/hook/signing', { enabled: 'yes' }],
    ['POST', '/api/hook/signing', { enabled: true, secret: 'mine' }],
    ['POST', '/api/hook/regenerate', { token: 'mine' }],
    ['GET', '/api/hook/requests?result=good', undefined],
    ['GET', '/api/hook/requests?cursor=x', undefined],
    ['GET', '/api/hook/requests?limit=0', undefined],
  ] as const)('400 for %s %s %o', async (method, url, body) => {
    const answer = await owner(method, url, body)
    expect([answer.statusCode, answer.json().error.code], answer.body).toEqual([400, 'VALIDATION_ERROR'])
  })
})

it('everyone signed in reads; owners and admins change', async () => {
  const team = await signedOrganisation(t, {}, ['admin', 'staff', 'viewer'])
  for (const role of ['viewer', 'staff'] as const) {
    const ask = askAs(t, team.cookies[role])
    for (const url of ['/api/hook', '/api/hook/requests']) expect((await ask('GET', url)).statusCode).toBe(200)
    expect((await ask('POST', '/api/hook/regenerate')).statusCode).toBe(403)
    expect((await ask('POST', '/api/hook/signing', { enabled: true })).statusCode).toBe(403)
  }
  expect((await askAs(t, team.cookies.admin)('POST', '/api/hook/signing', { enabled: true })).statusCode).toBe(200)
  const nobody = askAs(t, '')
  expect((await nobody('GET', '/api/hook')).statusCode).toBe(401)
  expect((await nobody('POST', '/api/hook/regenerate')).statusCode).toBe(401)
  const foreign = await owner('POST', '/api/hook/regenerate', undefined, { origin: 'https://evil.example' })
  expect(foreign.statusCode).toBe(403)
})
