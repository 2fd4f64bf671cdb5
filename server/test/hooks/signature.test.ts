import { describe, expect, it } from 'vitest'
import { setInboundSigning } from '../../src/organisations/organisations.service.ts'
import { createVault } from '../../src/platform/secrets.ts'
import { createTestApp, testClock } from '../app.ts'
import {
  countCalls,
  createBody,
  expectRefused,
  hmac,
  post,
  secretOf,
  signed,
  tokenOf,
  unixSeconds,
  usedQuota,
} from './hook.ts'

const clock = testClock()
const t = await createTestApp({ clock })
const signing = { name: 'Signing', plan: 'professional', credits: 1_000, inbound: { signing: true } } as const
const org = await t.organisation({ organisation: signing })
const other = await t.organisation({ organisation: signing })
const secret = secretOf(org)
let serial = 0
const next = () => {
  serial += 1
  return serial
}
/** Different each time, so that no test meets another's replay memory. */
const fresh = (data: object = {}) => JSON.stringify(createBody(org, { additional_info: { n: next() }, ...data }))
const now = () => unixSeconds(clock.now())
const send = (body: string | Buffer, headers: Record<string, string | undefined>) =>
  post(t, tokenOf(org), body, headers)

/** 401 for the signature's sake: no call, and nothing taken from the quota. */
async function expectUnsigned(body: string | Buffer, headers: Record<string, string | undefined>, code?: string) {
  const before = [await countCalls(t, org), await usedQuota(t, org)]
  const answer = await send(body, headers)
  expectRefused(answer, 401, 'INVALID_SIGNATURE')
  if (code) expect(answer.json().error.details).toEqual([expect.objectContaining({ code })])
  expect([await countCalls(t, org), await usedQuota(t, org)]).toEqual(before)
}

describe('§5.2 a signed request', () => {
  it('is the lowercase hex HMAC-SHA256 of "<timestamp>.<raw body>" under the whole secret', async () => {
    expect(secret).toMatch(/^ins_[0-9A-Za-z]{43}$/)
    const body = fresh()
    expect((await send(body, signed(secret, now(), body))).statusCode).toBe(201)
  })

  it.each(['call.cancel', 'call.delete'])('%s needs a signature too', async (action) => {
    const body = JSON.stringify({ action, data: { call_id: `call_${'0'.repeat(32)}`, idempotency_key: `k-${action}` } })
    await expectUnsigned(body, {}, 'required')
    expectRefused(await send(body, signed(secret, now(), body)), 404, 'NOT_FOUND')
  })

  it.each([-300, -299, 0, 299, 300])('may be %i s off', async (offset) => {
    const body = fresh()
    const timestamp = now() + offset
    clock.set(new Date(now() * 1_000).toISOString())
    expect((await send(body, signed(secret, timestamp, body))).statusCode).toBe(201)
  })

  it('with whitespace, CRLF or a BOM is judged by its very bytes', async () => {
    const body = `\r\n ${fresh()} \r\n`
    expect((await send(body, signed(secret, now(), body))).statusCode).toBe(201)
    // The signature holds for these bytes; JSON with a byte order mark is read like JSON without.
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(fresh())])
    expect((await send(marked, signed(secret, now(), marked))).statusCode).toBe(201)
  })

  it('that is not valid JSON is refused for that only when it is signed', async () => {
    await expectUnsigned('{"action":', {}, 'required')
    const body = `{"action":${next()}`
    expectRefused(await send(body, signed(secret, now(), body)), 400, 'VALIDATION_ERROR')
  })
})

describe('signatures that do not hold: 401, no call, nothing counted', () => {
  const signature = (body: string, timestamp: number | string = now()) =>
    signed(secret, timestamp, body)['x-inbound-signature']
  const twist: [string, (good: string, body: string, timestamp: number) => string | undefined][] = [
    ['missing', () => undefined],
    ['empty', () => ''],
    ['duplicated', (good) => `${good}, ${good}`],
    ['uppercase', (good) => good.toUpperCase()],
    ['truncated', (good) => good.slice(0, 63)],
    ['half', (good) => good.slice(0, 32)],
    ['one digit longer', (good) => `${good}0`],
    ['not hex', (good) => `g${good.slice(1)}`],
    ['no digits at all', () => 'z'.repeat(64)],
    ['with a prefix v1=', (good) => `v1=${good}`],
    ['with a prefix sha256=', (good) => `sha256=${good}`],
    ['Base64', (_good, body, timestamp) => hmac(secret, timestamp, body).digest('base64')],
    ['Base64url', (_good, body, timestamp) => hmac(secret, timestamp, body).digest('base64url')],
    ['of the body alone', (_good, body) => hmac(secret, '', body).digest('hex')],
    [
      "with another organisation's secret",
      (_good, body, timestamp) => hmac(secretOf(other), timestamp, body).digest('hex'),
    ],
    [
      'with the secret without its prefix',
      (_good, body, timestamp) => hmac(secret.slice(4), timestamp, body).digest('hex'),
    ],
    ['with the token as secret', (_good, body, timestamp) => hmac(tokenOf(org), timestamp, body).digest('hex')],
    ['with an empty secret', (_good, body, timestamp) => hmac('', timestamp, body).digest('hex')],
    ['in other letters', (good) => good.replace(/[0-9]/g, '٥')],
    ['8,000 characters long', (good) => good.repeat(125)],
  ]
  it.each(twist)('a signature %s', async (_name, change) => {
    const body = fresh()
    const timestamp = now()
    const good = signature(body, timestamp)
    const given = change(good, body, timestamp)
    // A header holds bytes; what is no Latin-1 cannot be sent.
    const sent = given === undefined ? undefined : Buffer.from(given).toString('latin1')
    await expectUnsigned(body, { 'x-inbound-timestamp': String(timestamp), 'x-inbound-signature': sent })
  })

  it('over JSON written anew', async () => {
    const body = fresh().replace('{', '{ ')
    await expectUnsigned(body, signed(secret, now(), JSON.stringify(JSON.parse(body))), 'mismatch')
  })

  it.each<[string, (body: string) => string | Buffer]>([
    ['a trailing space', (body) => `${body} `],
    ['a trailing line feed', (body) => `${body}\n`],
    ['CRLF for LF', (body) => body.replaceAll('\n', '\r\n')],
    ['a byte order mark', (body) => `\ufeff${body}`],
    ['one byte changed', (body) => body.replace('+15005550001', '+15005550002')],
    ['a key twice', (body) => body.replace('{', '{"action":"call.delete",')],
    ['nothing', () => ''],
  ])('over a body that then got %s', async (_name, change) => {
    const body = `${fresh()}\n`
    const headers = signed(secret, now(), body)
    expect(change(body)).not.toBe(body)
    await expectUnsigned(change(body), headers, 'mismatch')
  })

  it.each<[string, () => string | undefined]>([
    ['missing', () => undefined],
    ['empty', () => ''],
    ['old by 301 s', () => String(now() - 301)],
    ['ahead by 301 s', () => String(now() + 301)],
    ['of a year ago', () => String(now() - 31_536_000)],
    ['0', () => '0'],
    ['in milliseconds', () => String(now() * 1_000)],
    ['a float', () => `${now()}.0`],
    ['a float with an exponent', () => '1.7e9'],
    ['1e9', () => '1e9'],
    ['negative', () => `-${now()}`],
    ['with a plus sign', () => `+${now()}`],
    ['with a leading zero', () => `0${now()}`],
    ['with a dot behind', () => `${now()}.`],
    ['with a dot before', () => `.${now()}`],
    ['hexadecimal', () => `0x${now().toString(16)}`],
    ['with a space inside', () => `${now()} 0`],
    ['twice', () => `${now()}, ${now()}`],
    ['in ISO 8601', () => new Date(now() * 1_000).toISOString()],
    ['beyond all numbers', () => '9'.repeat(400)],
    ['NaN', () => 'NaN'],
    ['in other digits', () => Buffer.from('١٧٠٠٠٠٠٠٠٠').toString('latin1')],
  ])('a timestamp %s, though signed with it', async (_name, timestamp) => {
    const body = fresh()
    const given = timestamp()
    await expectUnsigned(body, {
      'x-inbound-timestamp': given,
      'x-inbound-signature': hmac(secret, Buffer.from(given ?? '', 'latin1').toString(), body).digest('hex'),
    })
  })

  it('a dot in the timestamp cannot move the border between timestamp and body', async () => {
    const inner = fresh()
    const body = `5.${inner}`
    const headers = signed(secret, now(), body)
    await expectUnsigned(inner, { ...headers, 'x-inbound-timestamp': `${headers['x-inbound-timestamp']}.5` }, 'format')
  })

  it("another organisation's signed request", async () => {
    const body = fresh()
    await expectUnsigned(body, signed(secretOf(other), now(), body), 'mismatch')
  })
})

describe('signing, switched', () => {
  it('off: headers are not looked at', async () => {
    const plain = await t.organisation()
    const body = JSON.stringify(createBody(plain))
    for (const headers of [{}, { 'x-inbound-timestamp': 'x', 'x-inbound-signature': 'y' }]) {
      expect((await post(t, tokenOf(plain), body, headers)).statusCode).toBe(201)
    }
  })

  it('on, off and with a new secret: from the very next request', async () => {
    const own = await t.organisation()
    const deps = { db: t.db, vault: createVault('secret for tests only') }
    const change = (enabled: boolean, rotate: boolean) =>
      setInboundSigning(deps, own.organisationId, { enabled, rotate })
    const ask = (headers: object, body: string) => post(t, tokenOf(own), body, { ...headers })
    const bodies = () => JSON.stringify(createBody(own, { additional_info: { n: next() } }))

    expect(await change(true, false)).toEqual({ signingSecret: null })
    const first = bodies()
    expectRefused(await ask({}, first), 401, 'INVALID_SIGNATURE')
    expect((await ask(signed(secretOf(own), now(), first), first)).statusCode).toBe(201)

    const { signingSecret } = await change(true, true)
    expect(signingSecret).toMatch(/^ins_[0-9A-Za-z]{43}$/)
    const second = bodies()
    expectRefused(await ask(signed(secretOf(own), now(), second), second), 401, 'INVALID_SIGNATURE')
    expect((await ask(signed(String(signingSecret), now(), second), second)).statusCode).toBe(201)

    await change(false, false)
    expect((await ask({}, bodies())).statusCode).toBe(201)
  })

  it('the secret lies encrypted', async () => {
    const rows = await t.db.query<{ sealed: Buffer }>('select inbound_signing_secret as sealed from organisations')
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.toContain('ins_')
  })
})
