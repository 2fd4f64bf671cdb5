import { createHmac, timingSafeEqual } from 'node:crypto'

/** Twilio signs the address it was given, followed by every field of the form in order of its name. */
export function signatureOf(authToken: string, url: string, form: URLSearchParams = new URLSearchParams()): string {
  const fields = [...form].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  const signed = url + fields.map(([name, value]) => name + value).join('')
  return createHmac('sha1', authToken).update(signed).digest('base64')
}

export function isSigned(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
