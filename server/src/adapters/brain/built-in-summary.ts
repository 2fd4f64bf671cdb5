import type { AnalysisInput } from '../../voice/ports.ts'
import { isoTime, type Outcome } from './built-in-outcome.ts'
import { months } from './words/time-text.ts'

/** Long names are cut, never in the middle of a character. */
const cutAt = /^(.{80}).*$/su
/** Keys of the details, as people say them. */
const mentionNames: Record<string, string> = {
  name: 'a name',
  email: 'an e-mail address',
  phone_number: 'a phone number',
  party_size: 'a number of people',
  preferred_time: 'a preferred time',
}

/** Two or three sentences, only of what the tools and the transcript show. */
export function summaryOf(input: AnalysisInput, outcome: Outcome, details: Record<string, unknown>): string {
  return [opening(input, outcome), ending(input, outcome), remark(outcome, details)].filter(Boolean).join(' ')
}

export function nextStepsOf(input: AnalysisInput, outcome: Outcome): string {
  const { disposition, appointment, callbackTime, cancelled } = outcome
  const name = calleeOf(input)
  const again = `Try to reach ${name} again.`
  switch (disposition) {
    case 'appointment_booked':
      return appointment?.label
        ? `Prepare the appointment with ${name}: ${tidy(appointment.label)}.`
        : `Prepare the appointment with ${name}.`
    case 'transferred':
      return 'Follow up with the colleague who took the call.'
    case 'callback_scheduled':
      return callbackTime ? `Call ${name} back on ${timeWords(callbackTime)}.` : `Call ${name} back as arranged.`
    case 'voicemail':
      return again
    case 'not_interested':
      return `Do not follow up with ${name} on this matter.`
    case 'ended_by_customer':
      return `Decide whether to call ${name} again.`
    case 'session_ended': {
      if (cancelled) return `Offer the freed place to somebody else, and ${name} another time if wished.`
      const wasCutShort = ['silence', 'line_dropped', 'time_limit'].includes(input.ending)
      return wasCutShort ? again : 'No further action is needed.'
    }
  }
}

function opening(input: AnalysisInput, { disposition }: Outcome): string {
  const agent = tidy(input.agentName) || 'The agent'
  const name = calleeOf(input)
  if (disposition === 'voicemail') return `${agent} reached the voicemail of ${name}.`
  const spoke = input.transcript.some(({ speaker, text }) => speaker === 'user' && text.trim() !== '')
  if (!spoke) return `${agent} called ${name}, who did not say anything.`
  return `${agent} spoke with ${name} for ${durationWords(input.durationSeconds)}.`
}

function ending(input: AnalysisInput, outcome: Outcome): string {
  const { disposition, appointment, callbackTime, wasMoved, cancelled } = outcome
  const name = calleeOf(input)
  const Name = name.charAt(0).toUpperCase() + name.slice(1)
  switch (disposition) {
    case 'appointment_booked':
      return sentence(wasMoved ? 'The appointment was moved' : 'An appointment was booked', appointment?.label)
    case 'transferred':
      return 'The call was put through to a colleague.'
    case 'callback_scheduled':
      return callbackTime ? `A call back was arranged for ${timeWords(callbackTime)}.` : 'A call back was arranged.'
    case 'voicemail':
      return 'No conversation took place.'
    case 'not_interested':
      return `${Name} was not interested.`
    case 'ended_by_customer':
      return `${Name} hung up before anything was agreed.`
    case 'session_ended':
      if (cancelled) return sentence('The appointment was cancelled', cancelled.label)
      return endings[input.ending] ?? 'The call ended without a booking or a call back.'
  }
}

const sentence = (words: string, label: string | undefined): string =>
  label === undefined || tidy(label) === '' ? `${words}.` : `${words}: ${tidy(label)}.`

const endings: Partial<Record<AnalysisInput['ending'], string>> = {
  silence: 'The call ended because nothing more was said.',
  time_limit: 'The call reached its time limit without a booking or a call back.',
  line_dropped: 'The line dropped before anything was agreed.',
}

function remark(outcome: Outcome, details: Record<string, unknown>): string {
  const { disposition, wasTransferred, bookingFailed, cancelled } = outcome
  if (cancelled && disposition !== 'session_ended') return sentence('An appointment was cancelled', cancelled.label)
  if (wasTransferred && disposition !== 'transferred') return 'The call was also put through to a colleague.'
  if (bookingFailed) return 'Booking an appointment was tried without success.'
  const mentions = Object.entries(mentionNames).filter(([key]) => key in details)
  return mentions.length > 0 ? `Mentioned in the call: ${mentions.map(([, words]) => words).join(', ')}.` : ''
}

function calleeOf({ contactName }: AnalysisInput): string {
  return tidy(contactName ?? '') || 'the callee'
}

/** "Dr. Rao" must not end a sentence. */
function tidy(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .replace(/[.!?।…。！？]+(?=\s|$)/gu, '')
    .trim()
    .replace(cutAt, '$1')
    .replace(/[\s.!?।…。！？]+$/u, '')
}

function durationWords(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(1, Math.round(seconds)) : 1
  if (whole < 60) return whole === 1 ? '1 second' : `${whole} seconds`
  const minutes = Math.round(whole / 60)
  return minutes === 1 ? 'about a minute' : `about ${minutes} minutes`
}

/** In the offset it was arranged in: an analysis knows no zone. */
function timeWords(iso: string): string {
  const [, year, month, day, hour, minute, offset] = isoTime.exec(iso) ?? []
  const name = months[Number(month) - 1] ?? ''
  const zone = offset === 'Z' ? 'UTC' : `UTC${offset}`
  return `${Number(day)} ${name.charAt(0).toUpperCase()}${name.slice(1)} ${year} at ${hour}:${minute} (${zone})`
}
