import { explainSignature } from '@parley/contract/explain-signature'
import { signatureMistakes, unknownMistake } from '@parley/contract/signature-mistakes'
import { readHeaders } from './header-text.ts'

export type Pasted = { secret: string; headers: string; body: string }
export type Judged = { isGood: boolean; reasons: string[]; age: string | null }

/** How old it was; nothing is refused for it here, because what is looked into is rarely fresh. */
export function ageWords(timestamp: string, nowMs: number): string | null {
  if (!/^[0-9]{1,12}$/.test(timestamp)) return null
  const seconds = Math.round(nowMs / 1_000) - Number(timestamp)
  const size = Math.abs(seconds)
  if (size <= 300) return null
  const [count, unit] =
    size < 7_200 ? [size / 60, 'minutes'] : size < 172_800 ? [size / 3_600, 'hours'] : [size / 86_400, 'days']
  const words = `${Math.round(count)} ${unit}`
  return seconds > 0
    ? `It was signed ${words} ago. Your server must refuse what is older than 5 minutes; here it does not matter.`
    : `It was signed ${words} in the future, by this computer's clock. One of the two clocks is wrong.`
}

/** All in the browser: neither secret nor body is sent anywhere. */
export async function checkSignature({ secret, headers, body }: Pasted, nowMs: number): Promise<Judged> {
  const { timestamp, signature, id } = readHeaders(headers)
  if (secret === '')
    return { isGood: false, reasons: ['Paste the secret of the endpoint: it begins with whsec_.'], age: null }
  const eventId = id === '' ? undefined : id
  const { isGood, mistakes } = await explainSignature({ secret, body, timestamp, signature, eventId })
  const reasons = mistakes.map((mistake) => signatureMistakes[mistake])
  return {
    isGood,
    reasons: isGood || reasons.length > 0 ? reasons : [unknownMistake],
    age: ageWords(timestamp, nowMs),
  }
}
