import type { EventLog } from '../simulator/event-log.ts'
import type { CallEnd, CallEvent, OnReoffer } from './call.ts'
import type { ClientTransaction } from './client-transaction.ts'
import { type Core, dialogKey } from './core.ts'
import type { Dialog } from './dialog.ts'
import type { SipRequest } from './message.ts'
import type { LocalMedia } from './negotiate.ts'
import type { Hop } from './peer.ts'
import type { Sdp } from './sdp.ts'
import type { Session } from './session.ts'
import type { Trunk } from './trunk.ts'

export type DialOptions = {
  callId: string
  from: string
  to: string
  media: LocalMedia
  ringSeconds: number
  onReoffer?: OnReoffer
}

/** Where an INVITE could go. */
export type Place = { hop: Hop; uri: string }
/** One of the phones a call reached: each has a dialog of its own. */
export type Fork = {
  dialog: Dialog
  rseq: number | null
  own: Sdp
  theirs: Sdp | null
  ack: { request: SipRequest; hop: Hop } | null
  /** A 2xx is being dealt with; one that is said again meanwhile is no second answer. */
  accepting: Promise<void> | null
}

/** A call on its way out. One at a time of its INVITEs is under way, never two. */
export type Dialling = {
  core: Core
  trunk: Trunk
  options: DialOptions
  id: string
  localTag: string
  from: string
  to: string
  own: Sdp
  events: EventLog<CallEvent>
  places: Place[]
  place: Place | null
  transaction: ClientTransaction | null
  cseq: number
  sessionSeconds: number
  /** The shortest interval a place on the way takes. */
  leastSeconds: number
  /** How often a place wanted a longer one. */
  longer: number
  challenges: number
  redirects: number
  /** The current INVITE was answered provisionally: it may be cancelled now. */
  provisional: boolean
  /** Someone's phone has made a sound. From now on no other place is tried by us. */
  rang: boolean
  cancelled: boolean
  cancelSent: boolean
  ended: boolean
  forks: Map<string, Fork>
  session: Session | null
  /** Settles what `dial` promised: the call, or why there is none. Later calls change nothing. */
  taken(): void
  refused(error: Error): void
  /** The INVITE is over, one way or the other. */
  done(): void
  over: Promise<void>
  onEnd(): void
  ringTimer: NodeJS.Timeout | undefined
  startedMs: number | undefined
}

/** Before an answer: tells how it ended, and stops. */
export function endDialling(dialling: Dialling, end: CallEnd): void {
  if (dialling.ended) return
  dialling.ended = true
  clearTimeout(dialling.ringTimer)
  dialling.events.add({ type: 'ended', end })
  dialling.events.close()
}

/** Nothing can come any more: the dialog may be forgotten. */
export function forget(dialling: Dialling): void {
  if (!dialling.session || dialling.session.ended)
    dialling.core.dialogs.delete(dialogKey(dialling.id, dialling.localTag))
  dialling.done()
}
