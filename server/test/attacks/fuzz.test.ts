import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseInstant } from '../../src/platform/instant.ts'
import { createTestApp, type Organisation, type TestApp, testClock } from '../app.ts'
import { sharing, sharingOf } from '../sharing/shared.ts'
import { calendarOperations } from './calendar-shots.ts'
import {
  anyText,
  bodyHeaders,
  hostileKeys,
  ids,
  judge,
  mostly,
  type Operation,
  oneOf,
  payloads,
  percent,
  type Shot,
  seed,
  texts,
  toRequest,
  words,
} from './shots.ts'

const user = { email: 'fuzz@acme.test', password: 'correct horse battery' }

/** Every operation of /openapi.json by its id, and the session route. */
const names = [
  'createCall',
  'listCalls',
  'getCall',
  'cancelCall',
  'deleteCall',
  'hookRequest',
  'getSharedCall',
  'signIn',
] as const

/** A stream has no end to wait for: of it, only what it refuses is shot at. The calendar has a file of its own. */
const elsewhere = ['streamEvents', ...calendarOperations]

const clock = testClock()
let t: TestApp
let org: Organisation
let operations: Record<(typeof names)[number], Operation>
const created = new Set<string>()
const seen = new Map<string, Set<number>>()

beforeAll(async () => {
  t = await createTestApp({ clock, settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '1000000' } })
  org = await t.organisation({ ...sharing(), users: [{ ...user, role: 'owner' }] })
  const first = await t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005550001' })
  const callId: string = first.json().data.call_id
  created.add(callId)
  const { token } = await sharingOf(t, clock).link(org, callId)
  const contact = {
    user_number: '+15005550001',
    user_name: 'Ada',
    user_email: 'ada@b.test',
    user_preferred_language: 'en',
  }
  const scheduled_time = new Date(clock.now().getTime() + 30 * 86_400_000).toISOString()
  const newCall = { agent_id: org.agentId, ...contact, scheduled_time, additional_info: { order: 'A-1', amount: 3 } }
  operations = {
    createCall: { method: 'POST', url: fc.constant('/v1/calls'), body: newCall, runs: 500 },
    listCalls: { method: 'GET', url: queries(callId, org.agentId).map((query) => `/v1/calls?${query}`), runs: 500 },
    getCall: { method: 'GET', url: ids(callId).map((id) => `/v1/calls/${id}`), runs: 200 },
    cancelCall: { method: 'POST', url: ids(callId).map((id) => `/v1/calls/${id}/cancel`), body: {}, runs: 300 },
    deleteCall: { method: 'DELETE', url: ids(callId).map((id) => `/v1/calls/${id}`), body: {}, runs: 150 },
    hookRequest: {
      method: 'POST',
      url: tokens(org.organisation.inbound.token ?? '').map((token) => `/v1/hooks/${token}`),
      body: { action: 'call.create', data: newCall },
      runs: 400,
    },
    getSharedCall: {
      method: 'GET',
      url: fc.tuple(ids(callId), tokens(token)).map(([id, guess]) => `/public/call/${id}?token=${guess}`),
      runs: 400,
    },
    signIn: { method: 'POST', url: fc.constant('/api/session'), body: user, runs: 120 },
  }
})

const keyHeaders = (key: string) => ({
  'x-api-key': mostly(key, [undefined, '', 'pk_', `${key}, ${key}`, key.toLowerCase()]),
})
const headers = (key: string) =>
  fc.record({
    ...keyHeaders(key),
    ...bodyHeaders,
    'idempotency-key': mostly(undefined, ['', 'one', 'a b', 'é', 'k'.repeat(256)]),
  })

const tokens = (token: string) => fc.oneof({ weight: 5, arbitrary: fc.constant(token) }, ids(token))
const queries = (callId: string, agentId: string) => {
  const fields = oneOf(
    ...words('limit cursor cursor cursor status agent_id contact_number created_from created_to order'),
  )
  const places = fc.oneof(fc.nat(), oneOf(...words('0 999999999999999 99999999999999999999 -1 ٥')))
  const values = fc.oneof(
    texts.map(percent),
    oneOf(
      agentId,
      callId,
      ...words('%2B15005550001 +15005550001 scheduled,queued scheduled, asc 1 100 0 -1 1e2 101 1.5'),
    ),
    oneOf('', ...words('9007199254740993 1e400 % %zz %00 %ff true')),
    fc.tuple(places, fc.oneof(anyText, oneOf(callId))).map((pair) => Buffer.from(pair.join('.')).toString('base64url')),
  )
  const pair = fc.tuple(fc.oneof({ weight: 6, arbitrary: fields }, hostileKeys.map(percent)), values)
  return fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.map((each) => each.join('=')).join('&'))
}

async function fire(name: string, operation: Operation, shot: Shot): Promise<void> {
  // So that tries to sign in are never too many.
  if (name === 'signIn') clock.advance(60_000)
  const answer = await t.app.inject(toRequest(operation, shot))
  judge(answer, name === 'createCall' || name === 'hookRequest' ? 201 : 200)
  seen.set(name, (seen.get(name) ?? new Set()).add(answer.statusCode))
  if (answer.statusCode === 201) created.add(answer.json().data.call_id)
}

type Document = { paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>> }
const documented = async () =>
  Object.values((await t.app.inject('/openapi.json')).json<Document>().paths).flatMap((path) => Object.values(path))

describe('whatever is sent', () => {
  it('knows every documented operation', async () => {
    const missing = (await documented())
      .map((each) => each.operationId)
      .filter((id) => !(id in operations) && !elsewhere.includes(id))
    expect(missing, 'these operations need an entry in `operations`').toEqual([])
  })

  it.each(names)(
    '%s answers in its own words',
    async (name) => {
      const { url, body = {}, runs } = operations[name]
      const shots = fc.record({ url, payload: payloads(body), headers: headers(org.key) })
      const property = fc.asyncProperty(shots, (shot) => fire(name, operations[name], shot))
      await fc.assert(property, { seed, numRuns: runs, timeout: 20_000, endOnFailure: true })
      // Some shots must have hit. None of these calls was ever answered, so none can be erased.
      const successes = [...(seen.get(name) ?? [])].filter((status) => status < 300)
      expect(successes).toHaveLength(name === 'deleteCall' ? 0 : 1)
    },
    120_000,
  )

  it('streamEvents refuses an id that is none in its own words', async () => {
    const noIds = texts.filter((text) => text !== '' && !(parseInstant(text) instanceof Date))
    const { 'x-api-key': key } = keyHeaders(org.key)
    const property = fc.asyncProperty(noIds, key, bodyHeaders['content-encoding'], async (id, apiKey, encoding) => {
      const headers = { 'last-event-id': id, 'x-api-key': apiKey, 'content-encoding': encoding }
      const shot = { url: '/v1/events/stream', payload: Buffer.alloc(0), headers }
      const answer = await t.app.inject(toRequest({ method: 'GET', url: fc.constant(''), runs: 0 }, shot))
      judge(answer)
      seen.set('streamEvents', (seen.get('streamEvents') ?? new Set()).add(answer.statusCode))
    })
    await fc.assert(property, { seed, numRuns: 150, timeout: 20_000, endOnFailure: true })
    expect([...(seen.get('streamEvents') ?? [])].sort()).toEqual([400, 401])
  })

  it('says beforehand which statuses an operation has', async () => {
    for (const { operationId, responses } of await documented()) {
      const unsaid = [...(seen.get(operationId) ?? [])].filter((status) => !(status in responses))
      expect.soft(unsaid, `${operationId} answers what /openapi.json does not say`).toEqual([])
    }
  })

  it('still works afterwards, with exactly the calls that were confirmed', async () => {
    const rows = await t.db.query<{ call_id: string }>('select call_id from calls')
    expect(new Set(rows.map((row) => row.call_id))).toEqual(created)
    const answer = await t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005550001' })
    expect(answer.statusCode).toBe(201)
    expect(t.logLines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([])
  })
})
