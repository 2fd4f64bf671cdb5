import { isObject } from './errors.ts'
import { WebhookVerificationError } from './verification-error.ts'

type HeaderValue = string | readonly string[] | null | undefined
/** As Node, Express, Fastify or a Lambda give them, in any case; or a `Headers`, or anything else with `get`. */
export type WebhookHeaders = { get(name: string): HeaderValue } | { readonly [name: string]: HeaderValue }

const isGetter = (headers: object): headers is { get(name: string): HeaderValue } =>
  'get' in headers && typeof headers.get === 'function'

function valuesOf(headers: WebhookHeaders, name: string): string[] {
  if (!isObject(headers)) return []
  const found = isGetter(headers)
    ? // A Map, unlike Headers, knows one spelling only.
      [headers.get(name) ?? headers.get(name.toLowerCase())]
    : Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name.toLowerCase() ? [value] : []))
  return found.flat().filter((value): value is string => typeof value === 'string' && value !== '')
}

/** The one value of a header. Two are refused: which of them counts is what an attacker would like to choose. */
function oneOf(headers: WebhookHeaders, name: string): string {
  const [value, ...more] = valuesOf(headers, name)
  if (value === undefined) throw new WebhookVerificationError('header_missing')
  // Node and Headers join doubled headers by a comma. `v1,` is no pair but another way to write one.
  if (more.length > 0 || /^(?!v1,).*,/s.test(value)) throw new WebhookVerificationError('header_doubled')
  return value
}

/** The timestamp is signed as it is written: `0…` and the number are not the same text. */
export type SigningHeaders = { signature: string; timestamp: string; timestampSeconds: number }

/** Both headers, each known to have the right form before anything is computed. */
export function readSigningHeaders(headers: WebhookHeaders): SigningHeaders {
  const signature = oneOf(headers, 'X-Webhook-Signature')
  const timestamp = oneOf(headers, 'X-Webhook-Timestamp')
  if (/^[0-9]{13}$/.test(timestamp)) throw new WebhookVerificationError('timestamp_in_milliseconds')
  if (!/^[0-9]{1,12}$/.test(timestamp)) throw new WebhookVerificationError('timestamp_malformed')
  if (/^(v1=)?[0-9a-f]{64}$/i.test(signature)) throw new WebhookVerificationError('signature_in_hex')
  if (!signature.startsWith('v1=')) throw new WebhookVerificationError('signature_without_version')
  if (!/^v1=[A-Za-z0-9+/]{43}=$/.test(signature)) throw new WebhookVerificationError('signature_malformed')
  return { signature, timestamp, timestampSeconds: Number(timestamp) }
}
