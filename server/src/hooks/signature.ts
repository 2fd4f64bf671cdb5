import { createHmac } from 'node:crypto'
import { fault, ParleyError } from '../platform/errors.ts'
import { equalSecrets, sha256Bytea } from '../platform/secrets.ts'

/** How far a request's timestamp may be off, either way (decisions 5). */
export const toleranceSeconds = 300

/** As they came: a header that is missing is undefined, one that came twice is joined by a comma and fits nothing. */
export type SignatureHeaders = { timestamp: unknown; signature: unknown }
export type SignedBytes = { organisationId: string; rawBody: Buffer; secret: string; now: Date }

const timestampHeader = 'X-Inbound-Timestamp'
const signatureHeader = 'X-Inbound-Signature'

const refuse = (field: string, code: string, message: string): never => {
  throw new ParleyError('INVALID_SIGNATURE', `The signature does not hold. ${message}`, {
    details: [fault(field, code, message)],
  })
}

/** Lowercase hex HMAC-SHA256 of `<timestamp>.<raw body>` (§5.2). The whole secret is the key, its prefix included. */
export const signatureOf = (timestamp: string, rawBody: Buffer, secret: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex')

/** The digest by which this signed request is remembered; refused when its signature does not hold. */
export function requireSignature({ timestamp, signature }: SignatureHeaders, signed: SignedBytes): string {
  if (!isText(timestamp)) return refuse(timestampHeader, 'required', `Send ${timestampHeader}, Unix time in seconds.`)
  if (!isText(signature))
    return refuse(signatureHeader, 'required', `Send ${signatureHeader}, 64 lowercase hex digits.`)
  // Digits only, so that no dot can shift the border between timestamp and body.
  if (!/^[1-9][0-9]{0,10}$/.test(timestamp)) {
    return refuse(timestampHeader, 'format', `${timestampHeader} must be Unix time in whole seconds.`)
  }
  if (!equalSecrets(signatureOf(timestamp, signed.rawBody, signed.secret), signature)) {
    return refuse(
      signatureHeader,
      'mismatch',
      `${signatureHeader} must be the lowercase hex HMAC-SHA256 of "<timestamp>.<raw body>" under the signing secret.`,
    )
  }
  if (Math.abs(signed.now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    return refuse(timestampHeader, 'outside_tolerance', `${timestampHeader} is more than ${toleranceSeconds} s off.`)
  }
  return sha256Bytea(`${signed.organisationId} ${timestamp} ${signature}`)
}

export const refuseSeenBefore = (): never =>
  refuse(
    signatureHeader,
    'seen_before',
    'This signed request was received before. Sign each request anew; to repeat one safely, give it an idempotency key.',
  )

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
