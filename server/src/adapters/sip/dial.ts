import { randomBytes } from 'node:crypto'
import { DialRefused } from '../../voice/ports.ts'
import type { SipCall } from './call.ts'
import { callOf, createCallEvents } from './call-of.ts'
import { type Core, dialogKey, finishLater, hopsOf, soundAddress } from './core.ts'
import type { Dialling, DialOptions, Fork } from './dialling.ts'
import { answerEarlyOffer, userPart } from './forks.ts'
import { quote } from './grammar.ts'
import { handleAck, handleInCall, reply } from './in-call.ts'
import { giveUp, limitRinging, tryNextPlace } from './invite.ts'
import { createOffer } from './negotiate.ts'
import type { Hop } from './peer.ts'
import { allowed, contactOf, createResponse, createTag } from './request.ts'
import { createSessionId, SdpError } from './sdp.ts'
import type { ServerTransaction } from './server-transaction.ts'
import { describe, hangUp } from './session.ts'
import type { Trunk } from './trunk.ts'
import { formatUri } from './uri.ts'

/**
 * Rings once (decision 0030). Resolves when the carrier has taken the call on, or someone has answered already.
 * Rejects with DialRefused when it surely does not ring, with anything else when nobody knows.
 */
export async function dial(core: Core, trunk: Trunk, options: DialOptions, signal: AbortSignal): Promise<SipCall> {
  signal.throwIfAborted()
  const hops = await hopsOf(core, trunk).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : 'its name cannot be looked up'
    throw new DialRefused('carrier_error', `The carrier cannot be reached: ${why}`)
  })
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const dialling = createDialling(core, trunk, options, hops)
    const call = callOf(
      dialling.id,
      dialling.events,
      () => dialling.session,
      () => hangupOf(dialling),
      () => [...dialling.forks.values()].at(-1)?.dialog ?? null,
    )
    core.calls.add(call)
    const onAbort = () => {
      const reason = signal.reason instanceof Error ? signal.reason : new Error('The dial was given up.')
      giveUp(dialling, weHungUp, reason)
    }
    const settle = () => signal.removeEventListener('abort', onAbort)
    dialling.onEnd = () => core.calls.delete(call)
    dialling.taken = () => {
      settle()
      resolve(call)
    }
    dialling.refused = (error) => {
      settle()
      reject(error)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    listenWithin(dialling)
    limitRinging(dialling)
    tryNextPlace(dialling, { status: null, words: 'The carrier has no address.' })
  })
}

const weHungUp = { reason: 'hangup', by: 'agent', status: null, words: 'We hung up.' } as const

async function hangupOf(dialling: Dialling): Promise<void> {
  if (dialling.session) return hangUp(dialling.session)
  giveUp(dialling, weHungUp)
  await dialling.over
}

function createDialling(core: Core, trunk: Trunk, options: DialOptions, hops: readonly Hop[]): Dialling {
  const localTag = createTag()
  const port = trunk.port ?? null
  const address = (user: string) => formatUri({ user, host: trunk.host, port })
  const shown = trunk.callerId ?? options.from
  let done = () => {}
  const over = new Promise<void>((resolve) => {
    done = resolve
  })
  finishLater(core, over)
  const media = { ...options.media, address: soundAddress(core, options.media, hops[0]) }
  const dialling: Dialling = {
    core,
    trunk,
    options: { ...options, media },
    // Ours first: an operator finds the call in the carrier's records.
    id: `${options.callId.replace(/[^\w.-]/g, '')}.${randomBytes(10).toString('hex')}`,
    localTag,
    from: `${quote(shown)} <${address(shown)}>;tag=${localTag}`,
    to: `<${address(options.to)}>`,
    own: createOffer(media, trunk.srtp, { id: createSessionId(), version: 1 }, 'sendrecv'),
    events: createCallEvents(() => dialling.onEnd()),
    onEnd: () => {},
    places: hops.map((hop) => ({
      hop,
      uri: formatUri({ user: options.to, host: trunk.host, port, transport: hop.transport }),
    })),
    place: null,
    transaction: null,
    cseq: 0,
    sessionSeconds: core.timing.sessionSeconds,
    leastSeconds: core.timing.minSessionSeconds,
    longer: 0,
    challenges: 0,
    redirects: 0,
    provisional: false,
    rang: false,
    cancelled: false,
    cancelSent: false,
    ended: false,
    forks: new Map(),
    session: null,
    taken: () => {},
    refused: () => {},
    done,
    over,
    ringTimer: undefined,
    startedMs: undefined,
  }
  return dialling
}

function listenWithin(dialling: Dialling): void {
  dialling.core.dialogs.set(dialogKey(dialling.id, dialling.localTag), {
    onRequest: (transaction) => {
      const tag = transaction.request.from.params.get('tag') ?? ''
      const { session } = dialling
      if (session && session.dialog.remoteTag === tag) handleInCall(session, transaction)
      else handleEarly(dialling, transaction)
    },
    onAck: (ack) => {
      if (dialling.session) handleAck(dialling.session, ack)
    },
  })
}

/** Before the answer little may be asked; a phone that lost the race may say goodbye. */
function handleEarly(dialling: Dialling, transaction: ServerTransaction): void {
  const { method, from, body } = transaction.request
  const fork = dialling.forks.get(from.params.get('tag') ?? '')
  if (!fork) reply(transaction, 481, 'Call/Transaction Does Not Exist')
  else if (method === 'BYE' || method === 'OPTIONS' || method === 'INFO') reply(transaction, 200, 'OK')
  else if (method !== 'UPDATE') reply(transaction, 405, 'Method Not Allowed', [['allow', allowed]])
  else if (body.length === 0) reply(transaction, 200, 'OK', [['allow', allowed]])
  else answerEarlyUpdate(dialling, fork, transaction)
}

function answerEarlyUpdate(dialling: Dialling, fork: Fork, transaction: ServerTransaction): void {
  const { place, options } = dialling
  try {
    const own = answerEarlyOffer(dialling, fork, transaction.request)
    if (!own || !place) {
      reply(transaction, 500, 'Server Internal Error', [['retry-after', '3']])
      return
    }
    const headers = [['contact', contactOf(place.hop, userPart(dialling))] as const]
    const body = describe(own, options.media)
    transaction.respond(createResponse(transaction.request, 200, 'OK', { headers, body }))
  } catch (error) {
    if (!(error instanceof SdpError)) throw error
    reply(transaction, 488, 'Not Acceptable Here')
  }
}
