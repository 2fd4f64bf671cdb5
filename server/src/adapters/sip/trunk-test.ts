import { randomInt } from 'node:crypto'
import type { TrunkTest } from '@parley/contract/trunks'
import type { Trunk as TrunkData } from '../../agents/trunk.ts'
import type { Log } from '../../platform/log.ts'
import { createSipResolver } from './dns-resolver.ts'
import type { SipResolver } from './targets.ts'
import type { Timing } from './timing.ts'
import { toSipTrunk } from './to-sip-trunk.ts'
import type { Trunk } from './trunk.ts'
import { createUserAgent, type UserAgent } from './user-agent.ts'

export type TrunkTesterOptions = {
  host: string
  publicAddress?: string | undefined
  ca?: string | undefined
  allowPrivate: boolean
  /** Whether the server beside us has a certificate of its own. */
  hasCertificate?: boolean
  log: Log
  resolve?: SipResolver
  timing?: Partial<Timing>
}

const oneWay =
  'We have no certificate of our own (PARLEY_SIP_TLS_CERT_FILE), so this carrier must come back on the connection we opened: ' +
  'if it opens one of its own, its calls and its hang-ups do not reach us.'

/**
 * Registers (when that is set), asks with OPTIONS, and says what came of it. On ports of its own, so that it works beside a
 * running server, and takes back what it registered.
 */
export const createTrunkTester =
  (options: TrunkTesterOptions) =>
  async (data: TrunkData): Promise<TrunkTest> => {
    const trunk = toSipTrunk(data, options.ca)
    const agent = await createUserAgent({
      log: options.log,
      // Named, though nobody listens there: what is taken back must not be the registration of the server.
      listen: { host: options.host, udpPort: 0, tcpPort: 0, tlsPort: randomInt(10_000, 60_000) },
      ...(options.publicAddress ? { publicAddress: options.publicAddress } : {}),
      resolve: options.resolve ?? createSipResolver(),
      allowPrivate: options.allowPrivate,
      trunks: () => [],
      onInvite: (invitation) => invitation.reject(480, 'Temporarily Unavailable'),
      ...(options.timing ? { timing: options.timing } : {}),
    })
    try {
      const registered = trunk.register ? [await tryRegistering(agent, trunk)] : []
      const probe = await agent.options(trunk)
      const isOneWay = probe.ok && trunk.transport === 'tls' && !options.hasCertificate
      const words = isOneWay ? `${probe.words} ${oneWay}` : probe.words
      const steps = [...registered, { step: 'options' as const, ok: probe.ok, words }]
      return {
        ok: steps.every((each) => each.ok),
        steps,
        seen_as: probe.seenAs,
        round_trip_ms: probe.roundTripMs,
      }
    } finally {
      await agent.close()
    }
  }

async function tryRegistering(agent: UserAgent, trunk: Trunk): Promise<TrunkTest['steps'][number]> {
  const registration = agent.register(trunk)
  try {
    for await (const status of registration.events) {
      if (status.state === 'registered')
        return { step: 'register', ok: true, words: `Registered as ${trunk.user} for ${status.seconds} seconds.` }
      if (status.state === 'failed') return { step: 'register', ok: false, words: `Not registered. ${status.words}` }
    }
    return { step: 'register', ok: false, words: 'Not registered: the attempt was given up.' }
  } finally {
    await registration.stop()
  }
}
