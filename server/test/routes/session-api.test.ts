import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../app.ts'
import { type Signed, signedOrganisation } from '../dashboard.ts'

let t: TestApp
let org: Signed
let other: Signed
beforeAll(async () => {
  t = await createTestApp()
  org = await signedOrganisation(t, {}, ['owner', 'admin', 'staff', 'viewer'])
  other = await signedOrganisation(t)
})

type Method = 'GET' | 'POST' | 'DELETE'
const ask = (cookie: string, method: Method, url: string, payload?: object, headers: Record<string, string> = {}) =>
  t.app.inject({ method, url: `/api/v1${url}`, headers: { cookie, ...headers }, ...(payload ? { payload } : {}) })
const newCall = () => ({ agent_id: org.agentId, contact_number: '+15005550001', contact_name: 'Maya Rao' })

describe('the public API for people who are signed in', () => {
  it('answers as it answers a key: create, read, list, cancel', async () => {
    const made = await ask(org.cookies.staff, 'POST', '/calls', newCall())
    expect(made.statusCode).toBe(201)
    const id = made.json().data.call_id
    const byKey = await t.send(org.key, 'GET', `/v1/calls/${id}`)
    const bySession = await ask(org.cookies.viewer, 'GET', `/calls/${id}`)
    expect(bySession.json()).toEqual(byKey.json())
    expect(
      (await ask(org.cookies.viewer, 'GET', '/calls')).json().data.map((each: { call_id: string }) => each.call_id),
    ).toContain(id)
    expect((await ask(org.cookies.staff, 'POST', `/calls/${id}/cancel`)).statusCode).toBe(200)
  })

  it('viewers look, staff run the day, only managers erase', async () => {
    expect((await ask(org.cookies.viewer, 'POST', '/calls', newCall())).statusCode).toBe(403)
    expect((await ask(org.cookies.viewer, 'POST', '/appointments', {})).statusCode).toBe(403)
    expect((await ask(org.cookies.staff, 'DELETE', '/calls/call_x')).statusCode).toBe(403)
    expect((await ask(org.cookies.admin, 'DELETE', '/calls/call_x')).statusCode).toBe(404)
    expect((await ask(org.cookies.viewer, 'GET', '/appointments')).statusCode).toBe(200)
  })

  it('an API key opens nothing here, and a session nothing there', async () => {
    const key = { 'x-api-key': org.key }
    expect((await t.app.inject({ url: '/api/v1/calls', headers: key })).statusCode).toBe(401)
    expect((await t.app.inject({ url: '/v1/calls', headers: { cookie: org.cookies.owner } })).statusCode).toBe(401)
  })

  it("another organisation's call is like none at all", async () => {
    const id = (await ask(org.cookies.owner, 'POST', '/calls', newCall())).json().data.call_id
    const theirs = await ask(other.cookies.owner, 'GET', `/calls/${id}`)
    const nobodys = await ask(other.cookies.owner, 'GET', '/calls/call_01jd00000000000000000000000')
    expect([theirs.statusCode, nobodys.statusCode]).toEqual([404, 404])
    expect(theirs.json().error.message).toBe(nobodys.json().error.message)
  })

  it("a page of another site's cannot write", async () => {
    const refused = await ask(org.cookies.owner, 'POST', '/calls', newCall(), { origin: 'https://evil.example' })
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'FORBIDDEN'])
  })

  it('bad input gets the same words as from the API', async () => {
    const body = { ...newCall(), contact_number: '+999', agent: 'x' }
    const [bySession, byKey] = await Promise.all([
      ask(org.cookies.owner, 'POST', '/calls', body),
      t.send(org.key, 'POST', '/v1/calls', body),
    ])
    expect(bySession.statusCode).toBe(byKey.statusCode)
    expect(bySession.json().error.details).toEqual(byKey.json().error.details)
  })

  it('is not in the reference', async () => {
    const paths = Object.keys((await t.app.inject('/openapi.json')).json().paths)
    expect(paths).toContain('/v1/calls')
    expect(paths.filter((path) => path.startsWith('/api'))).toEqual([])
  })
})
