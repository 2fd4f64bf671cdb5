import { jsonWritings } from './json-writings.ts'
import type { SignatureMistake } from './signature-mistakes.ts'
import { spellingMistakes } from './signature-spellings.ts'

export type SignedRequest = {
  body: string | Uint8Array
  /** X-Webhook-Timestamp and X-Webhook-Signature as they came. */
  timestamp: string
  signature: string
  secret: string
  /** X-Webhook-Id. Without it the body's `event_id` is taken. */
  eventId?: string | undefined
  /** The clock to judge the age by. Without it age is not judged. */
  nowSeconds?: number | undefined
  toleranceSeconds?: number | undefined
}
/** Not good and no mistakes: it cannot be told why. */
export type SignatureVerdict = { isGood: boolean; mistakes: SignatureMistake[] }

type Bytes = Uint8Array<ArrayBuffer>
type Variant<T> = { mistake: SignatureMistake | null; value: T }

/**
 * Whether a signature is right and, when it is not, what its maker or its reader did. For people who look for a
 * mistake, in a browser or anywhere else with Web Crypto; a receiver that only has to decide needs one HMAC, not these.
 */
export async function explainSignature(request: SignedRequest): Promise<SignatureVerdict> {
  const bad = (...mistakes: SignatureMistake[]): SignatureVerdict => ({ isGood: false, mistakes })
  const { timestamp, signature, nowSeconds, toleranceSeconds = 300 } = request
  const missing: SignatureMistake[] = []
  if (signature.trim() === '') missing.push('signature_missing')
  if (timestamp.trim() === '') missing.push('timestamp_missing')
  if (missing.length > 0) return bad(...missing)
  if (/,\s*v1=/.test(signature) || timestamp.includes(',')) return bad('header_doubled')
  const inMilliseconds = /^[0-9]{13}$/.test(timestamp)
  if (!inMilliseconds && !/^[0-9]{1,12}$/.test(timestamp)) return bad('timestamp_malformed')

  const found = await findMistakes(request)
  if (inMilliseconds) return bad(...new Set<SignatureMistake>([...(found ?? []), 'timestamp_in_milliseconds']))
  if (found === null || found.length > 0) return bad(...(found ?? []))
  const age = nowSeconds === undefined ? 0 : nowSeconds - Number(timestamp)
  if (age > toleranceSeconds) return bad('timestamp_too_old')
  if (age < -toleranceSeconds) return bad('timestamp_too_new')
  return { isGood: true, mistakes: [] }
}

/** Three at once are not looked for: the number of digests would grow out of all proportion. */
const mostAtOnce = 2

/** Empty: the signature is right. Null: nothing explains it. Fewest mistakes first. */
async function findMistakes(request: SignedRequest): Promise<SignatureMistake[] | null> {
  const keys = keysOf(request.secret)
  const bodies = bodiesOf(request.body)
  const messages = framesOf(request).flatMap((frame) =>
    bodies.map((body) => ({ mistakes: named(frame, body), value: joined(frame.value, body.value) })),
  )
  const attempts = keys
    .flatMap((key) => messages.map((message) => ({ mistakes: [...named(key), ...message.mistakes], key, message })))
    .filter((attempt) => attempt.mistakes.length <= mostAtOnce)
    .toSorted((a, b) => a.mistakes.length - b.mistakes.length)
  const imported = new Map<Variant<Bytes>, CryptoKey>()
  for (const { key, message, mistakes } of attempts) {
    const cryptoKey = imported.get(key) ?? (await importKey(key.value))
    imported.set(key, cryptoKey)
    const digest = new Uint8Array(await crypto.subtle.sign('HMAC', cryptoKey, message.value))
    const spelling = spellingMistakes(request.signature, digest)
    if (spelling) return [...mistakes, ...spelling]
  }
  return null
}

const importKey = (key: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])

const prefix = 'whsec_'

/** The secret as it is, and what people take for it. */
function keysOf(secret: string): Variant<Bytes>[] {
  const bare = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const others: Variant<Bytes>[] = [
    { mistake: 'secret_not_clean', value: bytesOf(secret.trim().replace(/^(["'])(.*)\1$/s, '$2')) },
    { mistake: 'secret_not_clean', value: bytesOf(`${secret}\n`) },
    { mistake: 'secret_not_clean', value: bytesOf(`${secret}\r\n`) },
    { mistake: 'prefix_stripped', value: bytesOf(bare === secret ? prefix + secret : bare) },
    { mistake: 'key_base64_decoded', value: decodeBase64(bare) },
  ]
  // Web Crypto takes no empty key, and nobody signs with one.
  return [{ mistake: null, value: bytesOf(secret) }, ...others].filter((key) => key.value.length > 0)
}

/** What stands before the body in the signed string. */
function framesOf({ timestamp, body, eventId }: SignedRequest): Variant<string>[] {
  const id = eventId ?? eventIdIn(body)
  const otherUnit = timestamp.length === 13 ? timestamp.slice(0, -3) : `${timestamp}000`
  return [
    { mistake: null, value: `${timestamp}.` },
    { mistake: 'timestamp_not_signed', value: '' },
    { mistake: 'separator_missing', value: timestamp },
    { mistake: 'id_in_signed_string', value: `${id}.${timestamp}.` },
    { mistake: 'timestamp_in_milliseconds', value: `${otherUnit}.` },
  ]
}

function bodiesOf(body: string | Uint8Array): Variant<Bytes>[] {
  const asSent: Variant<Bytes> = { mistake: null, value: bytesOf(body) }
  const text = textOf(body)
  if (text === null) return [asSent]
  const mark = '\ufeff'
  const withoutMark = text.startsWith(mark) ? text.slice(mark.length) : text
  const spaced = [text.trimEnd(), text.trim(), `${text}\n`, `${text}\r\n`]
  const lineEnds = [text.replaceAll('\r\n', '\n'), text.replace(/\r?\n/g, '\r\n')]
  const variants = (mistake: SignatureMistake, texts: string[]) =>
    texts.filter((each) => each !== text).map((each) => ({ mistake, value: bytesOf(each) }))
  return [
    asSent,
    ...variants('byte_order_mark', [withoutMark === text ? mark + text : withoutMark]),
    ...variants('whitespace_changed', [...spaced, ...lineEnds]),
    ...variants('body_reserialised', jsonWritings(withoutMark)),
  ]
}

const named = (...variants: Variant<unknown>[]): SignatureMistake[] =>
  variants.flatMap(({ mistake }) => (mistake === null ? [] : [mistake]))

const bytesOf = (value: string | Uint8Array): Bytes =>
  typeof value === 'string' ? new TextEncoder().encode(value) : new Uint8Array(value)

function joined(before: string, body: Bytes): Bytes {
  const start = bytesOf(before)
  const whole = new Uint8Array(start.length + body.length)
  whole.set(start)
  whole.set(body, start.length)
  return whole
}

/** Null for bytes that are no text: there is nothing to write differently. */
function textOf(body: string | Uint8Array): string | null {
  if (typeof body === 'string') return body
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return null
  }
}

const eventIdIn = (body: string | Uint8Array): string =>
  /"event_id"\s*:\s*"([^"]+)"/.exec(textOf(body) ?? '')?.[1] ?? ''

function decodeBase64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
