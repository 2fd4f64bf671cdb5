import { ErrorBody } from '@parley/contract/errors'
import fc from 'fast-check'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { Value } from 'typebox/value'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Organisation, type TestApp, testClock } from '../app.ts'
import { sharing, sharingOf } from '../sharing/shared.ts'

const seed = 20_261_115
// Decisions 1: what may come out of any route besides its success. Never 5xx.
const refusals = [400, 401, 403, 404, 409, 413, 415, 422, 429]
const inside = /\bat .+:\d+|node_modules|\.[cm]?[jt]s\b|\/(work|src|home|usr)\b|\bpg\b|postgres|\bsql|select |insert /i
const user = { email: 'fuzz@acme.test', password: 'correct horse battery' }
const nobodysCall = `call_${'0'.repeat(32)}`

/** Every operation of /openapi.json by its id, and the session route. `runs` is how often it is shot at. */
type Operation = { method: 'GET' | 'POST' | 'DELETE'; url: fc.Arbitrary<string>; body?: object; runs: number }
type Shot = { url: string; payload: Buffer; headers: Record<string, string | undefined> }
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

/** Words between blanks, with JSON's escapes. */
const words = (text: string): string[] =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => JSON.parse(`"${word}"`))
const oneOf = (...texts: string[]) => fc.constantFrom(...texts)
const manyKeys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])))
const percent = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&')

// Half surrogates and NUL included: any 16 bits.
const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 40 })
const hostileWords = words(String.raw`
  \u0000 a\u0000b \ud800 \udfffx \u202e \ufeff {{user_name}} ';drop\u0020table\u0020calls;-- __proto__ toString %s%n null
  +1٥٠٠٥٥٥٠٠٠١ +1５００５５５０００１ +15005550001\r\n +1500555000a +1;ext=5 +999 + 15005550001 +911 +4915112345678 a@b @ ada@\u0000
  ٢٠٢٧-01-15T10:00:00Z 2027-01-15T10:00:00 2027-02-30T10:00:00Z 2027-01-15T10:00:60Z +275760-09-13 -0 NaN
  2027-01-15T10:00:00+24:00 9999-12-31T23:59:59-23:59 0000-01-01T00:00:00+23:59 ２０２７-01-15T10:00Z`)
const texts = fc.oneof(anyText, oneOf('', ' ', 'x'.repeat(1_001), '😀'.repeat(1_000), ...hostileWords))
const hostileKeys = oneOf(
  ...words(String.raw`__proto__ constructor toString hasOwnProperty toJSON then length \u0000 \ud800 /~0~1 😀`),
  ...words('contact_number contact_name user_name additional_info agent_id email'),
  ...['', 'k'.repeat(3_000)],
)
const rawValues = fc.oneof(
  texts.map((text) => JSON.stringify(text)),
  oneOf(
    ...'1e400 -1e400 9007199254740993 -0 1e-400 5e-324 0 true null {} [] [[[1]]] 01 NaN +1'.split(' '),
    manyKeys(26),
  ),
  oneOf('{"constructor":{"prototype":{"x":1}}}', '{"__proto__":{"x":1}}', '{"a":1,"a":"2"}', '{"a":1e400}', '{"a":[]}'),
  fc
    .dictionary(fc.oneof(hostileKeys, anyText), fc.oneof(texts, fc.double(), fc.boolean()))
    .map((x) => JSON.stringify(x)),
  fc.json(),
)

/** A valid body with some fields replaced, dropped or added; as text, so that a key can stand there twice. */
const bent = (body: object): fc.Arbitrary<string> => {
  const pairs: [string, string][] = Object.entries(body).map(([name, value]) => [name, JSON.stringify(value)])
  const place = pairs.length > 0 ? fc.oneof(oneOf(...Object.keys(body)), hostileKeys) : hostileKeys
  return fc.array(fc.tuple(place, fc.option(rawValues), fc.boolean()), { maxLength: 3 }).map((edits) => {
    const out = [...pairs]
    for (const [name, value, twice] of edits) {
      const at = out.findIndex(([each]) => each === name)
      const next: [string, string][] = value === null ? [] : [[name, value]]
      out.splice(at < 0 || twice ? out.length : at, 1, ...next)
    }
    return `{${out.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
  })
}
const brokenTexts = fc.oneof(
  oneOf('', ' ', '\0', '\ufeff{}', ...'null [] [{}] "x" 42 true { {}{} {"a":1,} {}//'.split(' ')),
  oneOf('['.repeat(50_000) + ']'.repeat(50_000), '{"a":'.repeat(50_000), '['.repeat(200_000), manyKeys(20_000)),
  oneOf(`{"user_name":"${'n'.repeat(400_000)}"}`, `{${'"a":1,'.repeat(30_000)}"b":2}`),
)
const brokenBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  oneOf(...words('c328 fffe7b007d00 feff007b007d 7b2261223a22eda080227d 7b2261223a22ff227d efbbbf7b7d 7b22c3')).map(
    (hex) => Buffer.from(hex, 'hex'),
  ),
)
const payloads = (body: object): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 6, arbitrary: bent(body).map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: brokenTexts.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: brokenBytes },
  )

const mostly = (usual: string | undefined, odd: (string | undefined)[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) })
const contentTypes = `;;text/plain;application/;application/jsonx;APPLICATION/JSON;multipart/form-data, boundary=x;\
application/json, charset;application/json,charset=UTF-8;application/json, charset="utf8";application/json, charset=utf-16;\
application/json, charset=latin1`.split(';')
const headers = (key: string) =>
  fc.record({
    'x-api-key': mostly(key, [undefined, '', 'pk_', `${key}, ${key}`, key.toLowerCase()]),
    'content-type': mostly('application/json', [undefined, ';', ...contentTypes.map((type) => type.replace(',', ';'))]),
    'content-encoding': mostly(undefined, ['gzip', 'identity', 'br', 'deflate, gzip', '', 'x']),
    'idempotency-key': mostly(undefined, ['', 'one', 'a b', 'é', 'k'.repeat(256)]),
  })

const ids = (callId: string) =>
  fc.oneof(
    oneOf(
      callId,
      callId.toUpperCase(),
      `${callId}%00`,
      `${callId}%0a`,
      nobodysCall,
      'x'.repeat(300),
      'x'.repeat(1_025),
    ),
    oneOf('', ...'%00 %2e%2e ..%2f..%2fx %20 %ed%a0%80 %f0%9f%98%80 __proto__'.split(' ')),
    texts.map(percent),
  )
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

function judge(answer: LightMyRequestResponse, success: number): void {
  expect([success, ...refusals], answer.body.slice(0, 500)).toContain(answer.statusCode)
  expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/)
  if (answer.statusCode === success) return
  const body = answer.json<ErrorBody>()
  expect(Value.Check(ErrorBody, body), answer.body).toBe(true)
  expect(Object.keys(body)).toEqual(['success', 'error'])
  expect(Object.keys(body.error)).toEqual(['code', 'message', 'details', 'request_id'])
  expect(body.error.request_id).toBe(answer.headers['x-request-id'])
  // Field names are the caller's own words; everything else is ours.
  const fields = body.error.details.map((each) => each.field).sort((a, b) => b.length - a.length)
  const ours = fields.reduce((text, field) => text.replaceAll(field, ''), body.error.message)
  expect([ours, ...body.error.details.map((each) => each.message)].join('\n')).not.toMatch(inside)
}

async function fire(name: string, { method, body }: Operation, shot: Shot): Promise<void> {
  const given = Object.entries(shot.headers).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const request: InjectOptions = { method, url: shot.url, headers: Object.fromEntries(given) }
  if (body) request.payload = shot.payload
  // So that tries to sign in are never too many.
  if (name === 'signIn') clock.advance(60_000)
  const answer = await t.app.inject(request)
  judge(answer, name === 'createCall' || name === 'hookRequest' ? 201 : 200)
  seen.set(name, (seen.get(name) ?? new Set()).add(answer.statusCode))
  if (answer.statusCode === 201) created.add(answer.json().data.call_id)
}

type Document = { paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>> }
const documented = async () =>
  Object.values((await t.app.inject('/openapi.json')).json<Document>().paths).flatMap((path) => Object.values(path))

describe('whatever is sent', () => {
  it('knows every documented operation', async () => {
    const missing = (await documented()).map((each) => each.operationId).filter((id) => !(id in operations))
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
