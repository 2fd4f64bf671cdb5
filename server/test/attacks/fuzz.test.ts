import { isUtf8 } from 'node:buffer'
import { ErrorBody } from '@parley/contract/errors'
import fc from 'fast-check'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { Value } from 'typebox/value'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Organisation, type TestApp, testClock } from '../app.ts'

// Decisions 1: what may come out of any route besides its success. Never 5xx.
const refusals = [400, 401, 403, 404, 409, 413, 415, 422, 429]
const inside = /\bat .+:\d+|node_modules|\.[cm]?[jt]s\b|\/(work|src|home|usr)\b|\bpg\b|postgres|\bsql|select |insert /i
const laterMs = 30 * 86_400_000
const user = { email: 'fuzz@acme.test', password: 'correct horse battery' }

type Operation = { method: 'GET' | 'POST'; url: fc.Arbitrary<string>; body?: [string, string][]; runs: number }
type Sent = { url: string; payload: Buffer; headers: Record<string, string | undefined> }

const clock = testClock()
let t: TestApp
let org: Organisation
let operations: Record<string, Operation>
const created = new Set<string>()
const seen = new Map<string, Set<number>>()

beforeAll(async () => {
  t = await createTestApp({ clock, settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '1000000' } })
  org = await t.organisation({ users: [{ ...user, role: 'owner' }] })
  const first = await t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005550001' })
  const callId: string = first.json().data.call_id
  created.add(callId)
  operations = {
    createCall: { method: 'POST', url: fc.constant('/v1/calls'), body: newCall(org.agentId), runs: 700 },
    listCalls: { method: 'GET', url: queries(callId, org.agentId).map((query) => `/v1/calls?${query}`), runs: 500 },
    getCall: { method: 'GET', url: ids(callId).map((id) => `/v1/calls/${id}`), runs: 200 },
    cancelCall: { method: 'POST', url: ids(callId).map((id) => `/v1/calls/${id}/cancel`), body: [], runs: 300 },
    signIn: { method: 'POST', url: fc.constant('/api/session'), body: asPairs(user), runs: 250 },
  }
})

const asPairs = (record: object): [string, string][] =>
  Object.entries(record).map(([key, value]) => [key, JSON.stringify(value)])
const newCall = (agentId: string) =>
  asPairs({
    agent_id: agentId,
    user_number: '+15005550001',
    user_name: 'Ada',
    user_email: 'ada@example.test',
    user_preferred_language: 'en',
    scheduled_time: new Date(clock.now().getTime() + laterMs).toISOString(),
    additional_info: { order: 'A-1', amount: 3 },
  })

// Half surrogates and NUL included: any 16 bits.
const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 40 })
const hostileTexts = fc.constantFrom(
  ...['', ' ', '\0', 'a\0b', '\ud800', '\udfff x', '\u202e', '\ufeff', '{{user_name}}', "'; drop table calls; --"],
  ...[
    '+1٥٠٠٥٥٥٠٠٠١',
    '+1５００５５５０００１',
    '+15005550001\r\n',
    '+1500555000a',
    '+1;ext=5',
    '+999',
    '+',
    '15005550001',
  ],
  ...['٢٠٢٧-01-15T10:00:00Z', '2027-01-15T10:00:00', '2027-02-30T10:00:00Z', '2027-01-15T10:00:60Z', '+275760-09-13'],
  ...['2027-01-15T10:00:00+24:00', '9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00+23:59', '２０２７-01-15T10:00Z'],
  ...[
    'a@b',
    '@',
    'ada@\0',
    'x'.repeat(1_001),
    '😀'.repeat(1_000),
    '__proto__',
    'toString',
    '%s%n',
    'null',
    '-0',
    'NaN',
  ],
)
const hostileKeys = fc.constantFrom(
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'toJSON',
    'then',
    'length',
    '',
    '\0',
    '\ud800',
    '/~0~1',
  ],
  ...['contact_number', 'contact_name', 'user_name', 'additional_info', 'agent_id', 'email', 'k'.repeat(3_000), '😀'],
)
const wrap = (open: string, times: number, close: string) => open.repeat(times) + close.repeat(times)
const rawValues = fc.oneof(
  fc.oneof(hostileTexts, anyText).map((text) => JSON.stringify(text)),
  fc.constantFrom('1e400', '-1e400', '9007199254740993', '-0', '1e-400', '5e-324', '0', 'true', 'null', '{}', '[]'),
  fc.constantFrom(
    '[[[1]]]',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"__proto__":{"x":1}}',
    '01',
    'NaN',
    '+1',
    "'x'",
  ),
  fc
    .dictionary(fc.oneof(hostileKeys, anyText), fc.oneof(anyText, fc.double(), fc.boolean()))
    .map((x) => JSON.stringify(x)),
  fc.constant(JSON.stringify(Object.fromEntries(Array.from({ length: 26 }, (_, index) => [`k${index}`, index])))),
  fc.json(),
)

/** A valid body with some fields replaced, dropped or added; as text, so that a key can stand there twice. */
const bent = (pairs: [string, string][]): fc.Arbitrary<Buffer> => {
  const names = pairs.map(([name]) => name)
  const place = names.length > 0 ? fc.oneof(fc.constantFrom(...names), hostileKeys) : hostileKeys
  const edits = fc.array(fc.tuple(place, fc.option(rawValues), fc.boolean()), { maxLength: 3 })
  return edits.map((list) => {
    const out = [...pairs]
    for (const [name, value, twice] of list) {
      const at = out.findIndex(([each]) => each === name)
      const next: [string, string][] = value === null ? [] : [[name, value]]
      if (at < 0 || twice) out.push(...next)
      else out.splice(at, 1, ...next)
    }
    return Buffer.from(`{${out.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`)
  })
}
const brokenBodies = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'null',
    '[]',
    '[{}]',
    '"x"',
    '42',
    'true',
    '{',
    '{}{}',
    '{"a":1,}',
    '{}//',
    '\0',
    '\ufeff{}',
  ),
  fc.constantFrom(wrap('[', 50_000, ']'), wrap('{"a":', 50_000, ''), '['.repeat(200_000), wrap('[', 33, ']')),
  fc.constantFrom(`{"user_name":"${'n'.repeat(400_000)}"}`, `{${'"a":1,'.repeat(30_000)}"b":2}`),
  fc.constant(`{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join()}}`),
)
const brokenBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(
      'c328',
      'fffe7b007d00',
      'feff007b007d',
      '7b2261223a22eda080227d',
      '7b2261223a22ff227d',
      'efbbbf7b7d',
      '7b22c3',
    )
    .map((hex) => Buffer.from(hex, 'hex')),
  fc.constant(Buffer.from('{"agent_id":"x"}', 'utf16le')),
)
const payloads = (pairs: [string, string][]) =>
  fc.oneof(
    { weight: 6, arbitrary: bent(pairs) },
    { weight: 2, arbitrary: brokenBodies.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: brokenBytes },
  )

const mostly = <T>(usual: T, ...odd: T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) })
const headersWith = (key: string) =>
  fc.record({
    'x-api-key': mostly<string | undefined>(key, undefined, '', 'pk_', `${key}, ${key}`, key.toLowerCase()),
    'content-type': mostly<string | undefined>(
      ...(['application/json', undefined, '', ';', 'application/', 'text/plain', 'application/json; charset'] as const),
      ...[
        'application/json;charset=UTF-8',
        'APPLICATION/JSON',
        'application/json; charset="utf8"',
        'application/jsonx',
      ],
      ...['application/json; charset=utf-16', 'application/json; charset=latin1', 'multipart/form-data; boundary=x'],
    ),
    'content-encoding': mostly<string | undefined>(undefined, 'gzip', 'identity', 'br', 'deflate, gzip', '', 'x'),
    'idempotency-key': mostly<string | undefined>(undefined, '', 'one', 'a b', 'é', 'k'.repeat(256)),
  })

const percent = (text: string) =>
  Buffer.from(text).reduce((out, byte) => `${out}%${byte.toString(16).padStart(2, '0')}`, '')
const ids = (callId: string) =>
  fc.oneof(
    fc.constantFrom(
      callId,
      callId.toUpperCase(),
      `${callId}%00`,
      `${callId}%0a`,
      '%00',
      '%2e%2e',
      '..%2f..%2fx',
      '',
      '%20',
    ),
    fc.constantFrom(
      'x'.repeat(300),
      'x'.repeat(1_025),
      `call_${'0'.repeat(32)}`,
      '%ed%a0%80',
      '%f0%9f%98%80',
      '__proto__',
    ),
    fc.oneof(anyText, hostileTexts).map(percent),
  )
const queries = (callId: string, agentId: string) => {
  const names = ['limit', 'cursor', 'status', 'agent_id', 'contact_number', 'created_from', 'created_to', 'order']
  const values = fc.oneof(
    fc.oneof(hostileTexts, anyText).map(percent),
    fc.constantFrom(
      agentId,
      callId,
      '%2B15005550001',
      'scheduled,queued',
      'scheduled,',
      'asc',
      '1',
      '100',
      '0',
      '-1',
      '1e2',
    ),
    fc.constantFrom('101', '1.5', '9007199254740993', '1e400', '%', '%zz', '%00', '%ff', '+15005550001', 'true', ''),
    fc
      .tuple(
        fc.oneof(fc.nat(), fc.constantFrom('0', '999999999999999', '-1', '1e9', '٥')),
        fc.oneof(anyText, fc.constant(callId)),
      )
      .map(([at, id]) => Buffer.from(`${at}.${id}`).toString('base64url')),
  )
  const pair = fc.tuple(fc.oneof(fc.constantFrom(...names), hostileKeys.map(percent)), values)
  return fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.map((each) => each.join('=')).join('&'))
}

function judge(answer: LightMyRequestResponse, success: number[]): void {
  expect([...success, ...refusals], answer.body.slice(0, 500)).toContain(answer.statusCode)
  expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/)
  if (success.includes(answer.statusCode)) return
  expect(isUtf8(answer.rawPayload)).toBe(true)
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

async function fire(name: string, operation: Operation, { url, payload, headers }: Sent): Promise<void> {
  const given = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const request: InjectOptions = { method: operation.method, url, headers: Object.fromEntries(given) }
  if (operation.body) request.payload = payload
  // So that tries to sign in are never too many.
  if (name === 'signIn') clock.advance(60_000)
  const answer = await t.app.inject(request)
  judge(answer, [name === 'createCall' ? 201 : 200])
  seen.set(name, (seen.get(name) ?? new Set()).add(answer.statusCode))
  if (answer.statusCode === 201) created.add(answer.json().data.call_id)
}

type Document = { paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>> }
const documented = async () => {
  const document = (await t.app.inject('/openapi.json')).json<Document>()
  return Object.values(document.paths).flatMap((path) => Object.values(path))
}

describe('whatever is sent', () => {
  it('knows every documented operation', async () => {
    const missing = (await documented()).map((each) => each.operationId).filter((id) => !(id in operations))
    expect(missing, 'these operations need an entry in `operations`').toEqual([])
  })

  it.each(['createCall', 'listCalls', 'getCall', 'cancelCall', 'signIn'])(
    '%s answers in its own words',
    async (name) => {
      const operation = operations[name] as Operation
      const sent = fc.record({
        url: operation.url,
        payload: payloads(operation.body ?? []),
        headers: headersWith(org.key),
      })
      const property = fc.asyncProperty(sent, (each) => fire(name, operation, each))
      await fc.assert(property, { seed: 20_261_115, numRuns: operation.runs, timeout: 20_000, endOnFailure: true })
      expect([...(seen.get(name) ?? [])].filter((status) => status < 300)).toHaveLength(1)
    },
  )

  it('keeps additional_info as it was sent, odd keys too', async () => {
    const key = fc
      .oneof(hostileKeys, anyText)
      .filter((text) => /^[^\0\ud800-\udfff]{1,64}$/.test(text) && text !== '__proto__')
    const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null))
    const pairs = fc.dictionary(
      key,
      value.filter((x) => typeof x !== 'number' || !Number.isInteger(x) || Number.isSafeInteger(x)),
      { maxKeys: 25 },
    )
    const property = fc.asyncProperty(pairs, async (info) => {
      const text = JSON.stringify({ agent_id: org.agentId, user_number: '+15005550001', additional_info: info })
      const made = await t.send(org.key, 'POST', '/v1/calls', text)
      expect(made.statusCode, made.body).toBe(201)
      const callId: string = made.json().data.call_id
      created.add(callId)
      const read = await t.send(org.key, 'GET', `/v1/calls/${callId}`)
      expect(read.json().data.additional_info).toEqual(JSON.parse(text).additional_info)
    })
    await fc.assert(property, { seed: 20_261_115, numRuns: 60, timeout: 20_000 })
  })

  it('takes no body at all where there is none to take', async () => {
    for (const body of ['[]', '[{"dry_run":true}]', '"now"', '42', 'false']) {
      const answer = await t.send(org.key, 'POST', `/v1/calls/call_${'0'.repeat(32)}/cancel`, body)
      expect([body, answer.statusCode]).toEqual([body, 400])
    }
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
    expect(t.logLines.filter((line) => !line.includes('"level":"info"'))).toEqual([])
  })
})
