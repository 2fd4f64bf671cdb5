import type { EventLog } from '../simulator/event-log.ts'
import { type Asked, ask } from './ask.ts'
import type { CallEnd, CallEvent, OnReoffer, TransferOutcome } from './call.ts'
import { type Core, dialogKey, finishLater } from './core.ts'
import { type Dialog, requestWithin } from './dialog.ts'
import { type Header, lists, type ReceivedMessage, type ReceivedRequest } from './message.ts'
import { agree, isHeldBy, type LocalMedia } from './negotiate.ts'
import { contactOf } from './request.ts'
import { formatSdp, type Sdp } from './sdp.ts'
import { createSessionTimer, type Interval, type SessionTimer } from './session-timer.ts'
import type { Trunk } from './trunk.ts'
import { alongWays, bidFarewell } from './ways.ts'

/** `taken`: the other side has agreed to call the number; how that goes, it may or may not tell. */
export type Transfer = { taken: boolean; settle(outcome: TransferOutcome): void }

/** An answered call. Made here, changed by the files that import this one. */
export type Session = {
  core: Core
  trunk: Trunk
  dialog: Dialog
  /** We called: then the Call-ID is ours. */
  isCaller: boolean
  /** The user part of our Contact. */
  user: string
  local: LocalMedia
  own: Sdp
  theirs: Sdp
  events: EventLog<CallEvent>
  onReoffer: OnReoffer
  allowsUpdate: boolean
  timer: SessionTimer
  intervalSeconds: number | null
  /** The shortest interval either side takes. */
  leastSeconds: number
  /** A re-INVITE is under way: two at once would cross (RFC 3261 §14). */
  change: Promise<void> | null
  /** Who waits for the ACK of which INVITE. */
  awaitingAck: Map<number, (ack: ReceivedRequest) => void>
  transfer: Transfer | null
  ended: boolean
  saidGoodbye: Promise<void> | null
}
export type SessionStart = Pick<
  Session,
  'core' | 'trunk' | 'dialog' | 'isCaller' | 'user' | 'local' | 'own' | 'theirs' | 'events' | 'onReoffer'
> & { allowsUpdate?: boolean }

export function createSession(start: SessionStart, refresh: (session: Session) => void): Session {
  const session: Session = {
    allowsUpdate: false,
    ...start,
    timer: createSessionTimer({
      refresh: () => refresh(session),
      expire: () => {
        endSession(session, lost('The other side did not refresh the call.'))
        void sayGoodbye(session)
      },
    }),
    intervalSeconds: null,
    leastSeconds: start.core.timing.minSessionSeconds,
    change: null,
    awaitingAck: new Map(),
    transfer: null,
    ended: false,
    saidGoodbye: null,
  }
  return session
}

export const lost = (words: string, status: number | null = null): CallEnd => ({
  reason: 'line_dropped',
  by: 'carrier',
  status,
  words,
})

/** Once; later ends change nothing. */
export function endSession(session: Session, end: CallEnd): void {
  if (session.ended) return
  session.ended = true
  session.timer.stop()
  session.transfer?.settle({ outcome: session.transfer.taken ? 'accepted' : 'refused', status: null })
  session.core.dialogs.delete(dialogKey(session.dialog.callId, session.dialog.localTag))
  session.events.add({ type: 'ended', end })
  session.events.close()
}

/** A request inside the call, challenges answered. */
export function askWithin(
  session: Session,
  method: string,
  parts: { headers?: readonly Header[]; body?: { type: string; text: string } } = {},
): Promise<Asked> {
  const { core, trunk, dialog } = session
  return alongWays(core, trunk, dialog, (hop) => {
    const headers: Header[] = [['contact', contactOf(hop, session.user)], ...(parts.headers ?? [])]
    return ask(core, trunk, hop, () => requestWithin(dialog, method, { headers, body: parts.body ?? null }))
  })
}

/** BYE, once. */
export function sayGoodbye(session: Session): Promise<void> {
  session.saidGoodbye ??= bidFarewell(session.core, session.trunk, session.dialog).catch(() => {})
  finishLater(session.core, session.saidGoodbye)
  return session.saidGoodbye
}

export function hangUp(session: Session): Promise<void> {
  if (session.ended) return session.saidGoodbye ?? Promise.resolve()
  endSession(session, { reason: 'hangup', by: 'agent', status: null, words: 'We hung up.' })
  return sayGoodbye(session)
}

/** The returned function says that it is over. */
export function beginChange(session: Session): () => void {
  let over = () => {}
  session.change = new Promise((resolve) => {
    over = resolve
  })
  return () => {
    session.change = null
    over()
  }
}

export const describe = (own: Sdp, { address }: LocalMedia): { type: string; text: string } => ({
  type: 'application/sdp',
  text: formatSdp(own, address),
})

export function armTimer(session: Session, interval: Interval | null): void {
  session.intervalSeconds = interval?.seconds ?? null
  if (!session.ended) session.timer.arm(interval)
}

/** Takes a new description of theirs, to which `own` is our side, and tells what has changed. */
export function applyMedia(session: Session, own: Sdp, theirs: Sdp): void {
  const agreed = agree(own, theirs, session.trunk.srtp)
  const [wasHeld, isHeld] = [isHeldBy(session.theirs), isHeldBy(theirs)]
  Object.assign(session, { own, theirs })
  const type = wasHeld === isHeld ? 'media' : isHeld ? 'remote-hold' : 'remote-resume'
  session.events.add({ type, media: agreed })
}

export function noteAllowed(session: Session, message: ReceivedMessage): void {
  if (lists(message, 'allow', 'UPDATE')) session.allowsUpdate = true
}
