import { setTimeout as sleep } from 'node:timers/promises'
import { type Asked, AskFailed, askOnce } from './ask.ts'
import { refreshTarget, requestWithin } from './dialog.ts'
import { type Header, headerOf, type ReceivedResponse, type SipRequest } from './message.ts'
import { createOffer } from './negotiate.ts'
import { type Hop, TransportError } from './peer.ts'
import { allowed, contactOf, supported } from './request.ts'
import { type Direction, parseSdp, type Sdp, SdpError } from './sdp.ts'
import {
  applyMedia,
  armTimer,
  askWithin,
  beginChange,
  describe,
  endSession,
  lost,
  type Session,
  sayGoodbye,
} from './session.ts'
import { intervalOfAnswer, leastOf, mostSeconds } from './session-timer.ts'
import { alongWays } from './ways.ts'

const mostAttempts = 4

/** Holds or resumes. False: the other side would not. */
export const changeDirection = (session: Session, direction: Direction): Promise<boolean> =>
  reinvite(session, () => {
    const { id, version } = session.own.session
    return createOffer(session.local, session.trunk.srtp, { id, version: version + 1 }, direction, session.own)
  })

/** One re-INVITE, and later once more when both sides asked at once. `offer` is asked anew: theirs may have come first. */
async function reinvite(session: Session, offer: () => Sdp): Promise<boolean> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    while (session.change && !session.ended) await session.change
    if (session.ended) return false
    const endChange = beginChange(session)
    try {
      const own = offer()
      const accepted = await inviteWithin(session, own)
      if (accepted === 'refused') return false
      if (accepted !== 'crossed') {
        applyMedia(session, own, parseSdp(accepted.body.toString('utf8')))
        return true
      }
    } catch (error) {
      if (!(error instanceof SdpError)) throw error
      return false
    } finally {
      endChange()
    }
    await sleep(glareMs(session.core.timing.t1Ms, session.isCaller), null, { ref: false })
  }
  return false
}

/** 2.1 to 4 seconds for whose the Call-ID is, up to 2 for the other (RFC 3261 §14.1), with T1 as it is by default. */
export const glareMs = (t1Ms: number, isCaller: boolean): number =>
  t1Ms * (isCaller ? 4.2 + Math.random() * 3.8 : Math.random() * 4)

/** The 2xx, acknowledged. Ends the session when the other side no longer knows it. */
async function inviteWithin(session: Session, own: Sdp): Promise<ReceivedResponse | 'refused' | 'crossed'> {
  const credentials = session.core.credentialsOf(session.trunk)
  for (let attempt = 0; attempt < mostAttempts && !session.ended; attempt += 1) {
    const asked = await sendInvite(session, own)
    if (!isKnown(session, asked)) return 'refused'
    const { request, response } = asked
    if (response.status < 300) {
      armTimer(session, intervalOfAnswer(response))
      return response
    }
    if (response.status === 491) return 'crossed'
    const isChallenge = response.status === 401 || response.status === 407
    const canHelp = isChallenge ? credentials.learn(response, request) : lengthen(session, response)
    if (!canHelp) return 'refused'
  }
  return 'refused'
}

/** Whether the other side still knows the call; it is ended when not. */
function isKnown(session: Session, asked: Asked | null): asked is Asked {
  const status = asked?.response.status ?? null
  if (status !== null && status !== 481 && status !== 408) return true
  endSession(session, lost('The other side no longer knows the call.', status))
  void sayGoodbye(session)
  return false
}

/** Takes the interval a 422 asks for (RFC 4028 §7.4). True: asking again can help. */
function lengthen(session: Session, response: ReceivedResponse): boolean {
  const least = response.status === 422 ? leastOf(response) : null
  if (least === null || least <= session.leastSeconds || least > mostSeconds) return false
  session.leastSeconds = least
  session.intervalSeconds = Math.max(secondsOf(session), least)
  return true
}

const secondsOf = (session: Session): number => session.intervalSeconds ?? session.core.timing.sessionSeconds

const timerHeaders = (session: Session): Header[] => [
  ['supported', supported],
  ['session-expires', `${secondsOf(session)};refresher=uac`],
  ['min-se', String(session.leastSeconds)],
]

/** A 2xx is acknowledged the way it was asked for, as often as it is said. Null: nobody answered. */
async function sendInvite(session: Session, own: Sdp): Promise<Asked | null> {
  const { core, trunk, dialog } = session
  try {
    return await alongWays(core, trunk, dialog, async (hop) => {
      const request = core.credentialsOf(trunk).apply(inviteRequest(session, own, hop))
      const ack = () => acknowledge(session, hop, request)
      const response = await askOnce(core, hop, request, () => {}, ack)
      if (response.status < 300) {
        refreshTarget(dialog, response)
        ack()
      }
      return { request, response }
    })
  } catch (error) {
    if (error instanceof AskFailed || error instanceof TransportError) return null
    throw error
  }
}

function inviteRequest(session: Session, own: Sdp, hop: Hop): SipRequest {
  const headers: Header[] = [['contact', contactOf(hop, session.user)], ['allow', allowed], ...timerHeaders(session)]
  return requestWithin(session.dialog, 'INVITE', { headers, body: describe(own, session.local) })
}

function acknowledge(session: Session, hop: Hop, invite: SipRequest): void {
  const cseq = Number.parseInt(headerOf(invite, 'cseq') ?? '', 10)
  const proofs = invite.headers.filter(([name]) => name === 'authorization' || name === 'proxy-authorization')
  const ack = requestWithin(session.dialog, 'ACK', { cseq, headers: proofs })
  session.core.transactions.acknowledge(ack, hop).catch(() => {})
}

/** Tells the other side that we are still here, and learns whether it is. */
export async function refreshSession(session: Session): Promise<void> {
  if (session.ended || session.change) return
  if (!session.allowsUpdate) {
    await reinvite(session, () => session.own)
    return
  }
  for (let attempt = 0; attempt < mostAttempts && !session.ended; attempt += 1) {
    const asked = await askWithin(session, 'UPDATE', { headers: timerHeaders(session) }).catch(() => null)
    if (!isKnown(session, asked)) return
    if (asked.response.status < 300) armTimer(session, intervalOfAnswer(asked.response))
    if (!lengthen(session, asked.response)) return
  }
}
