import { isIP } from 'node:net'
import { createSecureContext, rootCertificates } from 'node:tls'
import { buildConnector } from 'undici'
import { isOneOf, refusalOfAddress } from './address-guard.ts'
import type { Resolve } from './safe-url.ts'

export type ConnectorOptions = {
  /** Why this address may not be reached, or null. */
  refusalOf: (address: string) => string | null
  resolve: Resolve
  timeoutMs: number
  /** An extra trusted CA, as PEM. */
  ca?: string | undefined
}

export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
  readonly code = 'PARLEY_REFUSED_ADDRESS'
}

/** Decisions 6: public unicast addresses that are not our own. `allowPrivate` (development) lifts it whole. */
export const addressPolicy =
  ({ allowPrivate, ownHosts }: { allowPrivate: boolean; ownHosts: readonly string[] }) =>
  (address: string): string | null => {
    if (allowPrivate) return null
    return isOneOf(address, ownHosts) ? 'own-address' : refusalOfAddress(address)
  }

/**
 * The guard sits where the socket is made. The name is resolved here, once; every answer is judged; the socket goes to
 * an address that was judged, so an answer that changes a moment later changes nothing. TLS still sees the name.
 */
export function createSafeConnector(options: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: options.timeoutMs,
    allowH2: false,
    // Made once: reading all the certificates again for every connection takes a tenth of a second.
    ...(options.ca ? { secureContext: createSecureContext({ ca: [...rootCertificates, options.ca] }) } : {}),
  })
  const addressesOf = async (host: string): Promise<string[]> => {
    // A literal never reaches a resolver, so it is judged like an answer.
    const addresses = isIP(host) ? [host] : await options.resolve(host)
    for (const address of addresses) {
      const reason = options.refusalOf(address)
      if (reason) throw new RefusedAddress(`${host} leads to an address that may not be reached (${reason}).`)
    }
    return addresses
  }
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '')
    const servername = isIP(host) ? '' : host
    const tryNext = ([address, ...rest]: string[], last: Error): void => {
      if (address === undefined) {
        callback(last, null)
        return
      }
      connect({ ...target, hostname: address, host: address, servername }, (error, socket) =>
        error ? tryNext(rest, error) : callback(null, socket),
      )
    }
    addressesOf(host).then(
      (addresses) => tryNext(addresses, Object.assign(new Error(`${host} has no address.`), { code: 'ENOTFOUND' })),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
}
