import { isIP } from 'node:net'
import type { Law } from '../../voice/g711.ts'
import { keys } from './digits-in.ts'
import type { JitterLimits } from './jitter-buffer.ts'
import type { Address } from './source-latch.ts'
import { type CryptoSuite, cryptoSuites, masterKeyLength } from './srtp-keys.ts'

/** What offer and answer have settled. */
export type MediaParameters = {
  /** Where the other side said it listens, an IP address; null until its answer is known: then nothing is heard or sent. */
  remote: Address | null
  /** Where it wants RTCP: on the next port unless said otherwise, on the same port (`mux`), or at an address of its own. */
  rtcp?: 'next' | 'mux' | Address
  /** Seen from us. `recvonly` and `inactive` hold what is still to be played; `sendonly` and `inactive` hear silence. */
  direction?: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'
  /** What we send. Both laws are understood, whatever was agreed. */
  codec: Law
  /** Payload types of RFC 4733 events; without them keys are sent as tones. */
  telephoneEvent?: { send: number; receive: number } | null
  /** SRTP: our key and theirs, 30 bytes each. With it nothing unprotected is taken or sent. */
  crypto?: { suite: CryptoSuite; send: Uint8Array; receive: Uint8Array } | null
}
export type OpenParameters = MediaParameters & { jitter?: JitterLimits }

export type MediaErrorCode =
  | 'closed'
  | 'no_capacity'
  | 'no_port'
  | 'invalid_parameters'
  | 'invalid_digits'
  | 'line_gone'
export class MediaError extends Error {
  override readonly name = 'MediaError'
  readonly code: MediaErrorCode
  constructor(code: MediaErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

const isPort = (port: number) => Number.isInteger(port) && port > 0 && port < 65_536

function checkAddress(name: string, { address, port }: Address, family: number): string[] {
  const faults: string[] = []
  if (isIP(address) === 0) faults.push(`${name} must be an IP address`)
  else if (isIP(address) !== family) faults.push(`${name} must be an IPv${family} address, as our own is`)
  if (!isPort(port)) faults.push(`${name} must have a port from 1 to 65535`)
  return faults
}

/** Says everything that is wrong at once; a fault in here would otherwise be silence on the line. */
export function checkParameters(parameters: OpenParameters, host: string): void {
  const { remote, rtcp, telephoneEvent, crypto, codec, jitter } = parameters
  const faults: string[] = []
  if (remote) faults.push(...checkAddress('remote', remote, isIP(host)))
  if (typeof rtcp === 'object') faults.push(...checkAddress('rtcp', rtcp, isIP(host)))
  if (codec !== 'PCMU' && codec !== 'PCMA') faults.push('codec must be PCMU or PCMA')
  const eventTypes = telephoneEvent ? [telephoneEvent.send, telephoneEvent.receive] : []
  if (eventTypes.some((type) => !Number.isInteger(type) || type < 96 || type > 127)) {
    faults.push('telephoneEvent must have payload types from 96 to 127')
  }
  if (crypto && !Object.hasOwn(cryptoSuites, crypto.suite)) faults.push('crypto.suite is not known')
  if (crypto && [crypto.send, crypto.receive].some((key) => key.length !== masterKeyLength)) {
    faults.push(`crypto keys must have ${masterKeyLength} bytes`)
  }
  if (jitter && !(jitter.leastMs >= 0 && jitter.leastMs <= jitter.startMs && jitter.startMs <= jitter.mostMs)) {
    faults.push('jitter must have 0 ≤ leastMs ≤ startMs ≤ mostMs')
  }
  if (jitter && jitter.mostMs > 400) faults.push('jitter.mostMs must be at most 400')
  if (faults.length > 0) throw new MediaError('invalid_parameters', `${faults.join('; ')}.`)
}

export function checkDigits(digits: string): void {
  if ([...digits].some((digit) => !keys.includes(digit))) {
    throw new MediaError('invalid_digits', `Only the keys ${keys} can be pressed.`)
  }
}
