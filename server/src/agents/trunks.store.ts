import type { SrtpMode, TrunkTransport } from '@parley/contract/trunks'
import type { Queryable } from '../platform/db.ts'
import type { NewTrunk, TrunkRecord } from './trunk.ts'

type Row = {
  trunk_id: string
  organisation_id: string
  name: string
  host: string
  port: number | null
  transport: TrunkTransport
  username: string | null
  password: Buffer | null
  caller_id: string | null
  register: boolean
  srtp: SrtpMode
  inbound_addresses: string[]
  max_concurrent: number
  calls_per_second: number
  numbers: string[]
  created_at: Date
  updated_at: Date
}
/** With the password as it is stored: sealed. */
export type StoredTrunk = TrunkRecord & { sealedPassword: Buffer | null }

const columns = `t.trunk_id, t.organisation_id, t.name, t.host, t.port, t.transport, t.username, t.password, t.caller_id,
  t.register, t.srtp, t.inbound_addresses, t.max_concurrent, t.calls_per_second, t.created_at, t.updated_at,
  array(select n.number from phone_numbers n where n.trunk_id = t.trunk_id order by n.number) as numbers`

const fromRow = (row: Row): StoredTrunk => ({
  trunkId: row.trunk_id,
  organisationId: row.organisation_id,
  name: row.name,
  host: row.host,
  port: row.port,
  transport: row.transport,
  user: row.username,
  sealedPassword: row.password,
  hasPassword: row.password !== null,
  callerId: row.caller_id,
  register: row.register,
  srtp: row.srtp,
  inboundAddresses: row.inbound_addresses,
  maxConcurrent: row.max_concurrent,
  callsPerSecond: row.calls_per_second,
  numbers: row.numbers,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

type Sealed = Omit<NewTrunk, 'password'> & { sealedPassword: Buffer | null }

const valuesOf = (trunk: Sealed) => [
  trunk.name,
  trunk.host,
  trunk.port,
  trunk.transport,
  trunk.user,
  trunk.sealedPassword,
  trunk.callerId,
  trunk.register,
  trunk.srtp,
  trunk.inboundAddresses,
  trunk.maxConcurrent,
  trunk.callsPerSecond,
]

export async function insertTrunk(
  tx: Queryable,
  organisationId: string,
  trunkId: string,
  trunk: Sealed,
): Promise<void> {
  await tx.query(
    `insert into trunks (trunk_id, organisation_id, name, host, port, transport, username, password, caller_id, register,
       srtp, inbound_addresses, max_concurrent, calls_per_second)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [trunkId, organisationId, ...valuesOf(trunk)],
  )
}

export async function updateTrunk(
  tx: Queryable,
  organisationId: string,
  trunkId: string,
  trunk: Sealed,
): Promise<void> {
  await tx.query(
    `update trunks set name = $3, host = $4, port = $5, transport = $6, username = $7, password = $8, caller_id = $9,
       register = $10, srtp = $11, inbound_addresses = $12, max_concurrent = $13, calls_per_second = $14, updated_at = now()
     where organisation_id = $2 and trunk_id = $1`,
    [trunkId, organisationId, ...valuesOf(trunk)],
  )
}

/** False while a phone number uses it. */
export async function deleteUnusedTrunk(tx: Queryable, organisationId: string, trunkId: string): Promise<boolean> {
  const rows = await tx.query(
    `delete from trunks t where organisation_id = $1 and trunk_id = $2
       and not exists (select 1 from phone_numbers n where n.trunk_id = t.trunk_id) returning trunk_id`,
    [organisationId, trunkId],
  )
  return rows.length === 1
}

export async function selectTrunks(db: Queryable, organisationId: string): Promise<StoredTrunk[]> {
  const rows = await db.query<Row>(`select ${columns} from trunks t where t.organisation_id = $1 order by t.name`, [
    organisationId,
  ])
  return rows.map(fromRow)
}

/** Held for a change: two at once would undo each other. */
export async function lockTrunk(tx: Queryable, organisationId: string, trunkId: string): Promise<StoredTrunk | null> {
  const [row] = await tx.query<Row>(
    `select ${columns} from trunks t where t.organisation_id = $1 and t.trunk_id = $2 for no key update of t`,
    [organisationId, trunkId],
  )
  return row ? fromRow(row) : null
}

export async function selectTrunk(db: Queryable, organisationId: string, trunkId: string): Promise<StoredTrunk | null> {
  const [row] = await db.query<Row>(
    `select ${columns} from trunks t where t.organisation_id = $1 and t.trunk_id = $2`,
    [organisationId, trunkId],
  )
  return row ? fromRow(row) : null
}

/** Of every organisation: a node carries the calls of all. */
export async function selectAllTrunks(db: Queryable): Promise<StoredTrunk[]> {
  return (await db.query<Row>(`select ${columns} from trunks t order by t.trunk_id`)).map(fromRow)
}

/** Changes whenever a trunk is made, changed or removed. */
export async function selectTrunksVersion(db: Queryable): Promise<string> {
  const [row] = await db.query<{ version: string }>(
    `select count(*) || ' ' || coalesce(max(updated_at)::text, '') as version from trunks`,
  )
  return row?.version ?? ''
}
