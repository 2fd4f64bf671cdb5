import type { LegEnd } from '../../voice/ports.ts'

/** What a status callback says about a leg. */
export type LegNews =
  | { type: 'ringing' }
  | { type: 'in_progress' }
  | { type: 'ended'; end: LegEnd }
  | { type: 'nothing' }

const unknownNumberSip = new Set(['404', '410', '484', '604'])

/** Pure: Twilio's word for it in ours. `answered`: was there a talk before? */
export function newsIn(form: URLSearchParams, { answered, hungUp }: { answered: boolean; hungUp: boolean }): LegNews {
  const ended = (reason: LegEnd['reason'], by: LegEnd['by']): LegNews => ({ type: 'ended', end: { reason, by } })
  switch (form.get('CallStatus')) {
    case 'ringing':
      return { type: 'ringing' }
    case 'in-progress':
    case 'answered':
      return { type: 'in_progress' }
    case 'busy':
      return ended('busy', 'callee')
    case 'no-answer':
      return ended('no_answer', 'callee')
    case 'canceled':
      return ended('hangup', 'agent')
    case 'failed':
      return unknownNumberSip.has(form.get('SipResponseCode') ?? '')
        ? ended('invalid_number', 'carrier')
        : ended(answered ? 'line_dropped' : 'carrier_error', 'carrier')
    case 'completed':
      if (hungUp) return ended('hangup', 'agent')
      return answered ? ended('hangup', 'callee') : ended('carrier_error', 'carrier')
    default:
      return { type: 'nothing' }
  }
}
