import { ErrorBody } from '@parley/contract/errors'
import fc from 'fast-check'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { Value } from 'typebox/value'
import { expect } from 'vitest'

export const seed = 20_261_115
// Decisions 1: what may come out of any route besides its success. Never 5xx.
const refusals = [400, 401, 403, 404, 409, 413, 415, 422, 429]
const inside = /\bat .+:\d+|node_modules|\.[cm]?[jt]s\b|\/(work|src|home|usr)\b|\bpg\b|postgres|\bsql|select |insert /i

/** A route to shoot at. `runs` is how often. */
export type Operation = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  url: fc.Arbitrary<string>
  body?: object
  runs: number
}
export type Shot = { url: string; payload: Buffer; headers: Record<string, string | undefined> }

/** Words between blanks, with JSON's escapes. */
export const words = (text: string): string[] =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => JSON.parse(`"${word}"`))
export const oneOf = (...texts: string[]) => fc.constantFrom(...texts)
const manyKeys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])))
export const percent = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&')

// Half surrogates and NUL included: any 16 bits.
export const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 40 })
const hostileWords = words(String.raw`
  \u0000 a\u0000b \ud800 \udfffx \u202e \ufeff {{user_name}} ';drop\u0020table\u0020calls;-- __proto__ toString %s%n null
  +1٥٠٠٥٥٥٠٠٠١ +1５００５５５０００１ +15005550001\r\n +1500555000a +1;ext=5 +999 + 15005550001 +911 +4915112345678 a@b @ ada@\u0000
  ٢٠٢٧-01-15T10:00:00Z 2027-01-15T10:00:00 2027-02-30T10:00:00Z 2027-01-15T10:00:60Z +275760-09-13 -0 NaN
  2027-01-15T10:00:00+24:00 9999-12-31T23:59:59-23:59 0000-01-01T00:00:00+23:59 ２０２７-01-15T10:00Z`)
export const texts = fc.oneof(anyText, oneOf('', ' ', 'x'.repeat(1_001), '😀'.repeat(1_000), ...hostileWords))
export const hostileKeys = oneOf(
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
export const payloads = (body: object): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 6, arbitrary: bent(body).map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: brokenTexts.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: brokenBytes },
  )

export const mostly = (usual: string | undefined, odd: (string | undefined)[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) })
const contentTypes = `;;text/plain;application/;application/jsonx;APPLICATION/JSON;multipart/form-data, boundary=x;\
application/json, charset;application/json,charset=UTF-8;application/json, charset="utf8";application/json, charset=utf-16;\
application/json, charset=latin1`.split(';')
export const bodyHeaders = {
  'content-type': mostly('application/json', [undefined, ';', ...contentTypes.map((type) => type.replace(',', ';'))]),
  'content-encoding': mostly(undefined, ['gzip', 'identity', 'br', 'deflate, gzip', '', 'x']),
}

/** An id that exists, and everything else that may stand in its place. */
export const ids = (id: string) =>
  fc.oneof(
    oneOf(
      id,
      id.toUpperCase(),
      `${id}%00`,
      `${id}%0a`,
      id.replace(/[0-9a-f]{32}$/, '0'.repeat(32)),
      'x'.repeat(300),
      'x'.repeat(1_025),
    ),
    oneOf('', ...'%00 %2e%2e ..%2f..%2fx %20 %ed%a0%80 %f0%9f%98%80 __proto__'.split(' ')),
    texts.map(percent),
  )

export function toRequest({ method, body }: Operation, shot: Shot): InjectOptions {
  const given = Object.entries(shot.headers).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const request: InjectOptions = { method, url: shot.url, headers: Object.fromEntries(given) }
  return body ? { ...request, payload: shot.payload } : request
}

/** Success, or a refusal in our own words that says nothing about the inside. */
export function judge(answer: LightMyRequestResponse, ...successes: number[]): void {
  expect([...successes, ...refusals], answer.body.slice(0, 500)).toContain(answer.statusCode)
  expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/)
  if (successes.includes(answer.statusCode)) return
  const body = answer.json<ErrorBody>()
  expect(Value.Check(ErrorBody, body), answer.body).toBe(true)
  expect(Object.keys(body)).toEqual(['success', 'error'])
  const fields = ['code', 'message', 'details', 'request_id']
  expect(Object.keys(body.error)).toEqual(body.error.alternatives ? [...fields, 'alternatives'] : fields)
  expect(body.error.request_id).toBe(answer.headers['x-request-id'])
  // Field names are the caller's own words; everything else is ours.
  const named = body.error.details.map((each) => each.field).sort((a, b) => b.length - a.length)
  const ours = named.reduce((text, field) => text.replaceAll(field, ''), body.error.message)
  expect([ours, ...body.error.details.map((each) => each.message)].join('\n')).not.toMatch(inside)
}
