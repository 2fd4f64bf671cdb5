import { isIP } from 'node:net'
import { defaultPort, type Peer, type TransportName } from './peer.ts'

export type SrvRecord = { name: string; port: number; priority: number; weight: number }
/** How names are looked up. An empty list: the name has no such record. Rejects: nobody could say. */
export type SipResolver = { srv(name: string): Promise<SrvRecord[]>; addresses(name: string): Promise<string[]> }

export class NameNotFound extends Error {
  override readonly name = 'NameNotFound'
}

/** The name leads into a private network, where no trunk of somebody else's choosing may take us. */
export class PrivateTarget extends Error {
  override readonly name = 'PrivateTarget'
}

export type Wanted = { host: string; port: number | null; transport: TransportName; ca?: string }

const services: Record<TransportName, string> = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' }
const mostTargets = 8

/** RFC 3263 without NAPTR (the transport is a setting): where to go, in the order to try. */
export async function findTargets(resolver: SipResolver, wanted: Wanted, random = Math.random): Promise<Peer[]> {
  const { host, transport } = wanted
  const peer = (address: string, port: number): Peer => ({
    transport,
    address,
    port,
    ...(transport === 'tls' ? { serverName: host, ...(wanted.ca ? { ca: wanted.ca } : {}) } : {}),
  })
  if (isIP(host)) return [peer(host, wanted.port ?? defaultPort(transport))]
  // Whoever names a port wants that host and no other (RFC 3263 §4.2).
  const records = wanted.port === null ? await resolver.srv(`${services[transport]}.${host}`).catch(() => []) : []
  const places =
    records.length > 0 ? inOrder(records, random) : [{ name: host, port: wanted.port ?? defaultPort(transport) }]
  const found = await Promise.allSettled(places.map(({ name }) => (isIP(name) ? [name] : resolver.addresses(name))))
  const targets = places.flatMap(({ port }, index) => {
    const result = found[index]
    return result?.status === 'fulfilled' ? result.value.map((address) => peer(address, port)) : []
  })
  if (targets.length === 0) throw new NameNotFound(`The name ${host} leads nowhere.`)
  return targets.slice(0, mostTargets)
}

/** RFC 2782: lowest priority first; within one, at random by weight. */
function inOrder(records: readonly SrvRecord[], random: () => number): SrvRecord[] {
  const ordered: SrvRecord[] = []
  for (const priority of [...new Set(records.map((each) => each.priority))].sort((a, b) => a - b)) {
    const left = records.filter((each) => each.priority === priority)
    while (left.length > 0) {
      const total = left.reduce((sum, { weight }) => sum + weight, 0)
      let point = random() * total
      const index = left.findIndex(({ weight }) => {
        point -= weight
        return point < 0
      })
      ordered.push(...left.splice(Math.max(index, 0), 1))
    }
  }
  return ordered
}
