import type { Delivery, Endpoint, EndpointHealth, Notice } from '@parley/contract/webhooks'
import type { Tone } from '../../ui/mark.tsx'

export type Told = { tone: Tone; words: string }

/** At this many failed attempts in a row an endpoint is switched off. */
export const mostFailures = 50

/** What a streak of failures means, in the steps at which notices are sent. */
export function streakWords(failures: number): Told {
  if (failures >= 40) return { tone: 'bad', words: 'About to be switched off' }
  if (failures >= 25) return { tone: 'bad', words: 'Half way to being switched off' }
  if (failures >= 10) return { tone: 'warn', words: 'Keeps failing' }
  if (failures > 0)
    return { tone: 'warn', words: failures === 1 ? 'The last attempt failed' : 'The last attempts failed' }
  return { tone: 'good', words: 'No failures in a row' }
}

export function statusOfEndpoint({ status, disabled_reason, consecutive_failures }: Endpoint): Told {
  if (status === 'enabled')
    return consecutive_failures >= 10 ? { tone: 'warn', words: 'Failing' } : { tone: 'good', words: 'On' }
  return disabled_reason === 'failures' ? { tone: 'bad', words: 'Switched off' } : { tone: 'calm', words: 'Off' }
}

export function shareWords({ succeeded, failed }: Pick<EndpointHealth, 'succeeded' | 'failed'>): string {
  const total = succeeded + failed
  if (total === 0) return 'Nothing sent in the last day'
  // All but one of a thousand is not all.
  const percent = failed === 0 ? 100 : Math.min(99, Math.floor((100 * succeeded) / total))
  return `${percent} % arrived (${succeeded.toLocaleString('en')} of ${total.toLocaleString('en')})`
}

const statuses: Record<Delivery['status'], Told> = {
  pending: { tone: 'busy', words: 'Waiting' },
  succeeded: { tone: 'good', words: 'Delivered' },
  failed: { tone: 'bad', words: 'Failed' },
  held: { tone: 'calm', words: 'Held' },
  dropped: { tone: 'calm', words: 'Dropped' },
}
export const deliveryStatus = ({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): Told =>
  status === 'pending' && attempts > 0 ? { tone: 'warn', words: 'Retrying' } : statuses[status]
export const deliveryChoices = [
  { value: '', label: 'All states' },
  ...Object.entries(statuses).map(([value, { words }]) => ({ value, label: words })),
]

/** Why it stands where it stands, and what comes next. */
export const statusText: Record<Delivery['status'], string> = {
  pending: 'It is sent again by itself until it arrives or five attempts are used up.',
  succeeded: 'The receiver answered with success.',
  failed: 'All attempts are used up. It is not sent again by itself; you can resend it.',
  held: 'The endpoint is switched off. It waits; resend it, or recover all of them, once the endpoint is on.',
  dropped: 'The endpoint was deleted before it could be sent.',
}

const failures: Record<string, string> = {
  dns: 'The host name was not found',
  refused_address: 'The address may not be reached',
  connect: 'No connection',
  tls: 'The certificate was not accepted',
  timeout: 'No answer in time',
  reset: 'The connection broke off',
  protocol: 'The answer was not HTTP',
  redirect: 'Redirected',
  status: 'Answered with an error',
}
export const failureWords = (failure: string): string => failures[failure] ?? failure

/** `status 500`, `timeout`: how the last failure is kept beside a notice. */
const lastFailureWords = (text: string | null): string => {
  const [kind = '', code] = (text ?? '').split(' ')
  return kind === '' ? '' : ` Last: ${failureWords(kind).toLowerCase()}${code ? ` (${code})` : ''}.`
}

export function noticeWords({ kind, consecutive_failures: n, last_failure }: Notice): Told {
  if (kind === 'disabled') {
    return { tone: 'bad', words: `Switched off after ${n} failed attempts in a row.${lastFailureWords(last_failure)}` }
  }
  if (kind === 'failing')
    return { tone: 'warn', words: `${n} failed attempts in a row.${lastFailureWords(last_failure)}` }
  return { tone: 'good', words: 'Well again: an attempt succeeded.' }
}

/** "in 1 min 5 s"; "now" when it is due. */
export function countdown(toMs: number, nowMs: number): string {
  const seconds = Math.ceil((toMs - nowMs) / 1_000)
  if (seconds <= 0) return 'now'
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)]
  if (hours > 0) return `in ${hours} h ${minutes} min`
  return minutes > 0 ? `in ${minutes} min ${seconds % 60} s` : `in ${seconds} s`
}

/** JSON is easier to read with its lines; anything else is shown as it is. */
export function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

export const headerLines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

export const hostOf = (url: string): string => {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}
