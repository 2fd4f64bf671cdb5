import type { LegEnd } from '../../voice/ports.ts'
import type { Dialog } from './dialog.ts'
import type { AgreedMedia, LocalMedia } from './negotiate.ts'
import type { Sdp } from './sdp.ts'

/** How a call ended. `status`: the SIP answer behind it, when one was; `words`: for the operator. */
export type CallEnd = LegEnd & { status: number | null; words: string }

export type CallEvent =
  | { type: 'ringing' }
  /** Sound before the answer: ring-back tone, announcements. */
  | { type: 'early'; media: AgreedMedia }
  | { type: 'answered'; media: AgreedMedia }
  /** The other side moved its sound, or only confirmed it. */
  | { type: 'media'; media: AgreedMedia }
  | { type: 'remote-hold'; media: AgreedMedia }
  | { type: 'remote-resume'; media: AgreedMedia }
  /** A key pressed, told by INFO instead of in the sound. */
  | { type: 'digit'; digit: string }
  | { type: 'ended'; end: CallEnd }

/** `accepted`: the carrier took the transfer on and said no more. */
export type TransferOutcome = { outcome: 'connected' | 'accepted' | 'refused'; status: number | null }

export type SipCall = {
  /** The Call-ID on the wire. */
  id: string
  /** Who talks with whom, as the wire knows it; null before anybody was reached. */
  dialog(): Dialog | null
  /** From the first event on, whenever one begins to read; `ended` last. */
  events: AsyncIterable<CallEvent>
  /** Safe to repeat, also after the end. Resolves when the other side knows, at the latest after two seconds. */
  hangup(): Promise<void>
  /** Sends the other side to another number. The call itself stays up until someone hangs up. */
  refer(number: string): Promise<TransferOutcome>
  /** False: the other side would not, and nothing has changed. */
  hold(): Promise<boolean>
  resume(): Promise<boolean>
  /** For carriers that take keys by INFO only. */
  sendInfoDigit(digit: string): Promise<boolean>
}

/** Asked when the other side describes its sound anew: where ours is from now on. Null refuses the change. */
export type OnReoffer = (remote: Sdp) => LocalMedia | null
