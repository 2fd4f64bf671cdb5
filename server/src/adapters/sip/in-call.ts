import { acceptsSeq, refreshTarget } from './dialog.ts'
import { type Header, headerOf, type ReceivedRequest } from './message.ts'
import { agree, createAnswer, createOffer } from './negotiate.ts'
import { notified } from './refer.ts'
import { answerUntilAck } from './reliable-answer.ts'
import { allowed, contactOf, createResponse, supported } from './request.ts'
import { parseSdp, type Sdp, SdpError } from './sdp.ts'
import type { ServerTransaction } from './server-transaction.ts'
import {
  applyMedia,
  armTimer,
  beginChange,
  describe,
  endSession,
  lost,
  noteAllowed,
  type Session,
  sayGoodbye,
} from './session.ts'
import { grantInterval } from './session-timer.ts'
import { wayWithin } from './ways.ts'

export const reply = (
  { request, respond }: ServerTransaction,
  status: number,
  reason: string,
  headers: readonly Header[] = [],
): void => respond(createResponse(request, status, reason, { headers }))

/** A request of the other side inside an answered call. */
export function handleInCall(session: Session, transaction: ServerTransaction): void {
  const { request } = transaction
  if (session.ended) reply(transaction, 481, 'Call/Transaction Does Not Exist')
  else if (!acceptsSeq(session.dialog, request)) reply(transaction, 500, 'Server Internal Error')
  else if (request.method === 'BYE') {
    reply(transaction, 200, 'OK')
    endSession(session, { reason: 'hangup', by: 'callee', status: null, words: 'The other side hung up.' })
  } else if (request.method === 'INVITE' || request.method === 'UPDATE') {
    renegotiate(session, transaction).catch((err: unknown) => {
      session.core.log.error({ err }, 'a change inside a call could not be handled')
      reply(transaction, 500, 'Server Internal Error')
    })
  } else if (request.method === 'INFO') {
    for (const digit of infoDigits(request)) session.events.add({ type: 'digit', digit })
    reply(transaction, 200, 'OK')
  } else if (request.method === 'NOTIFY') {
    const known = notified(session, request)
    reply(transaction, known ? 200 : 481, known ? 'OK' : 'Subscription Does Not Exist')
  } else if (request.method === 'OPTIONS') reply(transaction, 200, 'OK', [['allow', allowed]])
  else reply(transaction, 405, 'Method Not Allowed', [['allow', allowed]])
}

export function handleAck(session: Session, ack: ReceivedRequest): void {
  const waiting = session.awaitingAck.get(ack.cseq.number)
  session.awaitingAck.delete(ack.cseq.number)
  waiting?.(ack)
}

/** `Signal=5` (application/dtmf-relay) or the bare key (application/dtmf). */
function infoDigits(request: ReceivedRequest): string[] {
  const type = headerOf(request, 'content-type')?.toLowerCase() ?? ''
  if (!type.startsWith('application/dtmf')) return []
  const text = request.body.toString('utf8').slice(0, 200)
  const digit = /^\s*(?:signal\s*=\s*)?([0-9*#A-Da-d])\s*$/im.exec(text)?.[1]
  return digit ? [digit.toUpperCase()] : []
}

/** Re-INVITE and UPDATE: hold, resume, a moved stream, or only a sign of life. */
async function renegotiate(session: Session, transaction: ServerTransaction): Promise<void> {
  const { request } = transaction
  const isInvite = request.method === 'INVITE'
  const granted = grantInterval(request, session.core.timing)
  // A mere sign of life crosses nothing (RFC 3311 §5.2).
  if (session.change && (isInvite || request.body.length > 0)) return reply(transaction, 491, 'Request Pending')
  if ('tooShort' in granted) return reply(transaction, 422, 'Session Interval Too Small', granted.tooShort)
  refreshTarget(session.dialog, request)
  noteAllowed(session, request)
  let plan: Plan | null
  try {
    plan = planAnswer(session, request)
  } catch (error) {
    if (!(error instanceof SdpError)) throw error
    return reply(transaction, 488, 'Not Acceptable Here')
  }
  const endChange = isInvite ? beginChange(session) : () => {}
  const hop = await wayWithin(session.core, session.trunk, session.dialog)
  const contact: Header[] = hop ? [['contact', contactOf(hop, session.user)]] : []
  const headers: Header[] = [...contact, ['allow', allowed], ['supported', supported], ...granted.headers]
  const body = plan ? describe(plan.own, session.local) : null
  const response = createResponse(request, 200, 'OK', { headers, body })
  if (plan?.theirs) applyMedia(session, plan.own, plan.theirs)
  armTimer(session, granted.interval)
  if (!isInvite) return transaction.respond(response)
  const answer = answerUntilAck(session.core.timing, transaction, response, () => {
    endChange()
    if (session.ended) return
    endSession(session, lost('The other side did not acknowledge a change.'))
    void sayGoodbye(session)
  })
  session.awaitingAck.set(request.cseq.number, (ack) => {
    endChange()
    answer.acknowledged()
    if (plan && !plan.theirs) takeLateAnswer(session, plan.own, ack)
  })
}

/** `theirs` null: they asked without a description, so ours is the offer and theirs comes with the ACK. */
type Plan = { own: Sdp; theirs: Sdp | null }

function planAnswer(session: Session, request: ReceivedRequest): Plan | null {
  const { id, version } = session.own.session
  if (request.body.length === 0) {
    if (request.method === 'UPDATE') return null
    const next = { id, version: version + 1 }
    return { own: createOffer(session.local, session.trunk.srtp, next, 'sendrecv', session.own), theirs: null }
  }
  const theirs = parseSdp(request.body.toString('utf8'))
  // The same description again is a refresh: nothing moves, and ours stays word for word.
  const isRefresh =
    theirs.session.id === session.theirs.session.id && theirs.session.version === session.theirs.session.version
  const given = isRefresh ? session.local : session.onReoffer(theirs)
  if (!given) throw new SdpError('The change was refused.')
  const local = { ...given, address: session.core.publicAddress ?? given.address }
  const { srtp } = session.trunk
  const own = createAnswer(theirs, local, srtp, { id, version: isRefresh ? version : version + 1 }, session.own)
  agree(own, theirs, srtp)
  session.local = local
  return { own, theirs }
}

function takeLateAnswer(session: Session, own: Sdp, ack: ReceivedRequest): void {
  try {
    applyMedia(session, own, parseSdp(ack.body.toString('utf8')))
  } catch (error) {
    if (!(error instanceof SdpError)) throw error
    endSession(session, lost('The other side described no sound we can carry.'))
    void sayGoodbye(session)
  }
}
