import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

export const idPrefixes = {
  organisation: 'org',
  user: 'usr',
  call: 'call',
  event: 'evt',
  agent: 'agt',
  phoneNumber: 'num',
  trunk: 'trk',
  apiKey: 'key',
  endpoint: 'whe',
  delivery: 'dlv',
  request: 'req',
  creditEntry: 'crd',
  node: 'node',
  auditEntry: 'aud',
  notice: 'ntc',
  recovery: 'rcv',
  session: 'ses',
  invitation: 'inv',
} as const
export type IdKind = keyof typeof idPrefixes

// Asking the kernel for randomness costs far more than making an id: it is asked for many ids' worth at once.
const pool = Buffer.alloc(16 * 512)
const slices = Array.from({ length: 512 }, (_, index) => pool.subarray(index * 16, index * 16 + 16))
let used = slices.length
function rng(): Uint8Array {
  if (used === slices.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 1
  return slices[used - 1] as Buffer
}

const options = { rng }
export const newUuid = (): string => v7(options)

/** Prefixed and time-sortable: the 128 bits of a UUIDv7 in hex. Every request makes one or two, hence the buffer. */
const bits = Buffer.alloc(16)
export const newId = (kind: IdKind): string => {
  v7(options, bits)
  return `${idPrefixes[kind]}_${bits.toString('hex')}`
}

const idPatterns = new Map(
  Object.entries(idPrefixes).map(([kind, prefix]) => [kind, new RegExp(`^${prefix}_[0-9a-f]{32}$`)]),
)

/** An id that cannot be one of ours names nothing: no need to ask the database, no odd bytes reach it. */
export const isId = (kind: IdKind, text: string): boolean => idPatterns.get(kind)?.test(text) ?? false

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => uuidPattern.test(text)

/** When an id was made, by the clock of the machine that made it. */
export const idTime = (id: string): Date => new Date(Number.parseInt(id.slice(id.indexOf('_') + 1).slice(0, 12), 16))
