import type { AskFailed } from './ask.ts'
import { type Hop, TransportError } from './peer.ts'
import { NameNotFound, PrivateTarget } from './targets.ts'
import type { Trunk } from './trunk.ts'

const certificateTroubles: readonly [RegExp, string][] = [
  [/expired/i, 'it has expired'],
  [/not yet valid/i, 'it is not valid yet'],
  [/altname|does not match/i, 'it is for another name'],
  [/certificate|self-signed|unable to (get|verify)/i, 'no authority trusted here has signed it'],
]
const connectionTroubles: readonly [RegExp, string][] = [
  [/ECONNREFUSED|refused/i, 'it cannot be reached, the connection was refused: nothing listens there'],
  [/EHOSTUNREACH|ENETUNREACH/i, 'it cannot be reached from this machine, there is no way there'],
  [/ETIMEDOUT|timed? ?out|too long/i, 'it cannot be reached, the connection timed out'],
  [/wrong version|SSL|TLS|EPROTO/i, 'it cannot be reached, what listens there does not speak TLS'],
]

/** Why a machine of the carrier's gave no answer, for the operator. */
export function wordsOfFailure(trunk: Trunk, hop: Hop, { failure }: AskFailed): string {
  const place = `${hop.address} port ${hop.port} over ${hop.transport.toUpperCase()}`
  if (failure.kind === 'timeout') {
    return `Nothing came back from ${place}: check host, port and firewall, and that the carrier knows our address.`
  }
  const certificate = certificateTroubles.find(([sign]) => sign.test(failure.message))
  if (certificate) return `The certificate of ${trunk.host} was not accepted: ${certificate[1]} (${failure.message}).`
  const trouble = connectionTroubles.find(([sign]) => sign.test(failure.message))?.[1] ?? 'it cannot be reached'
  return `${place}: ${trouble} (${failure.message}).`
}

/** Why no way to the carrier was found at all. */
export function wordsOfNoWay(trunk: Trunk, error: unknown): string {
  if (error instanceof NameNotFound || error instanceof PrivateTarget) return error.message
  if (error instanceof TransportError) return `${trunk.host} cannot be reached from this machine (${error.message}).`
  return `The way to ${trunk.host} could not be found.`
}
