import type { Trunk as TrunkData } from '../../agents/trunk.ts'
import type { Log } from '../../platform/log.ts'
import { DialRefused, type IncomingCall, type Telephony } from '../../voice/ports.ts'
import type { SpeechParts } from '../../voice/speech-link.ts'
import type { MediaSession } from '../rtp/media-line.ts'
import { type MediaPool, mediaCapacity } from '../rtp/pool.ts'
import { createSipResolver } from './dns-resolver.ts'
import { followTrunks } from './follow-trunks.ts'
import type { Invitation } from './invitation.ts'
import { openLeg, type SipLeg } from './leg.ts'
import { createLines } from './open-lines.ts'
import type { SipResolver } from './targets.ts'
import type { Timing } from './timing.ts'
import { toSipTrunk } from './to-sip-trunk.ts'
import { dialogOf } from './trace.ts'
import type { Listen } from './transport.ts'
import type { UserAgent } from './user-agent.ts'

export type SipTelephonyOptions = {
  listen: Listen
  publicAddress?: string | undefined
  rtpPorts: readonly [number, number]
  /** An authority to trust instead of the public ones (PEM). */
  ca?: string | undefined
  /** Whether trunks given by name may lead into private networks. */
  allowPrivate: boolean
  /** Every trunk of every organisation, with passwords; and something that changes whenever one of them does. */
  trunks(): Promise<TrunkData[]>
  version(): Promise<string>
  /** What real lines listen and speak with. Rejects when there is nothing. */
  speech: () => Promise<SpeechParts>
  nowMs: () => number
  log: Log
  /** Listen though there is no trunk yet. */
  atOnce?: boolean
  resolve?: SipResolver
  timing?: Partial<Timing>
  mediaWorkers?: number
}
export type SipTelephony = Telephony & {
  openLegs(): number
  /** Where it listens; null while it does not. */
  ports(): UserAgent['ports'] | null
}

const refuse = (why: string) => new DialRefused('carrier_error', why)
const refuseWith = (words: string) => (error: unknown) => {
  throw refuse(`${words}${(error as Error).message}`)
}

/** Real calls over trunks. Nothing is opened, no thread started, before the first of them is needed. */
export function createSipTelephony(options: SipTelephonyOptions): SipTelephony {
  const legs = new Set<SipLeg>()
  let dialling = 0
  let onIncoming: ((call: IncomingCall) => void) | null = null
  let closed = false
  const lines = createLines({
    ...options,
    resolve: options.resolve ?? createSipResolver(),
    trunks: async () => (await options.trunks()).map((each) => toSipTrunk(each, options.ca)),
    onInvite: (invitation) => {
      if (onIncoming && !closed) onIncoming(incomingOf(invitation, (trunkId) => accept(invitation, trunkId)))
      else invitation.reject(480, 'Temporarily Unavailable')
    },
  })
  const keep = (leg: SipLeg): SipLeg => {
    legs.add(leg)
    void leg.over.then(() => legs.delete(leg))
    return leg
  }
  const common = { nowMs: options.nowMs, log: options.log }
  const localOf = (line: MediaSession) => ({ address: options.listen.host, port: line.localPort })

  const dial: Telephony['dial'] = async (request, signal) => {
    signal.throwIfAborted()
    if (closed) throw refuse('The connection to the carriers is closed.')
    if (!request.trunk) throw refuse('The number has no trunk.')
    const trunk = toSipTrunk(request.trunk, options.ca)
    const parts = await options.speech().catch(refuseWith(''))
    const { agent, media } = await lines.open().catch(refuseWith('Nobody can be called: '))
    signal.throwIfAborted()
    const line = await openLine(media).catch(refuseWith(''))
    try {
      const { callId, from, to, ringSeconds } = request
      const call = await agent.dial(trunk, { callId, from, to, ringSeconds, media: localOf(line) }, signal)
      return keep(openLeg({ ...common, call, line, trunk, parts }))
    } catch (error) {
      await line.close()
      throw error
    }
  }

  async function accept(invitation: Invitation, trunkId: string): Promise<SipLeg> {
    const trunk = invitation.trunks.find((each) => each.name === trunkId) ?? invitation.trunk
    let line: MediaSession | null = null
    try {
      const [parts, { media }] = await Promise.all([options.speech(), lines.open()])
      invitation.signal.throwIfAborted()
      invitation.ring()
      line = await openLine(media)
      const call = invitation.answer(localOf(line), { trunk })
      return keep(openLeg({ ...common, call, line, trunk, parts }))
    } catch (error) {
      await line?.close()
      invitation.reject(480, 'Temporarily Unavailable')
      throw error
    }
  }

  const { rtpPorts: ports, mediaWorkers: workers } = options
  const capacity = mediaCapacity({ ports, ...(workers ? { workers } : {}) })
  const isOpen = () => lines.current() !== null
  const follower = followTrunks({ ...options, open: async () => (await lines.open()).agent, isOpen })
  return {
    dial: async (request, signal) => {
      dialling += 1
      try {
        return await dial(request, signal)
      } finally {
        dialling -= 1
      }
    },
    onIncoming: (listener) => {
      onIncoming = listener
      follower.start()
    },
    endLost: async (trace, trunk) => {
      const dialog = dialogOf(trace)
      if (!dialog || !trunk || closed) return
      await (await lines.open()).agent.endDialog(toSipTrunk(trunk, options.ca), dialog)
    },
    capacity: () => capacity,
    openLegs: () => legs.size + dialling,
    ports: () => lines.current()?.agent.ports ?? null,
    close: async () => {
      closed = true
      await follower.stop()
      await lines.close(() => Promise.all([...legs].map((leg) => leg.over)))
    },
  }
}

const openLine = (media: MediaPool): Promise<MediaSession> => media.open({ remote: null, codec: 'PCMU' })

const refusals = {
  unknown_number: [404, 'Not Found'],
  no_agent: [480, 'Temporarily Unavailable'],
  busy: [486, 'Busy Here'],
  unavailable: [480, 'Temporarily Unavailable'],
} as const satisfies Record<Parameters<IncomingCall['refuse']>[0], readonly [number, string]>

const incomingOf = (invitation: Invitation, accept: IncomingCall['accept']): IncomingCall => ({
  trunkIds: invitation.trunks.map((each) => each.name),
  from: invitation.from,
  to: invitation.to,
  signal: invitation.signal,
  refuse: (why) => {
    const [status, reason] = refusals[why]
    invitation.reject(status, reason)
  },
  accept,
})
