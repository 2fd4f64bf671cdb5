import { BlockList, isIPv6 } from 'node:net'
import type { Core } from './core.ts'
import { findTargets } from './targets.ts'
import type { Trunk } from './trunk.ts'

export type KnownTrunks = {
  /** Whose machine this address is: several organisations may have the same carrier. Empty for a stranger. */
  byAddress(address: string): readonly Trunk[]
  all(): readonly Trunk[]
  refresh(): Promise<void>
  stop(): void
}

const refreshMs = 60_000

/** The addresses of every trunk, looked up anew once a minute, so that an incoming call is judged without waiting. */
export function createKnownTrunks(
  core: Pick<Core, 'resolver' | 'log'>,
  trunks: () => readonly Trunk[] | Promise<readonly Trunk[]>,
): KnownTrunks {
  let known: { trunk: Trunk; addresses: BlockList }[] = []
  const lastGood = new Map<string, string[]>()

  async function addressesOf(trunk: Trunk): Promise<BlockList> {
    const key = `${trunk.transport}:${trunk.host}:${trunk.port}`
    const wanted = { host: trunk.host, port: trunk.port ?? null, transport: trunk.transport }
    const found = await findTargets(core.resolver, wanted).then(
      (targets) => targets.map(({ address }) => address),
      // Name servers that are away for a moment must not make a stranger of the carrier.
      () => lastGood.get(key) ?? [],
    )
    lastGood.set(key, found)
    const list = new BlockList()
    for (const entry of [...found, ...(trunk.inboundAddresses ?? [])]) add(list, entry)
    return list
  }

  async function refresh(): Promise<void> {
    const all = await trunks()
    known = await Promise.all(all.map(async (trunk) => ({ trunk, addresses: await addressesOf(trunk) })))
  }
  const timer = setInterval(() => {
    refresh().catch((err: unknown) => core.log.warn({ err }, 'the addresses of the trunks could not be looked up'))
  }, refreshMs)
  timer.unref()

  return {
    byAddress: (address) =>
      known
        .filter(({ addresses }) => addresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'))
        .map(({ trunk }) => trunk),
    all: () => known.map(({ trunk }) => trunk),
    refresh,
    stop: () => clearInterval(timer),
  }
}

/** An address, or a range as `203.0.113.0/24`. What is neither is left out: it can let nobody in. */
function add(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  try {
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  } catch {}
}
