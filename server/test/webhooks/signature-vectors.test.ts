import { createHmac } from 'node:crypto'
import vectors from '@parley/contract/vectors/webhook-signatures.json'
import { describe, expect, it } from 'vitest'
import { signatureOf } from '../../src/webhooks/sign.ts'

type Case = { secret: string; timestamp: string; body?: string; body_base64?: string; event_id?: string }

const bytesOf = ({ body, body_base64 }: Case) =>
  body === undefined ? Buffer.from(body_base64 ?? '', 'base64') : Buffer.from(body)
const mac = (key: string | Buffer, ...parts: (string | Buffer)[]) => {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}
const right = (each: Case) => mac(each.secret, each.timestamp, '.', bytesOf(each))
const spelled = (digest: Buffer) => `v1=${digest.toString('base64')}`
const written = (each: Case) => JSON.parse(String(each.body)) as Record<string, unknown>
const overBody = (each: Case, body: string) => spelled(mac(each.secret, each.timestamp, '.', body))
const ascii = (text: string) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const bare = (secret: string) => secret.replace(/^whsec_/, '')
const decoded = (secret: string) => Buffer.from(bare(secret), 'base64')

/** How each wrong signature comes about, step by step and apart from any code that ships. */
const recipes: Record<string, (each: Case) => string> = {
  'the prefix was stripped from the secret': (each) =>
    spelled(mac(bare(each.secret), each.timestamp, '.', bytesOf(each))),
  'the secret was stripped and Base64-decoded': (each) =>
    spelled(mac(decoded(each.secret), each.timestamp, '.', bytesOf(each))),
  'the secret was used with the newline of its file': (each) =>
    spelled(mac(`${each.secret}\n`, each.timestamp, '.', bytesOf(each))),
  'hex instead of Base64': (each) => `v1=${right(each).toString('hex')}`,
  'hex without v1=': (each) => right(each).toString('hex'),
  'prefix stripped, and hex': (each) =>
    `v1=${mac(bare(each.secret), each.timestamp, '.', bytesOf(each)).toString('hex')}`,
  'Base64url without padding': (each) => `v1=${right(each).toString('base64url')}`,
  Base64url: (each) => `v1=${right(each).toString('base64url')}=`,
  'the padding was trimmed': (each) => spelled(right(each)).slice(0, -1),
  'without v1=': (each) => right(each).toString('base64'),
  'v1, as in Standard Webhooks': (each) => `v1,${right(each).toString('base64')}`,
  'in upper case': (each) => spelled(right(each)).toUpperCase(),
  'in lower case': (each) => spelled(right(each)).toLowerCase(),
  'V1= in upper case': (each) => spelled(right(each)).replace('v1', 'V1'),
  're-serialised with spaces': (each) =>
    overBody(each, String(each.body).replaceAll('":', '": ').replaceAll(',"', ', "')),
  're-serialised with spaces and escapes, as json.dumps does': (each) =>
    overBody(each, ascii(String(each.body).replaceAll('":', '": ').replaceAll(',"', ', "'))),
  're-serialised with escaped slashes, as json_encode does': (each) =>
    overBody(each, ascii(String(each.body).replaceAll('/', '\\/'))),
  're-serialised with slashes escaped and the rest as it was': (each) =>
    overBody(each, String(each.body).replaceAll('/', '\\/')),
  're-serialised and indented': (each) => overBody(each, JSON.stringify(written(each), null, 2)),
  'a byte order mark was signed but not sent': (each) => overBody(each, `\ufeff${each.body}`),
  'a newline at the end was lost': (each) => overBody(each, `${each.body}\n`),
  'X-Webhook-Id was signed too': (each) =>
    spelled(mac(each.secret, `${each.event_id}.${each.timestamp}.`, bytesOf(each))),
  'the timestamp was not signed': (each) => spelled(mac(each.secret, bytesOf(each))),
  'the dot is missing': (each) => spelled(mac(each.secret, each.timestamp, bytesOf(each))),
  'milliseconds were signed': (each) => spelled(mac(each.secret, `${each.timestamp}000.`, bytesOf(each))),
  'as a Standard Webhooks library signs': (each) =>
    `v1,${mac(decoded(each.secret), `${each.event_id}.${each.timestamp}.`, bytesOf(each)).toString('base64')}`,
}

describe('the signature of an outbound webhook (§5.3)', () => {
  it.each(vectors.valid)('is the one of the vector: $name', (each) => {
    expect(signatureOf(each.secret, Number(each.timestamp), bytesOf(each))).toBe(each.signature)
    if (each.body !== undefined)
      expect(signatureOf(each.secret, Number(each.timestamp), each.body)).toBe(each.signature)
  })
})

describe('the vectors', () => {
  it.each(vectors.valid)('have a signature that is right: $name', (each) => {
    expect(each.signature).toBe(spelled(right(each)))
    expect(Math.abs(each.now - Number(each.timestamp))).toBeLessThanOrEqual(vectors.tolerance_seconds)
  })

  it.each(vectors.refused.filter((each) => each.name in recipes))('show what comes of it: $name', (each) => {
    expect(each.signature).toBe(recipes[each.name]?.(each))
    expect(each.correct_signature).toBe(spelled(right(each)))
    expect(each.signature).not.toBe(each.correct_signature)
  })

  it('know every recipe by name', () => {
    const names = vectors.refused.map((each) => each.name)
    expect(names).toEqual(expect.arrayContaining(Object.keys(recipes)))
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(vectors.refused.filter((each) => each.signature === spelled(right(each))))(
    'refuse a right signature for the time alone: $name',
    (each) => {
      expect(each.mistakes).toEqual([expect.stringMatching(/^timestamp_/)])
      const isWholeSeconds = /^[0-9]{1,12}$/.test(each.timestamp)
      const isNear = Math.abs(each.now - Number(each.timestamp)) <= vectors.tolerance_seconds
      expect(isWholeSeconds && isNear).toBe(false)
    },
  )
})
