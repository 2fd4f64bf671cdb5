import { beforeAll, describe, expect, it } from 'vitest'
import { triggerEvent } from '../../src/webhooks/example-event.ts'
import { createTestApp, type TestApp } from '../app.ts'
import { type As, requestAs, type Signed, signedOrganisation } from '../dashboard.ts'

const url = 'https://hooks.acme.invalid/parley'
const nobodys = `whe_${'0'.repeat(32)}`

let t: TestApp
let org: Signed
let owner: As

beforeAll(async () => {
  t = await createTestApp()
  org = await signedOrganisation(t, {}, ['owner', 'admin', 'staff', 'viewer'])
  owner = org.as.owner
})

const create = async (as: As) => (await as('POST', '/endpoints', { url })).json().data

describe('who may manage webhooks', () => {
  const writes = (id: string): [Parameters<As>[0], string, unknown][] => [
    ['POST', '/endpoints', { url }],
    ['PATCH', `/endpoints/${id}`, { signing: false }],
    ['DELETE', `/endpoints/${id}`, undefined],
    ['POST', `/endpoints/${id}/rotate`, { mode: 'now' }],
    ['POST', `/endpoints/${id}/rotate/activate`, undefined],
    ['POST', `/endpoints/${id}/rotate/discard`, undefined],
    ['POST', `/endpoints/${id}/test`, { event_type: 'call.failed' }],
    ['POST', `/endpoints/${id}/recoveries`, { since: '2026-01-01T00:00:00Z' }],
    ['POST', `/deliveries/dlv_${'0'.repeat(32)}/replay`, undefined],
    ['POST', `/recoveries/rcv_${'0'.repeat(32)}/cancel`, undefined],
  ]
  const reads = (id: string) => [
    '/endpoints',
    `/endpoints/${id}`,
    `/endpoints/${id}/recoveries`,
    '/deliveries',
    '/notices',
    '/health',
  ]

  it('viewers and staff read and do not write; admins and owners do both', async () => {
    const { endpoint_id } = await create(owner)
    for (const role of ['viewer', 'staff', 'admin', 'owner'] as const) {
      for (const path of reads(endpoint_id)) expect((await org.as[role]('GET', path)).statusCode).toBe(200)
    }
    for (const role of ['viewer', 'staff'] as const) {
      for (const [method, path, body] of writes(endpoint_id)) {
        const answer = await org.as[role](method, path, body)
        expect([answer.statusCode, answer.json().error.code], `${method} ${path}`).toEqual([403, 'FORBIDDEN'])
      }
    }
    expect((await org.as.admin('PATCH', `/endpoints/${endpoint_id}`, { signing: false })).statusCode).toBe(200)
    await owner('DELETE', `/endpoints/${endpoint_id}`)
  })

  it('401 without a session, an API key does not do instead', async () => {
    const nobody = requestAs(t, '')
    for (const [method, path, body] of [...writes(nobodys), ...reads(nobodys).map((path) => ['GET', path] as const)]) {
      const answer = await nobody(method, path, body, { 'x-api-key': org.key })
      expect([answer.statusCode, answer.json().error.code], `${method} ${path}`).toEqual([401, 'UNAUTHENTICATED'])
    }
  })

  it("403 for a write that comes from another site's page", async () => {
    for (const [method, path, body] of writes(nobodys)) {
      const answer = await owner(method, path, body, { origin: 'https://evil.example' })
      expect([answer.statusCode, answer.json().error.code], `${method} ${path}`).toEqual([403, 'FORBIDDEN'])
    }
    expect((await owner('GET', '/endpoints', undefined, { origin: 'https://evil.example' })).statusCode).toBe(200)
  })

  it("another organisation's endpoint, delivery and recovery are like none at all", async () => {
    const { endpoint_id } = await create(owner)
    await triggerEvent(t.db, org.organisationId, 'call.completed')
    const [delivery] = (await owner('GET', `/deliveries?endpoint_id=${endpoint_id}`)).json().data
    const since = new Date(Date.now() - 60_000).toISOString()
    const started = await owner('POST', `/endpoints/${endpoint_id}/recoveries`, { since })
    const { recovery_id } = started.json().data
    const other = (await signedOrganisation(t)).as.owner
    const ids = {
      [nobodys]: endpoint_id,
      [`dlv_${'0'.repeat(32)}`]: delivery.delivery_id,
      [`rcv_${'0'.repeat(32)}`]: recovery_id,
    }
    const paths: [Parameters<As>[0], string, unknown][] = [
      ...writes(nobodys).slice(1),
      ['GET', `/endpoints/${nobodys}`, undefined],
      ['GET', `/endpoints/${nobodys}/recoveries`, undefined],
      ['POST', `/endpoints/${nobodys}/recoveries`, { since, dry_run: true }],
      ['GET', `/deliveries/dlv_${'0'.repeat(32)}`, undefined],
      ['GET', `/recoveries/rcv_${'0'.repeat(32)}`, undefined],
    ]
    for (const [method, path, body] of paths) {
      const real = Object.entries(ids).reduce((text, [none, one]) => text.replace(none, one), path)
      expect(real).not.toBe(path)
      const [unknown, foreign] = [await other(method, path, body), await other(method, real, body)]
      for (const each of [unknown, foreign]) expect(each.statusCode, `${method} ${path}`).toBe(404)
      const said = ({ error }: { error: { request_id: string } }) => ({ ...error, request_id: '' })
      expect(said(foreign.json())).toEqual(said(unknown.json()))
    }
    for (const filter of [`endpoint_id=${endpoint_id}`, `event_id=${delivery.event_id}`]) {
      expect((await other('GET', `/deliveries?${filter}`)).json().data).toEqual([])
    }
    expect((await owner('GET', `/endpoints/${endpoint_id}`)).json().data).toMatchObject({
      signing: true,
      status: 'enabled',
    })
    await owner('DELETE', `/endpoints/${endpoint_id}`)
  })

  it('nobody is named in the audit log but by id', async () => {
    const rows = await t.db.query<{ text: string }>('select a::text as text from audit_log a')
    expect(rows.length).toBeGreaterThan(5)
    for (const { text } of rows) {
      expect(text).not.toMatch(/@|https?:|whsec|hooks\.acme|\.test/)
    }
  })
})
