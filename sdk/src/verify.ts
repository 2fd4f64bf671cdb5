import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { EventType, WebhookEvent, WebhookEvents } from '@parley/contract/events'
import { isObject } from './errors.ts'
import { type VerificationReason, WebhookVerificationError } from './verification-error.ts'
import { readSigningHeaders, type WebhookHeaders } from './webhook-headers.ts'

export type { EventType, VerificationReason, WebhookEvent, WebhookEvents, WebhookHeaders }
export { WebhookVerificationError }

export type VerifyOptions = {
  /** How far the timestamp may be from this machine's clock, either way. Default 300. */
  toleranceSeconds?: number | undefined
  /** Instead of this machine's clock. */
  now?: Date | undefined
}

/**
 * The event, once its signature and age are known to be good; otherwise throws a WebhookVerificationError, whose
 * `reason` and message say what to mend. The same event may come again: drop duplicates by `event_id`.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): WebhookEvent {
  const body = bytesOf(rawBody)
  refuseBadSecret(secret)
  const { signature, timestamp, timestampSeconds } = readSigningHeaders(headers)
  const isSignatureOf = (bytes: Buffer) => isEqual(signature, signatureOf(secret, timestamp, bytes))
  if (!isSignatureOf(body)) throw new WebhookVerificationError(whyNot(body, isSignatureOf))
  const ageSeconds = now.getTime() / 1_000 - timestampSeconds
  // Written so that a clock or tolerance that is no number refuses everything instead of nothing.
  if (!(ageSeconds <= toleranceSeconds)) throw new WebhookVerificationError('timestamp_too_old')
  if (!(ageSeconds >= -toleranceSeconds)) throw new WebhookVerificationError('timestamp_too_new')
  return readEvent(body)
}

/** Types do not hold at run time: a parsed body is the mistake made most often. */
function bytesOf(body: unknown): Buffer {
  if (typeof body === 'string' && body !== '[object Object]') return Buffer.from(body)
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof ArrayBuffer) return Buffer.from(body)
  throw new WebhookVerificationError('body_not_raw')
}

function refuseBadSecret(secret: unknown): void {
  if (typeof secret !== 'string' || secret === '') throw new WebhookVerificationError('secret_missing')
  if (/[\s"']/.test(secret)) throw new WebhookVerificationError('secret_not_clean')
  if (!/^whsec_./.test(secret)) throw new WebhookVerificationError('secret_without_prefix')
}

const signatureOf = (secret: string, timestamp: string, body: Buffer): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('base64')}`

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The whole header values, by their digests: neither length nor content shows in the time it takes. */
const isEqual = (a: string, b: string): boolean => timingSafeEqual(digestOf(a), digestOf(b))

/** Two guesses, no more: anybody may send a body that does not fit, and each guess costs a digest of it. */
function whyNot(body: Buffer, isSignatureOf: (bytes: Buffer) => boolean): VerificationReason {
  if (body.length === 0) return 'body_empty'
  const text = body.toString()
  // Parley writes JSON without spaces around or inside, so these undo what most programs do to it.
  const trimmed = text.trim()
  if (trimmed !== text && isSignatureOf(Buffer.from(trimmed))) return 'body_changed'
  const compact = compactJson(trimmed)
  return compact !== null && isSignatureOf(Buffer.from(compact)) ? 'body_reserialised' : 'signature_mismatch'
}

function compactJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return null
  }
}

/** What `data` holds is the contract's promise. A newer Parley may send an `event_type` not listed here. */
function readEvent(body: Buffer): WebhookEvent {
  let event: unknown
  try {
    event = JSON.parse(body.toString())
  } catch {
    // Without its cause, which would quote the body.
    throw new WebhookVerificationError('body_not_an_event')
  }
  const isEvent =
    isObject(event) &&
    typeof event.event_id === 'string' &&
    typeof event.event_type === 'string' &&
    isObject(event.data)
  if (!isEvent) throw new WebhookVerificationError('body_not_an_event')
  return event as unknown as WebhookEvent
}
