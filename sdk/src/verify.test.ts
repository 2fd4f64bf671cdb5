import { createHmac } from 'node:crypto'
import { eventExamples } from '@parley/contract/event-examples'
import vectors from '@parley/contract/vectors/webhook-signatures.json'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type VerificationReason, type VerifyOptions, verifyWebhook, WebhookVerificationError } from './verify.ts'
import type { WebhookHeaders } from './webhook-headers.ts'

const secret = 'whsec_4fTq9ZkW2mXv7LbN0cRyHs8JdAeGu3PxKiYo6VwQtBz'
const now = new Date('2026-11-16T09:30:00.000Z')
const timestamp = String(now.getTime() / 1_000)
const event = eventExamples['call.completed']
const body = JSON.stringify(event)
const sign = (signed: string | Uint8Array, at = timestamp) =>
  `v1=${createHmac('sha256', secret).update(`${at}.`).update(signed).digest('base64')}`
const headers = { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': sign(body) }

type Given = { body: unknown; headers: unknown; secret: unknown; options: VerifyOptions }
/** Everything right except what is given; types aside, because a receiver in JavaScript has none. */
const verify = (given: Partial<Given>) => {
  const all = { body, headers, secret, options: { now }, ...given }
  return verifyWebhook(all.body as string, all.headers as WebhookHeaders, all.secret as string, all.options)
}
function refusalOf(work: () => unknown): WebhookVerificationError {
  try {
    work()
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error
    throw error
  }
  throw new Error('This should have been refused.')
}
const reasonOf = (given: Partial<Given>): VerificationReason => refusalOf(() => verify(given)).reason

describe('a webhook of Parley', () => {
  it.each(Object.values(eventExamples))('$event_type comes back as the event it is', (example) => {
    const text = JSON.stringify(example)
    expect(verify({ body: text, headers: { ...headers, 'x-webhook-signature': sign(text) } })).toEqual(example)
  })

  it.each([
    ['a Buffer', Buffer.from(body)],
    ['a Uint8Array that is part of a larger one', new TextEncoder().encode(`xx${body}xx`).subarray(2, -2)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
  ])('may be given as %s', (_, raw) => {
    expect(verify({ body: raw })).toEqual(event)
  })

  it.each<[string, WebhookHeaders]>([
    ['Headers', new Headers(headers)],
    ['a Map', new Map(Object.entries(headers))],
    [
      'a Map in capitals',
      new Map([
        ['X-Webhook-Timestamp', timestamp],
        ['X-Webhook-Signature', sign(body)],
      ]),
    ],
    ['an object in any case', { 'X-Webhook-TIMESTAMP': timestamp, 'X-WEBHOOK-signature': sign(body) }],
    ['lists of one', { 'x-webhook-timestamp': [timestamp], 'x-webhook-signature': [sign(body)] }],
    ['an object with much else', { ...headers, get: 'x', host: undefined, 'set-cookie': ['a', 'b'] }],
  ])('may have its headers as %s', (_, each) => {
    expect(verify({ headers: each })).toEqual(event)
  })

  it('narrows by event_type', () => {
    const verified = verify({})
    if (verified.event_type === 'appointment.created') expectTypeOf(verified.data.appointment_id).toBeString()
    if (verified.event_type === 'slot.updated') expectTypeOf(verified.data.max_slots).toBeNumber()
    expect(verified.event_type === 'call.completed' && verified.data.call_analytics?.disposition).toBe(
      'appointment_booked',
    )
  })

  it('is judged by the clock of the machine unless one is given', () => {
    expect(reasonOf({ options: {} })).toMatch(/^timestamp_too_(old|new)$/)
    const at = String(Math.floor(Date.now() / 1_000))
    const fresh = { 'x-webhook-timestamp': at, 'x-webhook-signature': sign(body, at) }
    expect(verify({ headers: fresh, options: {} })).toEqual(event)
  })

  it('is judged by the tolerance given', () => {
    const later = new Date(now.getTime() + 10_000)
    expect(verify({ options: { now: later, toleranceSeconds: 10 } })).toEqual(event)
    expect(reasonOf({ options: { now: later, toleranceSeconds: 9 } })).toBe('timestamp_too_old')
  })

  it.each([{ now: new Date(Number.NaN) }, { now, toleranceSeconds: Number.NaN }])(
    'is refused by a clock or tolerance that is no number',
    (options) => {
      expect(reasonOf({ options })).toBe('timestamp_too_old')
    },
  )
})

describe('the vectors', () => {
  type Vector = {
    secret: string
    timestamp: string
    signature: string
    now: number
    body?: string
    body_base64?: string
  }
  const given = (vector: Vector): Partial<Given> => ({
    body: vector.body ?? Buffer.from(vector.body_base64 ?? '', 'base64'),
    headers: { 'X-Webhook-Timestamp': vector.timestamp, 'X-Webhook-Signature': vector.signature },
    secret: vector.secret,
    options: { now: new Date(vector.now * 1_000) },
  })

  it.each(vectors.valid)('a right signature is accepted: $name', (vector) => {
    // Most of these bodies are chosen for their bytes and are no events, which is found only behind the signature.
    const isEvent = vector.body?.includes('"data"') ?? false
    if (isEvent) expect(verify(given(vector)).event_id).toMatch(/^evt_/)
    else expect(reasonOf(given(vector))).toBe('body_not_an_event')
  })

  /** What the receiver can tell of each mistake; the others show only as a signature that does not fit. */
  const told: Record<string, VerificationReason> = {
    signature_missing: 'header_missing',
    timestamp_missing: 'header_missing',
    header_doubled: 'header_doubled',
    timestamp_malformed: 'timestamp_malformed',
    timestamp_too_old: 'timestamp_too_old',
    timestamp_too_new: 'timestamp_too_new',
    hex_digest: 'signature_in_hex',
    version_missing: 'signature_without_version',
    version_comma: 'signature_without_version',
    padding_missing: 'signature_malformed',
  }
  const toldByName: Record<string, VerificationReason> = {
    'the receiver keeps the secret without its prefix': 'secret_without_prefix',
    'the receiver keeps the secret with a newline': 'secret_not_clean',
    'the receiver keeps the secret in quotes': 'secret_not_clean',
    'the receiver indented the body before verifying': 'body_reserialised',
    'the receiver wrote the body anew, as json.dumps does': 'body_reserialised',
    'the receiver has a byte order mark before the body': 'body_changed',
    'a newline was added at the end': 'body_changed',
    'milliseconds were signed and sent': 'timestamp_in_milliseconds',
    'milliseconds were sent, seconds were signed': 'timestamp_in_milliseconds',
    'an empty body in place of the signed one': 'body_empty',
  }

  it.each(vectors.refused)(
    'a wrong signature is refused, and what came is not repeated in the message: $name',
    (vector) => {
      const { reason, message } = refusalOf(() => verify(given(vector)))
      const expected = toldByName[vector.name] ?? told[vector.mistakes.at(-1) ?? '']
      if (expected) expect(reason).toBe(expected)
      else expect(reason).toMatch(/^signature_(mismatch|malformed|without_version)$/)
      // Messages end up in logs.
      const kept = [vector.secret, vector.signature, vector.body].filter((each) => each.length > 3)
      for (const each of kept) expect(message).not.toContain(each)
    },
  )
})

describe('a mistake is told in words', () => {
  it.each([
    ['an object', event],
    ['nothing', undefined],
    ['null', null],
    ['text made of an object', '[object Object]'],
  ])('a parsed body: %s', (_, parsed) => {
    const { reason, message } = refusalOf(() => verify({ body: parsed }))
    expect(reason).toBe('body_not_raw')
    for (const way of ['express.raw(', 'addContentTypeParser(', 'request.text()']) expect(message).toContain(way)
  })

  it.each<[VerificationReason, Partial<Given>]>([
    ['secret_missing', { secret: undefined }],
    ['secret_missing', { secret: '' }],
    ['secret_without_prefix', { secret: 'whsec_' }],
    ['secret_without_prefix', { secret: 'WHSEC_abc' }],
    ['header_missing', { headers: {} }],
    ['header_missing', { headers: undefined }],
    ['header_missing', { headers: new Headers({ 'x-webhook-signature': sign(body) }) }],
    ['header_doubled', { headers: { ...headers, 'X-Webhook-Signature': sign(body) } }],
    ['header_doubled', { headers: { ...headers, 'x-webhook-timestamp': [timestamp, timestamp] } }],
    ['header_doubled', { headers: { ...headers, 'x-webhook-timestamp': `${timestamp}, ${timestamp}` } }],
    ['body_empty', { body: '' }],
    ['body_not_an_event', { body: 'null', headers: { ...headers, 'x-webhook-signature': sign('null') } }],
  ])('%s', (reason, given) => {
    expect(reasonOf(given)).toBe(reason)
  })
})
