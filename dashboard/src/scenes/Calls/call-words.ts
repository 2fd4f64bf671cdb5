// Calls in plain words: the list, the call's own page and whoever else shows one say the same.
import type { Call, CallStatus } from '@parley/contract/calls'
import type { CallDetail } from '@parley/contract/dashboard-calls'
import type { IconName } from '../../ui/icons.tsx'
import type { Tone } from '../../ui/mark.tsx'

export interface Said {
  words: string
  tone: Tone
  icon?: IconName
}

export const statusWords: Record<CallStatus, Said> = {
  scheduled: { words: 'Scheduled', tone: 'calm' },
  queued: { words: 'Waiting for a line', tone: 'calm', icon: 'list' },
  initiated: { words: 'Dialling', tone: 'busy', icon: 'phone' },
  ringing: { words: 'Ringing', tone: 'busy', icon: 'phone' },
  in_progress: { words: 'Talking', tone: 'busy', icon: 'voice' },
  completed: { words: 'Completed', tone: 'good' },
  failed: { words: 'Failed', tone: 'bad' },
  cancelled: { words: 'Cancelled', tone: 'calm', icon: 'close' },
  disallowed: { words: 'Not allowed', tone: 'warn' },
}
/** In the order of a call's life. */
export const statuses = Object.keys(statusWords) as CallStatus[]

export const isPending = (status: CallStatus): boolean => status === 'scheduled' || status === 'queued'
export const isLive = (status: CallStatus): boolean =>
  status === 'initiated' || status === 'ringing' || status === 'in_progress'

type Analytics = NonNullable<Call['call_analytics']>

export const dispositionWords: Record<Analytics['disposition'], string> = {
  appointment_booked: 'Appointment booked',
  transferred: 'Passed on to a person',
  not_interested: 'Not interested',
  voicemail: 'Voicemail',
  callback_scheduled: 'Callback agreed',
  ended_by_customer: 'They hung up',
  session_ended: 'Call ended',
}

export const sentimentWords: Record<Analytics['sentiment'], Said> = {
  positive: { words: 'Positive', tone: 'good', icon: 'plus' },
  neutral: { words: 'Neutral', tone: 'calm', icon: 'dot' },
  negative: { words: 'Negative', tone: 'bad', icon: 'alert' },
}

export const directionWords = { outbound: 'Outbound', inbound: 'Inbound' } as const

export const sourceWords: Record<CallDetail['source'], string> = {
  api: 'Asked for through the API',
  hook: 'Asked for through the inbound hook',
  dashboard: 'Placed in the dashboard',
  retry: 'An automatic retry',
  callback: 'A callback the person asked for',
  inbound: 'Somebody called in',
}

type ErrorCode = NonNullable<Call['error']>['code']

/** What happened, and what to do next. */
export const failureWords: Record<ErrorCode, { title: string; next: string }> = {
  busy: { title: 'The line was busy', next: 'Call again a little later.' },
  no_answer: { title: 'Nobody answered', next: 'Call again at another time of day.' },
  invalid_number: { title: 'The number does not exist', next: 'Check the number with whoever gave it to you.' },
  carrier_error: {
    title: 'The phone network could not connect the call',
    next: 'Call again. If it keeps happening, check the carrier of the agent’s number.',
  },
  node_lost: {
    title: 'Our server stopped during the call',
    next: 'The call was not placed a second time by itself. Call again if the person still expects it.',
  },
  dial_outcome_unknown: {
    title: 'The phone network did not say whether it dialled',
    next: 'The phone may have rung. Ask before you call again.',
  },
  agent_error: {
    title: 'The agent could not go on',
    next: 'Check that the agent has a number and a working prompt, then call again.',
  },
  do_not_disturb: {
    title: 'This number is on your do-not-call list',
    next: 'Take it off the list in Settings if the person wants to be called.',
  },
  insufficient_credits: { title: 'There were no credits left', next: 'Add credits, then call again.' },
}

/** 2 min 5 s. */
export function lengthText(seconds: number | null): string {
  if (seconds === null) return '–'
  const minutes = Math.floor(seconds / 60)
  const rest = Math.round(seconds % 60)
  return [minutes > 0 ? `${minutes} min` : '', rest > 0 || minutes === 0 ? `${rest} s` : ''].filter(Boolean).join(' ')
}

/** 1:05, or 1:02:05 beyond an hour. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** Grouped as people say it: +1 500 555 0001, +91 98765 43210. */
export function numberText(number: string): string {
  const american = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number)
  if (american) return `+1 ${american.slice(1).join(' ')}`
  const indian = /^\+91(\d{5})(\d{5})$/.exec(number)
  return indian ? `+91 ${indian.slice(1).join(' ')}` : number
}

/** Whom a call is with: the name, else the number. */
export const whoText = (call: { contact_name: string | null; contact_number: string | null }): string =>
  call.contact_name?.trim() || (call.contact_number ? numberText(call.contact_number) : 'Unknown number')
