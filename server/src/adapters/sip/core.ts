import { isIP } from 'node:net'
import { refusalOfAddress } from '../../platform/address-guard.ts'
import type { Log } from '../../platform/log.ts'
import type { SipCall } from './call.ts'
import type { Credentials } from './credentials.ts'
import type { ReceivedRequest } from './message.ts'
import type { LocalMedia } from './negotiate.ts'
import { type Hop, type Peer, TransportError, type TransportName } from './peer.ts'
import type { ServerTransaction } from './server-transaction.ts'
import { findTargets, PrivateTarget, type SipResolver, type Wanted } from './targets.ts'
import type { Timing } from './timing.ts'
import type { Transactions } from './transactions.ts'
import type { Transport } from './transport.ts'
import type { Trunk } from './trunk.ts'
import { parseUri } from './uri.ts'

/** Whoever waits for requests inside a dialog of ours. */
export type DialogOwner = {
  onRequest(transaction: ServerTransaction): void
  onAck(request: ReceivedRequest): void
}

/** What every part of the user agent shares. */
export type Core = {
  log: Log
  timing: Timing
  transport: Transport
  transactions: Transactions
  resolver: SipResolver
  /** By Call-ID and our own tag: the other side's tags differ when a call forks. */
  dialogs: Map<string, DialogOwner>
  /** Every call that has not ended. */
  calls: Set<SipCall>
  /** Calls that came in and were neither answered nor rejected yet: each turns its caller away. */
  invitations: Set<() => void>
  isClosing: boolean
  publicAddress: string | null
  /** Whether names, and carriers, may lead us into private networks. */
  allowPrivate: boolean
  credentialsOf(trunk: Trunk): Credentials
  /** What must be finished before the user agent may close: BYE and CANCEL under way. */
  finishing: Set<Promise<unknown>>
}

export const dialogKey = (callId: string, localTag: string): string => `${callId}|${localTag}`

const isPrivate = (address: string): boolean => isIP(address) !== 0 && refusalOfAddress(address) !== null

/**
 * Judged whenever a way is looked for: a name may lead elsewhere by now than when it was set up, and a carrier may send us
 * anywhere (decision 0056). A private address written out can only be the operator's own.
 */
async function allowedTargets(core: Core, trunk: Trunk, wanted: Wanted): Promise<Peer[]> {
  const peers = await findTargets(core.resolver, wanted)
  if (core.allowPrivate || isPrivate(trunk.host) || !peers.some(({ address }) => isPrivate(address))) return peers
  throw new PrivateTarget(`${wanted.host} leads into a private network; PARLEY_SIP_ALLOW_PRIVATE would allow it.`)
}

/** Every way to the carrier, in the order to try. */
export async function hopsOf(core: Core, trunk: Trunk): Promise<Hop[]> {
  const { host, port = null, transport, ca } = trunk
  const peers = await allowedTargets(core, trunk, { host, port, transport, ...(ca ? { ca } : {}) })
  const found = await Promise.allSettled(peers.map((peer) => core.transport.hop(peer)))
  const hops = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  // One machine we have no way to, say by IPv6, does not stand in the way of the others.
  if (hops.length === 0) for (const each of found) if (each.status === 'rejected') throw each.reason
  return hops
}

/** Where the other side may send sound: `0.0.0.0` is where we listen, and no place to send to. */
export const soundAddress = (core: Core, { address }: LocalMedia, hop: Hop | undefined): string =>
  core.publicAddress ?? (/^(0\.0\.0\.0|::)$/.test(address) ? (hop?.local.host ?? address) : address)

/** The way to an address the other side named: a Contact, or a proxy on the route. TLS is never left. */
export async function hopToUri(core: Core, trunk: Trunk, text: string): Promise<Hop> {
  const uri = parseUri(text)
  const named = uri.params.get('transport')?.toLowerCase()
  const isKnown = named === 'udp' || named === 'tcp' || named === 'tls'
  const transport: TransportName = trunk.transport === 'tls' ? 'tls' : isKnown ? named : trunk.transport
  const host = uri.params.get('maddr') ?? uri.host
  const [peer] = await allowedTargets(core, trunk, { host, port: uri.port, transport })
  if (!peer) throw new TransportError('The address leads nowhere.', false)
  const { serverName: _, ...plain } = peer
  // The certificate is the carrier's, whichever of its machines this is.
  const proof = { serverName: trunk.host, ...(trunk.ca ? { ca: trunk.ca } : {}) }
  return core.transport.hop(transport === 'tls' ? { ...plain, ...proof } : plain)
}

/** Remembers work that goes on after its caller was answered, so that closing can wait for it. */
export function finishLater(core: Core, work: Promise<unknown>): void {
  const settled = work.catch(() => {}).finally(() => core.finishing.delete(settled))
  core.finishing.add(settled)
}
