import { setTimeout as sleep } from 'node:timers/promises'
import type { Trunk as TrunkData } from '../../agents/trunk.ts'
import type { Log } from '../../platform/log.ts'
import type { KeepAlive } from './keep-alive.ts'
import type { Registration } from './registration.ts'
import { toSipTrunk } from './to-sip-trunk.ts'
import type { UserAgent } from './user-agent.ts'

type FollowOptions = {
  trunks(): Promise<TrunkData[]>
  version(): Promise<string>
  open(): Promise<UserAgent>
  isOpen(): boolean
  ca?: string | undefined
  log: Log
  /** Listen though there is no trunk yet. */
  atOnce?: boolean
  lookMs?: number
}
type Kept = { key: string; registration: Registration; keepAlive: KeepAlive | null }

const lookMs = 2_000
const farewellMs = 3_000
/** Often enough that no NAT forgets the way. */
const keepAliveSeconds = 25

/** Trunks are data and change while the service runs: registrations and whom we let in follow them. */
export function followTrunks(options: FollowOptions) {
  const { log, atOnce = false } = options
  const kept = new Map<string, Kept>()
  let version: string | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let failures = 0
  let looking: Promise<void> = Promise.resolve()

  const drop = async (trunkId: string) => {
    const old = kept.get(trunkId)
    kept.delete(trunkId)
    old?.keepAlive?.stop()
    // First the farewell, then a new greeting: the other way round the farewell would take both back. A carrier that has
    // gone does not answer it, and the other trunks need not wait for that.
    await Promise.race([old?.registration.stop(), sleep(farewellMs, undefined, { ref: false })])
  }
  const step = async (agent: UserAgent, trunks: TrunkData[]) => {
    const wanted = new Map(trunks.filter((each) => each.register).map((each) => [each.trunkId, each]))
    for (const trunkId of kept.keys()) {
      const trunk = wanted.get(trunkId)
      if (!trunk || keyOf(trunk) !== kept.get(trunkId)?.key) await drop(trunkId)
    }
    for (const [trunkId, data] of wanted) {
      if (kept.has(trunkId)) continue
      const trunk = toSipTrunk(data, options.ca)
      const keepAlive = data.transport === 'udp' ? agent.keepAlive(trunk, keepAliveSeconds) : null
      kept.set(trunkId, { key: keyOf(data), registration: agent.register(trunk), keepAlive })
    }
  }
  const look = async () => {
    const now = await options.version()
    if (now === version) return
    const trunks = await options.trunks()
    if (trunks.length === 0 && !atOnce && !options.isOpen()) {
      version = now
      return
    }
    const agent = await options.open()
    await agent.refreshTrunks()
    if (stopped) return
    await step(agent, trunks)
    version = now
  }
  const lookLater = (ms: number) => {
    if (stopped) return
    timer = setTimeout(() => {
      looking = look()
        .then(
          () => {
            failures = 0
          },
          (err: unknown) => {
            // A port that is taken stays so for a while.
            failures = Math.min(failures + 1, 5)
            log.warn({ err }, 'SIP could not be brought in step with the trunks; it is tried again')
          },
        )
        .finally(() => lookLater((options.lookMs ?? lookMs) * 2 ** failures))
    }, ms)
    timer.unref()
  }
  return {
    start: () => {
      if (!timer) lookLater(0)
    },
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await looking
      // Not waited for: the user agent gives farewells their time when it closes, and a carrier that has gone no more than that.
      for (const trunkId of kept.keys()) void drop(trunkId)
    },
  }
}

const keyOf = ({ host, port, transport, user, password }: TrunkData): string =>
  JSON.stringify([host, port, transport, user, password])
