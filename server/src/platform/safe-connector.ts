import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { createSecureContext, rootCertificates } from 'node:tls'
import { buildConnector } from 'undici'
import { oneOf, refusalOfAddress } from './address-guard.ts'
import type { Resolve } from './safe-url.ts'

export type ConnectorOptions = {
  /** Why this address may not be reached, or null. */
  refusalOf: (address: string) => string | null
  resolve: Resolve
  timeoutMs: number
  /** An extra trusted CA, as PEM. */
  ca?: string | undefined
  /** Ends every connection. */
  signal?: AbortSignal | undefined
}

export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
  readonly code = 'PARLEY_REFUSED_ADDRESS'
}

/** Decisions 6: public unicast addresses that are not our own. `allowPrivate` (development) lifts it whole. */
export function addressPolicy({ allowPrivate, ownHosts }: { allowPrivate: boolean; ownHosts: readonly string[] }) {
  const isOwn = oneOf(ownHosts)
  return (address: string): string | null => {
    if (allowPrivate) return null
    return isOwn(address) ? 'own-address' : refusalOfAddress(address)
  }
}

/**
 * The guard sits where the socket is made. The name is resolved here, once; every answer is judged; the socket goes to
 * an address that was judged, so an answer that changes a moment later changes nothing. TLS still sees the name.
 */
export function createSafeConnector(options: ConnectorOptions): buildConnector.connector {
  const refusalFor = (host: string, addresses: string[]): RefusedAddress | null => {
    const reason = addresses.map(options.refusalOf).find((found) => found !== null)
    return reason ? new RefusedAddress(`${host} leads to an address that may not be reached (${reason}).`) : null
  }
  const addressesOf = async (host: string): Promise<LookupAddress[]> => {
    const addresses = await options.resolve(host)
    const refusal = refusalFor(host, addresses)
    if (refusal) throw refusal
    if (addresses.length === 0) throw Object.assign(new Error(`${host} has no address.`), { code: 'ENOTFOUND' })
    return addresses.map((address) => ({ address, family: isIP(address) }))
  }
  const connect = buildConnector({
    timeout: options.timeoutMs,
    allowH2: false,
    lookup: (host, _hints, callback) =>
      void addressesOf(host).then(
        (addresses) => callback(null, addresses),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
      ),
    // Address after address, each with its share of the time, so that a dead one does not use it up.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.ceil(options.timeoutMs / 8)),
    signal: options.signal,
    // Made once: reading all the roots takes longer than a handshake.
    ...(options.ca ? { secureContext: createSecureContext({ ca: [...rootCertificates, options.ca] }) } : {}),
  })
  return (target, callback) => {
    const hostname = target.hostname.replace(/^\[|\]$/g, '')
    const isLiteral = isIP(hostname) !== 0
    // A literal never reaches the lookup.
    const refusal = isLiteral ? refusalFor(hostname, [hostname]) : null
    if (refusal) {
      queueMicrotask(() => callback(refusal, null))
      return
    }
    // The dot at a name's end means something to DNS only.
    const servername = isLiteral ? '' : hostname.replace(/\.$/, '')
    connect({ ...target, hostname, servername }, (error, socket) =>
      error ? callback(lastOf(error), null) : callback(null, socket),
    )
  }
}

/** When several addresses failed, the error of all of them together has no words of its own. */
const lastOf = (error: Error): Error => (error instanceof AggregateError ? (error.errors.at(-1) ?? error) : error)

/** undici asks for another connection after every request that was aborted. Only what somebody waits for is made. */
export function onlyWhenWanted(connect: buildConnector.connector) {
  const waiting = new Map<string, Set<symbol>>()
  return {
    /** Until the function it returns is called. */
    want: (origin: string): (() => void) => {
      const mine = Symbol()
      const all = waiting.get(origin) ?? new Set()
      waiting.set(origin, all.add(mine))
      return () => {
        if (all.delete(mine) && all.size === 0) waiting.delete(origin)
      }
    },
    connect: (target: buildConnector.Options, callback: buildConnector.Callback): void => {
      if (waiting.has(`${target.protocol}//${target.host}`)) connect(target, callback)
      else queueMicrotask(() => callback(new Error('Nobody waits for this connection.'), null))
    },
  }
}
