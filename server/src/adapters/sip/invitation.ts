import { setTimeout as sleep } from 'node:timers/promises'
import type { OnReoffer, SipCall } from './call.ts'
import { callOf, createCallEvents } from './call-of.ts'
import { type Core, dialogKey, finishLater, soundAddress } from './core.ts'
import { dialledNumbers } from './dialled.ts'
import { dialogOfInvite } from './dialog.ts'
import { handleAck, handleInCall, reply } from './in-call.ts'
import { type Header, lists, type ReceivedRequest, valuesOf } from './message.ts'
import { agree, createAnswer, createOffer, type LocalMedia } from './negotiate.ts'
import type { Hop } from './peer.ts'
import { refreshSession } from './reinvite.ts'
import { answerUntilAck } from './reliable-answer.ts'
import { allowed, contactOf, createResponse, createTag, supported } from './request.ts'
import { createSessionId, parseSdp, type Sdp, SdpError } from './sdp.ts'
import type { ServerTransaction } from './server-transaction.ts'
import {
  armTimer,
  createSession,
  describe,
  endSession,
  lost,
  noteAllowed,
  type Session,
  sayGoodbye,
} from './session.ts'
import { type Granted, grantInterval } from './session-timer.ts'
import { giveUpMs } from './timing.ts'
import type { Trunk } from './trunk.ts'
import { userOf } from './uri.ts'

/** Someone calls us. Whoever gets it answers or rejects; otherwise it ends by itself. */
export type Invitation = {
  id: string
  /** Whose call it may be: by one carrier's machine come the calls of all who have that carrier. The first, unless chosen. */
  trunk: Trunk
  trunks: readonly Trunk[]
  /** The numbers as the carrier wrote them; `from` is empty for a hidden one, `to` what may have been dialled, in order. */
  from: string
  to: readonly string[]
  /** The caller's description of its sound; null when it wants ours first. */
  offer: Sdp | null
  /** Aborted when the caller gives up. */
  signal: AbortSignal
  ring(): void
  /** Throws SdpError when there is nothing in common; the caller has been told. */
  answer(media: LocalMedia, options?: { trunk?: Trunk; onReoffer?: OnReoffer }): SipCall
  /** 486 busy, 480 not available, 404 no such number, 603 declined … */
  reject(status: number, reason: string): void
}

const longestRingMs = 180_000
const nothing: Sdp = { session: { id: '', version: -1 }, media: [] }

type Incoming = {
  core: Core
  trunk: Trunk
  hop: Hop
  transaction: ServerTransaction
  localTag: string
  offer: Sdp | null
  granted: Exclude<Granted, { tooShort: Header[] }>
  over: AbortController
}

type Received = { invitation: Invitation; cancel(): void }

/** Null: it has been refused already, with the reason the RFC has for it. */
export function receiveInvite(
  core: Core,
  trunks: readonly Trunk[],
  hop: Hop,
  transaction: ServerTransaction,
): Received | null {
  const { request } = transaction
  const unknown = valuesOf(request, 'require').filter((each) => !/^(100rel|timer)$/i.test(each))
  const granted = grantInterval(request, core.timing)
  const refuse = (status: number, reason: string, headers: readonly Header[] = []) => {
    reply(transaction, status, reason, headers)
    return null
  }
  if (unknown.length > 0) return refuse(420, 'Bad Extension', [['unsupported', unknown.join(', ')]])
  if ('tooShort' in granted) return refuse(422, 'Session Interval Too Small', granted.tooShort)
  const offer = offerOf(request)
  if (offer === 'unreadable') return refuse(488, 'Not Acceptable Here')
  reply(transaction, 100, 'Trying')
  const over = new AbortController()
  const [trunk] = trunks
  if (!trunk) return refuse(403, 'Forbidden')
  const incoming: Incoming = { core, trunk, hop, transaction, localTag: createTag(), offer, granted, over }
  const stop = (status: number, reason: string) => {
    settled()
    if (transaction.isAnswered()) return
    respond(incoming, status, reason)
    over.abort()
  }
  const turnAway = () => stop(480, 'Temporarily Unavailable')
  const limit = setTimeout(turnAway, longestRingMs)
  const settled = () => {
    clearTimeout(limit)
    core.invitations.delete(turnAway)
  }
  core.invitations.add(turnAway)
  return {
    invitation: invitationOf(incoming, trunks, settled),
    cancel: () => stop(487, 'Request Terminated'),
  }
}

function offerOf(request: ReceivedRequest): Sdp | null | 'unreadable' {
  if (request.body.length === 0) return null
  try {
    return parseSdp(request.body.toString('utf8'))
  } catch (error) {
    if (error instanceof SdpError) return 'unreadable'
    throw error
  }
}

function invitationOf(incoming: Incoming, trunks: readonly Trunk[], settled: () => void): Invitation {
  const { transaction, trunk, offer, over } = incoming
  const { request } = transaction
  return {
    id: request.callId,
    trunk,
    trunks,
    from: userOf(request.from.uri).replace(/^anonymous$/i, ''),
    to: dialledNumbers(request, trunks),
    offer,
    signal: over.signal,
    ring: () => {
      // Someone who demands reliable provisional answers gets none instead (RFC 3262 §3 allows that).
      if (!transaction.isAnswered() && !lists(request, 'require', '100rel')) respond(incoming, 180, 'Ringing')
    },
    answer: (media, options = {}) => {
      settled()
      return answer({ ...incoming, trunk: options.trunk ?? trunk }, media, options.onReoffer)
    },
    reject: (status, reason) => {
      settled()
      if (!transaction.isAnswered()) respond(incoming, status, reason)
    },
  }
}

/** Record-Route goes back as it came: the way of everything that follows (RFC 3261 §12.1.1). */
const dialogHeaders = ({ hop, transaction, trunk }: Incoming): Header[] => [
  ...transaction.request.headers.filter(([name]) => name === 'record-route'),
  ['contact', contactOf(hop, trunk.user ?? userOf(transaction.request.uri))],
  ['allow', allowed],
  ['supported', supported],
]

function respond(incoming: Incoming, status: number, reason: string): void {
  const headers = status < 300 ? dialogHeaders(incoming) : []
  const { transaction, localTag: toTag } = incoming
  transaction.respond(createResponse(transaction.request, status, reason, { toTag, headers }))
}

function answer(incoming: Incoming, given: LocalMedia, onReoffer?: OnReoffer): SipCall {
  const { core, trunk, transaction, localTag, offer, granted } = incoming
  const { request } = transaction
  if (transaction.isAnswered()) throw new Error('The call has been answered, rejected or given up already.')
  const media = { ...given, address: soundAddress(core, given, incoming.hop) }
  const own = describeOrRefuse(incoming, media)
  const dialog = dialogOfInvite(request, localTag, incoming.hop)
  const events = createCallEvents(() => core.calls.delete(call))
  const session = createSession(
    {
      core,
      trunk,
      dialog,
      isCaller: false,
      user: trunk.user ?? userOf(request.uri),
      local: media,
      own,
      theirs: offer ?? nothing,
      events,
      onReoffer: onReoffer ?? (() => media),
    },
    (each) => void refreshSession(each).catch(() => {}),
  )
  noteAllowed(session, request)
  const headers = [...dialogHeaders(incoming), ...granted.headers]
  const response = createResponse(request, 200, 'OK', { toTag: localTag, headers, body: describe(own, media) })
  const acknowledged = awaitAck(session, transaction, response)
  armTimer(session, granted.interval)
  let leaving: Promise<void> | null = null
  const hangup = () => {
    leaving ??= hangUpWhenKnown(session, acknowledged)
    return leaving
  }
  const call = callOf(request.callId, events, () => session, hangup)
  core.calls.add(call)
  core.dialogs.set(dialogKey(request.callId, localTag), {
    onRequest: (each) => handleInCall(session, each),
    onAck: (ack) => handleAck(session, ack),
  })
  return call
}

function describeOrRefuse(incoming: Incoming, media: LocalMedia): Sdp {
  const session = { id: createSessionId(), version: 1 }
  const { offer, trunk } = incoming
  try {
    if (!offer) return createOffer(media, trunk.srtp, session, 'sendrecv')
    const own = createAnswer(offer, media, trunk.srtp, session, null)
    agree(own, offer, trunk.srtp)
    return own
  } catch (error) {
    if (error instanceof SdpError) respond(incoming, 488, 'Not Acceptable Here')
    throw error
  }
}

/** Resolves when the caller has acknowledged, or never will. */
function awaitAck(session: Session, transaction: ServerTransaction, response: ReturnType<typeof createResponse>) {
  const { number } = transaction.request.cseq
  return new Promise<void>((resolve) => {
    const saying = answerUntilAck(session.core.timing, transaction, response, () => {
      resolve()
      if (session.ended) return
      endSession(session, lost('The caller did not acknowledge our answer.'))
      void sayGoodbye(session)
    })
    session.awaitingAck.set(number, (ack) => {
      saying.acknowledged()
      if (!session.ended) announce(session, ack)
      resolve()
    })
  })
}

function announce(session: Session, ack: ReceivedRequest): void {
  try {
    if (session.theirs === nothing) session.theirs = parseSdp(ack.body.toString('utf8'))
    session.events.add({ type: 'answered', media: agree(session.own, session.theirs, session.trunk.srtp) })
  } catch (error) {
    if (!(error instanceof SdpError)) throw error
    endSession(session, lost('The caller described no sound we can carry.'))
    void sayGoodbye(session)
  }
}

/** Before its ACK the caller must not be told goodbye (RFC 3261 §15). */
async function hangUpWhenKnown(session: Session, acknowledged: Promise<void>): Promise<void> {
  const { core } = session
  // Over already: the caller hung up, or has been told.
  if (session.ended) return session.saidGoodbye ?? undefined
  const key = dialogKey(session.dialog.callId, session.dialog.localTag)
  const owner = core.dialogs.get(key)
  endSession(session, { reason: 'hangup', by: 'agent', status: null, words: 'We hung up.' })
  // The ACK may still be on its way: the dialog is kept until it is here.
  if (owner) core.dialogs.set(key, owner)
  const limit = new AbortController()
  const farewell = Promise.race([acknowledged, sleep(giveUpMs(core.timing), null, { signal: limit.signal })])
    .then(() => sayGoodbye(session))
    .finally(() => {
      limit.abort()
      core.dialogs.delete(key)
    })
  finishLater(core, farewell)
  await farewell.catch(() => {})
}
