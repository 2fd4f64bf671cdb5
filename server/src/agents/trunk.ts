import { isIP, isIPv6 } from 'node:net'
import type { SrtpMode, TrunkTransport } from '@parley/contract/trunks'
import { type Fault, fault } from '../platform/errors.ts'

/** A connection to a carrier over SIP, as the operator describes it. */
export type NewTrunk = {
  name: string
  host: string
  port: number | null
  transport: TrunkTransport
  user: string | null
  password: string | null
  callerId: string | null
  register: boolean
  srtp: SrtpMode
  inboundAddresses: string[]
  maxConcurrent: number
  callsPerSecond: number
}
export type TrunkRecord = Omit<NewTrunk, 'password'> & {
  trunkId: string
  organisationId: string
  hasPassword: boolean
  numbers: string[]
  createdAt: Date
  updatedAt: Date
}

/** With its password: only for whoever speaks to the carrier. */
export type Trunk = Omit<NewTrunk, 'name'> & { trunkId: string }

/** What one trunk's fields say about each other; `hasPassword` counts one that is stored already. */
export function trunkFaults(trunk: Omit<NewTrunk, 'password'> & { hasPassword: boolean }, at = ''): Fault[] {
  const faults: Fault[] = []
  const say = (field: string, code: string, message: string) => faults.push(fault(`${at}${field}`, code, message))
  if (trunk.host.includes(':') && !isIPv6(trunk.host)) {
    say('host', 'format', 'Give the host without a port; the port is a field of its own.')
  } else if (/^[\d.]+$/.test(trunk.host) && !isIP(trunk.host)) {
    say('host', 'format', 'This is neither a name nor an address.')
  }
  if (trunk.hasPassword && trunk.user === null) say('user', 'required', 'A password needs a user.')
  if (trunk.register && trunk.user === null) say('user', 'required', 'Registering needs a user.')
  if (trunk.srtp !== 'off' && trunk.transport !== 'tls') {
    say('srtp', 'needs_tls', 'The keys of the sound stand in the signalling: SRTP needs the transport tls.')
  }
  trunk.inboundAddresses.forEach((each, i) => {
    if (!isRange(each)) say(`inbound_addresses.${i}`, 'format', 'Write an address or a range such as 203.0.113.0/24.')
  })
  return faults
}

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (bits === undefined) return true
  // Whole continents of strangers are no carrier.
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 8 && Number(bits) <= (family === 4 ? 32 : 128)
}
