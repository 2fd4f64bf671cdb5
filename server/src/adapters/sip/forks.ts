import { ask } from './ask.ts'
import { finishLater } from './core.ts'
import { type Dialling, endDialling, type Fork } from './dialling.ts'
import { dialogOfResponse, requestWithin } from './dialog.ts'
import { headerOf, lists, type ReceivedRequest, type ReceivedResponse, type SipRequest } from './message.ts'
import { agree, createAnswer } from './negotiate.ts'
import { refreshSession } from './reinvite.ts'
import { contactOf } from './request.ts'
import { parseSdp, type Sdp, SdpError } from './sdp.ts'
import { armTimer, createSession, noteAllowed } from './session.ts'
import { intervalOfAnswer } from './session-timer.ts'
import { alongWays, bidFarewell } from './ways.ts'

/** No call rings more phones than this; whoever claims so is not followed. */
const mostForks = 32

function forkOf(dialling: Dialling, invite: SipRequest, response: ReceivedResponse): Fork {
  const tag = response.to.params.get('tag') ?? ''
  const known = dialling.forks.get(tag)
  if (known) return known
  const dialog = dialogOfResponse(invite, response, dialling.localTag, dialling.place?.hop)
  const fork: Fork = { dialog, rseq: null, own: dialling.own, theirs: null, ack: null, accepting: null }
  dialling.forks.set(tag, fork)
  return fork
}

function sdpOf(response: ReceivedResponse): Sdp | null {
  try {
    return response.body.length > 0 ? parseSdp(response.body.toString('utf8')) : null
  } catch (error) {
    if (error instanceof SdpError) return null
    throw error
  }
}

/** 180, 183 and the like. */
export function onProgress(dialling: Dialling, invite: SipRequest, response: ReceivedResponse): void {
  const tag = response.to.params.get('tag')
  if (tag === undefined || (dialling.forks.size >= mostForks && !dialling.forks.has(tag))) return
  const fork = forkOf(dialling, invite, response)
  if (lists(response, 'require', '100rel') && !acknowledgeProgress(dialling, fork, response)) return
  const theirs = sdpOf(response)
  if (!theirs) return
  fork.theirs = theirs
  try {
    dialling.events.add({ type: 'early', media: agree(fork.own, theirs, dialling.trunk.srtp) })
  } catch (error) {
    if (!(error instanceof SdpError)) throw error
  }
}

/** PRACK (RFC 3262). False: seen before, or one is missing in between; it will come again. */
function acknowledgeProgress(dialling: Dialling, fork: Fork, response: ReceivedResponse): boolean {
  const rseq = Number(headerOf(response, 'rseq'))
  const isNext = fork.rseq === null ? rseq >= 1 : rseq === fork.rseq + 1
  if (!isNext) return false
  fork.rseq = rseq
  const { core, trunk } = dialling
  const headers = [['rack', `${rseq} ${response.cseq.number} INVITE`] as const]
  const prack = alongWays(core, trunk, fork.dialog, (hop) =>
    ask(core, trunk, hop, () => requestWithin(fork.dialog, 'PRACK', { headers })),
  )
  prack.catch((err: unknown) => core.log.debug({ err }, 'a provisional answer could not be acknowledged'))
  return true
}

/** A new description before the answer (RFC 3311). Ours in return; null when it cannot be, for now. */
export function answerEarlyOffer(dialling: Dialling, fork: Fork, request: ReceivedRequest): Sdp | null {
  // An offer may follow only when ours has been answered.
  if (!fork.theirs) return null
  const { id, version } = fork.own.session
  const theirs = parseSdp(request.body.toString('utf8'))
  const { srtp } = dialling.trunk
  const own = createAnswer(theirs, dialling.options.media, srtp, { id, version: version + 1 }, fork.own)
  const media = agree(own, theirs, srtp)
  Object.assign(fork, { own, theirs })
  dialling.events.add({ type: 'early', media })
  return own
}

/** A 2xx. The first one wins; every other phone that answered is acknowledged and hung up at once. */
export async function onAccepted(dialling: Dialling, invite: SipRequest, response: ReceivedResponse): Promise<void> {
  const fork = forkOf(dialling, invite, response)
  if (fork.accepting) {
    const { ack } = fork
    if (ack) dialling.core.transactions.acknowledge(ack.request, ack.hop).catch(() => {})
    return fork.accepting
  }
  fork.accepting = accept(dialling, fork, invite, response)
  await fork.accepting
}

async function accept(dialling: Dialling, fork: Fork, invite: SipRequest, response: ReceivedResponse): Promise<void> {
  const isFirst = !dialling.session && !dialling.ended
  const { localSeq } = fork.dialog
  // The 2xx has the last word on route and target (RFC 3261 §13.2.2.4).
  Object.assign(fork.dialog, dialogOfResponse(invite, response, dialling.localTag, dialling.place?.hop))
  fork.dialog.localSeq = Math.max(localSeq, fork.dialog.localSeq)
  const agreed = isFirst ? open(dialling, fork, response) : false
  try {
    await acknowledge(dialling, fork, invite)
  } finally {
    if (!agreed) await goodbye(dialling, fork)
  }
}

/** True: the call stands. False: it has to be hung up. */
function open(dialling: Dialling, fork: Fork, response: ReceivedResponse): boolean {
  const { dialog, own } = fork
  const theirs = sdpOf(response) ?? fork.theirs
  const { core, trunk, events, options } = dialling
  clearTimeout(dialling.ringTimer)
  try {
    if (!theirs) throw new SdpError('The answer describes no sound.')
    const agreed = agree(own, theirs, trunk.srtp)
    const onReoffer = options.onReoffer ?? (() => options.media)
    const user = userPart(dialling)
    const start = { core, trunk, dialog, isCaller: true, user, local: options.media, own, theirs, events, onReoffer }
    const session = createSession(start, (each) => void refreshSession(each).catch(() => {}))
    dialling.session = session
    session.leastSeconds = dialling.leastSeconds
    noteAllowed(session, response)
    armTimer(session, intervalOfAnswer(response))
    events.add({ type: 'answered', media: agreed })
    return true
  } catch (error) {
    if (!(error instanceof SdpError)) throw error
    core.log.warn({ trunk: trunk.name }, 'an answer described no sound we can carry')
    const words = `The carrier's answer cannot be carried: ${error.message}`
    endDialling(dialling, { reason: 'carrier_error', by: 'carrier', status: response.status, words })
    return false
  }
}

export const userPart = (dialling: Dialling): string => dialling.trunk.user ?? dialling.options.from

async function acknowledge(dialling: Dialling, fork: Fork, invite: SipRequest): Promise<void> {
  const { core, trunk } = dialling
  const cseq = Number.parseInt(headerOf(invite, 'cseq') ?? '', 10)
  const proofs = invite.headers.filter(([name]) => name === 'authorization' || name === 'proxy-authorization')
  await alongWays(core, trunk, fork.dialog, (hop) => {
    const headers = [['contact', contactOf(hop, userPart(dialling))] as const, ...proofs]
    fork.ack = { request: requestWithin(fork.dialog, 'ACK', { cseq, headers }), hop }
    return core.transactions.acknowledge(fork.ack.request, hop)
  })
}

async function goodbye(dialling: Dialling, fork: Fork): Promise<void> {
  const bye = bidFarewell(dialling.core, dialling.trunk, fork.dialog)
  finishLater(dialling.core, bye)
  await bye.catch(() => {})
}
