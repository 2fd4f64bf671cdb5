import type { CallStatus, dispositions } from '@parley/contract/calls'
import type { CallRecord } from './call.ts'

/** Plain words for people outside the organisation. */
const outcomes: Record<(typeof dispositions)[number], string> = {
  appointment_booked: 'Appointment booked',
  transferred: 'Passed on to a person',
  not_interested: 'Not interested',
  voicemail: 'Voicemail',
  callback_scheduled: 'A callback was agreed',
  ended_by_customer: 'Ended by the person called',
  session_ended: 'The call ended',
}
const states: Record<CallStatus, string> = {
  scheduled: 'Planned',
  queued: 'About to be placed',
  initiated: 'Being placed',
  ringing: 'Ringing',
  in_progress: 'In progress',
  completed: 'Completed',
  failed: 'Not completed',
  cancelled: 'Cancelled',
  disallowed: 'Not placed',
}
/** Why a call failed, as far as it is anybody's business. */
const failures: Record<string, string> = {
  busy: 'The line was busy',
  no_answer: 'Nobody answered',
  invalid_number: 'The number could not be reached',
}

export type Tone = 'good' | 'quiet' | 'live'

export function outcomeOf({ status, analytics, errorCode }: CallRecord): { words: string; tone: Tone } {
  if (analytics) {
    const good = ['appointment_booked', 'callback_scheduled', 'transferred'].includes(analytics.disposition)
    return { words: outcomes[analytics.disposition] ?? states[status], tone: good ? 'good' : 'quiet' }
  }
  const failure = status === 'failed' ? failures[errorCode ?? ''] : undefined
  const isLive = status === 'initiated' || status === 'ringing' || status === 'in_progress'
  return { words: failure ?? states[status], tone: isLive ? 'live' : 'quiet' }
}

export const appointmentWords: Record<string, string> = {
  confirmed: 'Confirmed',
  cancelled: 'Cancelled',
  completed: 'Completed',
  no_show: 'Missed',
}

/** 1:05, or 1:02:05 beyond an hour. */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3_600)
  const minutes = Math.floor(whole / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** 2 min 5 s. */
export function lengthOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const rest = Math.round(seconds % 60)
  return [minutes > 0 ? `${minutes} min` : '', rest > 0 || minutes === 0 ? `${rest} s` : ''].filter(Boolean).join(' ')
}

/** A day and an hour, and whose hour it is. */
export const momentOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'long',
  }).format(at)
