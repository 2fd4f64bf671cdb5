import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../app.ts'
import { makeEvents, type Signed, signedOrganisation, webhookSettings } from '../dashboard.ts'
import { startReceiver } from '../receiver.ts'
import {
  bodyHeaders,
  hostileKeys,
  ids,
  judge,
  mostly,
  type Operation,
  oneOf,
  payloads,
  percent,
  seed,
  texts,
  toRequest,
  words,
} from './shots.ts'

const base = '/api/webhooks'
const names = ['create', 'change', 'rotate', 'test', 'recover', 'discard', 'replay', 'list', 'get', 'delivery'] as const

let t: TestApp
let org: Signed
let operations: Record<(typeof names)[number], Operation>

beforeAll(async () => {
  t = await createTestApp({ settings: await webhookSettings() })
  const { url } = await startReceiver()
  org = await signedOrganisation(t, { webhook_endpoints: [{ url }] })
  const [eventId = ''] = await makeEvents(t, org.organisationId)
  const [delivery] = (await org.as.owner('GET', '/deliveries')).json().data
  const endpointId: string = org.webhook_endpoints[0]?.endpoint_id ?? ''
  const ofEndpoint = (rest = '') => often(endpointId).map((id) => `${base}/endpoints/${id}${rest}`)
  const ofDelivery = (rest = '') => often(delivery.delivery_id).map((id) => `${base}/deliveries/${id}${rest}`)
  const endpoint = { url, description: 'Ours', events: ['call.completed', '*'], signing: true }
  const range = { since: '2026-01-01T00:00:00Z', until: '2126-01-01T00:00:00+05:30', dry_run: false }
  operations = {
    create: { method: 'POST', url: fc.constant(`${base}/endpoints`), body: endpoint, runs: 300 },
    change: { method: 'PATCH', url: ofEndpoint(), body: { ...endpoint, status: 'enabled' }, runs: 300 },
    rotate: { method: 'POST', url: ofEndpoint('/rotate'), body: { mode: 'staged' }, runs: 150 },
    test: { method: 'POST', url: ofEndpoint('/test'), body: { event_type: 'slot.updated', secret: 'next' }, runs: 150 },
    recover: { method: 'POST', url: ofEndpoint('/recoveries'), body: range, runs: 250 },
    discard: { method: 'POST', url: ofEndpoint('/rotate/discard'), body: {}, runs: 100 },
    replay: { method: 'POST', url: ofDelivery('/replay'), body: {}, runs: 150 },
    list: { method: 'GET', url: queries(endpointId, eventId).map((query) => `${base}/deliveries?${query}`), runs: 300 },
    get: { method: 'GET', url: ofEndpoint(), runs: 100 },
    delivery: { method: 'GET', url: ofDelivery(), runs: 100 },
  }
})

const often = (id: string) => fc.oneof({ weight: 4, arbitrary: fc.constant(id) }, ids(id))
const headers = (cookie: string) =>
  fc.record({
    cookie: mostly(cookie, [undefined, '', 'parley_session=', 'parley_session=%00', `${cookie}; ${cookie}x`, '=;=']),
    origin: mostly(undefined, ['null', '', 'https://evil.example', 'http://127.0.0.1:3000', 'x']),
    ...bodyHeaders,
  })
const queries = (endpointId: string, eventId: string) => {
  const fields = oneOf(...words('limit cursor cursor status endpoint_id event_id call_id event_type'))
  const values = fc.oneof(
    texts.map(percent),
    oneOf(endpointId, eventId, ...words('succeeded held call.completed * 1 100 101 0 -1 1.5 %00 %ff %zz')),
    fc.tuple(fc.nat(), oneOf(endpointId, '\0', 'x')).map((pair) => Buffer.from(pair.join('.')).toString('base64url')),
  )
  const pair = fc.tuple(fc.oneof({ weight: 6, arbitrary: fields }, hostileKeys.map(percent)), values)
  return fc.array(pair, { maxLength: 3 }).map((pairs) => pairs.map((each) => each.join('=')).join('&'))
}

describe('whatever is sent to manage webhooks', () => {
  it.each(names)(
    '%s answers in its own words',
    async (name) => {
      const seen = new Set<number>()
      const { url, body = {}, runs } = operations[name]
      const shots = fc.record({ url, payload: payloads(body), headers: headers(org.cookies.owner) })
      const property = fc.asyncProperty(shots, async (shot) => {
        const answer = await t.app.inject(toRequest(operations[name], shot))
        judge(answer, 200, 201, 202)
        seen.add(answer.statusCode)
      })
      await fc.assert(property, { seed, numRuns: runs, timeout: 20_000, endOnFailure: true })
      // Some shots must have hit, and some missed.
      expect(Math.min(...seen)).toBeLessThan(300)
      expect(Math.max(...seen)).toBeGreaterThan(300)
    },
    120_000,
  )

  it('still works afterwards, and nothing went wrong inside', async () => {
    expect((await org.as.owner('GET', '/endpoints')).json().data).toHaveLength(5)
    expect(t.logLines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([])
  })
})
