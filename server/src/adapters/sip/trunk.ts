import type { LegEndReason } from '../../voice/ports.ts'
import type { Srtp } from './negotiate.ts'
import type { TransportName } from './peer.ts'

/** One connection to a carrier, as the operator describes it. */
export type Trunk = {
  name: string
  host: string
  port?: number
  transport: TransportName
  user?: string
  password?: string
  /** Shown instead of the caller's own number. */
  callerId?: string
  register: boolean
  srtp: Srtp
  /** An authority to trust instead of the public ones (PEM). */
  ca?: string
  /** Further addresses or ranges (`203.0.113.0/24`) from which this carrier's calls come in. */
  inboundAddresses?: readonly string[]
}

type Refusal = { reason: Exclude<LegEndReason, 'hangup' | 'line_dropped'>; words: string }

const refusals: Record<number, Refusal> = {
  404: { reason: 'invalid_number', words: 'The carrier does not know this number.' },
  408: { reason: 'no_answer', words: 'The callee could not be reached in time.' },
  410: { reason: 'invalid_number', words: 'The number is gone.' },
  480: { reason: 'no_answer', words: 'The callee is not available now.' },
  484: { reason: 'invalid_number', words: 'The number is incomplete.' },
  486: { reason: 'busy', words: 'The line is busy.' },
  487: { reason: 'no_answer', words: 'It rang and nobody answered.' },
  600: { reason: 'busy', words: 'Busy everywhere.' },
  603: { reason: 'busy', words: 'The call was declined.' },
  604: { reason: 'invalid_number', words: 'The number does not exist anywhere.' },
  401: { reason: 'carrier_error', words: 'The carrier refused our name or password.' },
  403: { reason: 'carrier_error', words: 'The carrier forbids this call.' },
  407: { reason: 'carrier_error', words: 'The carrier refused our name or password.' },
  488: { reason: 'carrier_error', words: 'The carrier takes none of our codecs.' },
  503: { reason: 'carrier_error', words: 'The carrier has no room, or is down.' },
}

/** What a final answer means for the call (voice.md). Whatever is not listed is the carrier's failure. */
export const refusalOf = (status: number): Refusal =>
  refusals[status] ?? { reason: 'carrier_error', words: `The carrier answered ${status}.` }
