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
import { intervalOfAnswer } from './session-timer.ts'
import { alongWays } from './ways.ts'

const mostAttempts = 4

/** Holds or resumes: one re-INVITE, again when challenged or when both sides asked at once. */
export async function changeDirection(session: Session, direction: Direction): Promise<boolean> {
  while (session.change && !session.ended) await session.change
  if (session.ended) return false
  const { id, version } = session.own.session
  const offered = createOffer(session.local, session.trunk.srtp, { id, version: version + 1 }, direction)
  return reinvite(session, keepKeys(session.own, offered))
}

/** Our keys stay what they are while the stream goes on. */
function keepKeys(before: Sdp, offered: Sdp): Sdp {
  const known = before.media.flatMap((each) => each.crypto)
  const crypto = offered.media[0]?.crypto.map((each) => ({
    ...each,
    key: known.find(({ suite }) => suite === each.suite)?.key ?? each.key,
  }))
  return { ...offered, media: offered.media.map((each) => ({ ...each, crypto: crypto ?? [] })) }
}

async function reinvite(session: Session, own: Sdp): Promise<boolean> {
  const endChange = beginChange(session)
  try {
    const accepted = await inviteWithin(session, own)
    if (!accepted) return false
    applyMedia(session, own, parseSdp(accepted.body.toString('utf8')))
    return true
  } catch (error) {
    if (!(error instanceof SdpError)) throw error
    return false
  } finally {
    endChange()
  }
}

/** The 2xx, acknowledged; null when refused. Ends the session when the other side no longer knows it. */
async function inviteWithin(session: Session, own: Sdp): Promise<ReceivedResponse | null> {
  const { core, trunk } = session
  const credentials = core.credentialsOf(trunk)
  for (let attempt = 0; attempt < mostAttempts && !session.ended; attempt += 1) {
    const asked = await sendInvite(session, own)
    if (!asked || asked.response.status === 481 || asked.response.status === 408) {
      endSession(session, lost('The other side no longer knows the call.', asked?.response.status ?? null))
      void sayGoodbye(session)
      return null
    }
    const { request, response } = asked
    if (response.status < 300) {
      armTimer(session, intervalOfAnswer(response))
      return response
    }
    const isChallenge = response.status === 401 || response.status === 407
    // Who owns the Call-ID waits longer (RFC 3261 §14.1).
    if (response.status === 491) await sleep(100 + Math.random() * 400)
    else if (!isChallenge || !credentials.learn(response, request)) return null
  }
  return null
}

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
  const seconds = session.intervalSeconds ?? session.core.timing.sessionSeconds
  const headers: Header[] = [
    ['contact', contactOf(hop, session.user)],
    ['allow', allowed],
    ['supported', supported],
    ['session-expires', `${seconds};refresher=uac`],
    ['min-se', String(session.core.timing.minSessionSeconds)],
  ]
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
    await reinvite(session, session.own)
    return
  }
  const seconds = session.intervalSeconds ?? session.core.timing.sessionSeconds
  const headers: Header[] = [
    ['supported', supported],
    ['session-expires', `${seconds};refresher=uac`],
  ]
  const asked = await askWithin(session, 'UPDATE', { headers }).catch(() => null)
  if (asked && asked.response.status < 300) armTimer(session, intervalOfAnswer(asked.response))
  else if (!asked || asked.response.status === 481 || asked.response.status === 408) {
    endSession(session, lost('The other side no longer knows the call.', asked?.response.status ?? null))
    void sayGoodbye(session)
  }
}
