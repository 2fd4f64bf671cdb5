import { v7 as uuidv7 } from 'uuid'

export const idPrefixes = {
  organisation: 'org',
  user: 'usr',
  call: 'call',
  event: 'evt',
  agent: 'agt',
  phoneNumber: 'num',
  apiKey: 'key',
  endpoint: 'whe',
  delivery: 'dlv',
  request: 'req',
  creditEntry: 'crd',
  node: 'node',
  auditEntry: 'aud',
} as const
export type IdKind = keyof typeof idPrefixes

/** Prefixed and time-sortable: the 128 bits of a UUIDv7 in hex. */
export const newId = (kind: IdKind): string => `${idPrefixes[kind]}_${uuidv7().replaceAll('-', '')}`

export const newUuid = (): string => uuidv7()

const idPatterns = new Map(
  Object.entries(idPrefixes).map(([kind, prefix]) => [kind, new RegExp(`^${prefix}_[0-9a-f]{32}$`)]),
)

/** An id that cannot be one of ours names nothing: no need to ask the database, no odd bytes reach it. */
export const isId = (kind: IdKind, text: string): boolean => idPatterns.get(kind)?.test(text) ?? false
