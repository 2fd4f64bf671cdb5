import { isIP } from 'node:net'
import type { TrunkBody, TrunkPatch, TrunkTest } from '@parley/contract/trunks'
import { refusalOfAddress } from '../platform/address-guard.ts'
import { recordAudit } from '../platform/audit.ts'
import { brokenUniqueness, type Database, type Queryable } from '../platform/db.ts'
import { fault, ParleyError, validationError } from '../platform/errors.ts'
import { isId, newId } from '../platform/ids.ts'
import type { Vault } from '../platform/secrets.ts'
import { type NewTrunk, type Trunk, type TrunkRecord, trunkFaults } from './trunk.ts'
import {
  deleteUnusedTrunk,
  insertTrunk,
  lockTrunk,
  type StoredTrunk,
  selectAllTrunks,
  selectTrunk,
  selectTrunks,
  selectTrunksVersion,
  updateTrunk,
} from './trunks.store.ts'

export const toNewTrunk = (body: TrunkBody): NewTrunk => ({
  name: body.name,
  host: body.host,
  port: body.port ?? null,
  transport: body.transport ?? 'udp',
  user: body.user ?? null,
  password: body.password ?? null,
  callerId: body.caller_id ?? null,
  register: body.register ?? false,
  srtp: body.srtp ?? 'off',
  inboundAddresses: body.inbound_addresses ?? [],
  maxConcurrent: body.max_concurrent ?? 30,
  callsPerSecond: body.calls_per_second ?? 5,
})

type Within = { tx: Queryable; vault: Vault }

/** The caller has looked for faults. */
export async function createTrunk({ tx, vault }: Within, organisationId: string, trunk: NewTrunk): Promise<string> {
  const trunkId = newId('trunk')
  const { password, ...rest } = trunk
  await insertTrunk(tx, organisationId, trunkId, {
    ...rest,
    sealedPassword: password === null ? null : vault.seal(password),
  })
  return trunkId
}

export const listTrunks = (db: Queryable, organisationId: string): Promise<TrunkRecord[]> =>
  selectTrunks(db, organisationId)
export const trunksVersion = selectTrunksVersion

const noSuchTrunk = () => new ParleyError('NOT_FOUND', 'There is no such trunk.')

const opened = (vault: Vault, { sealedPassword, ...trunk }: StoredTrunk): Trunk => ({
  ...trunk,
  password: sealedPassword && vault.open(sealedPassword),
})

/** With the password, for whoever dials or tests. */
export async function openTrunk(
  { db, vault }: { db: Queryable; vault: Vault },
  organisationId: string,
  trunkId: string,
): Promise<Trunk | null> {
  const found = isId('trunk', trunkId) ? await selectTrunk(db, organisationId, trunkId) : null
  return found && opened(vault, found)
}

/** One whose password cannot be read (another PARLEY_SECRET_KEY) must not take the others with it. */
export const openAllTrunks = async ({ db, vault }: { db: Queryable; vault: Vault }): Promise<Trunk[]> =>
  (await selectAllTrunks(db)).flatMap((each) => {
    try {
      return [opened(vault, each)]
    } catch {
      return []
    }
  })

export type TrunkDeps = {
  db: Database
  vault: Vault
  /** Asks the carrier, and says in words what came of it. */
  testTrunk(trunk: Trunk): Promise<TrunkTest>
  /** Whether people in the dashboard may point trunks at this machine's own network. */
  trunkHosts: { allowPrivate: boolean; resolve(host: string): Promise<string[]> }
}

/** Whoever may set a trunk up may not look round in our own network by it. An operator's file is not asked. */
async function refusePrivateHost({ trunkHosts }: TrunkDeps, host: string): Promise<void> {
  if (trunkHosts.allowPrivate) return
  const addresses = isIP(host) ? [host] : await trunkHosts.resolve(host).catch(() => [])
  if (!addresses.some((address) => refusalOfAddress(address) !== null)) return
  throw validationError([
    fault('host', 'private_address', 'This is an address of a private network. The operator can allow these.'),
  ])
}

export async function addTrunk(deps: TrunkDeps, organisationId: string, body: TrunkBody, actor: string) {
  const trunk = toNewTrunk(body)
  await refusePrivateHost(deps, trunk.host)
  const faults = trunkFaults({ ...trunk, hasPassword: trunk.password !== null })
  if (faults.length > 0) throw validationError(faults)
  return change(deps, organisationId, { actor, action: 'trunk.created' }, (tx) =>
    createTrunk({ tx, vault: deps.vault }, organisationId, trunk),
  )
}

export async function changeTrunk(
  deps: TrunkDeps,
  organisationId: string,
  trunkId: string,
  patch: TrunkPatch,
  actor: string,
): Promise<TrunkRecord> {
  if (patch.host !== undefined) await refusePrivateHost(deps, patch.host)
  return change(deps, organisationId, { actor, action: 'trunk.changed' }, async (tx) => {
    const before = isId('trunk', trunkId) ? await lockTrunk(tx, organisationId, trunkId) : null
    if (!before) throw noSuchTrunk()
    const after = patched(before, patch, deps.vault)
    const faults = trunkFaults({ ...after, hasPassword: after.sealedPassword !== null })
    if (faults.length > 0) throw validationError(faults)
    await updateTrunk(tx, organisationId, trunkId, after)
    return trunkId
  })
}

/** A name may lead elsewhere by now than when it was set up. */
export async function tryTrunk(deps: TrunkDeps, organisationId: string, trunkId: string): Promise<TrunkTest> {
  const trunk = await openTrunk(deps, organisationId, trunkId)
  if (!trunk) throw noSuchTrunk()
  await refusePrivateHost(deps, trunk.host)
  return deps.testTrunk(trunk)
}

function patched(before: StoredTrunk, patch: TrunkPatch, vault: Vault) {
  const has = <K extends keyof TrunkPatch>(key: K) => patch[key] !== undefined
  const { password } = patch
  return {
    name: patch.name ?? before.name,
    host: patch.host ?? before.host,
    port: has('port') ? (patch.port ?? null) : before.port,
    transport: patch.transport ?? before.transport,
    user: has('user') ? (patch.user ?? null) : before.user,
    sealedPassword: password === undefined ? before.sealedPassword : password === null ? null : vault.seal(password),
    callerId: has('caller_id') ? (patch.caller_id ?? null) : before.callerId,
    register: patch.register ?? before.register,
    srtp: patch.srtp ?? before.srtp,
    inboundAddresses: patch.inbound_addresses ?? before.inboundAddresses,
    maxConcurrent: patch.max_concurrent ?? before.maxConcurrent,
    callsPerSecond: patch.calls_per_second ?? before.callsPerSecond,
  }
}

export async function removeTrunk(
  { db }: Pick<TrunkDeps, 'db'>,
  organisationId: string,
  trunkId: string,
  actor: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const trunk = isId('trunk', trunkId) ? await lockTrunk(tx, organisationId, trunkId) : null
    if (!trunk) throw noSuchTrunk()
    if (!(await deleteUnusedTrunk(tx, organisationId, trunkId))) {
      throw new ParleyError('IN_USE', `These numbers still use the trunk: ${trunk.numbers.join(', ')}.`)
    }
    await recordAudit(tx, { organisationId, actor, action: 'trunk.deleted', resourceId: trunkId })
  })
}

async function change(
  { db }: Pick<TrunkDeps, 'db'>,
  organisationId: string,
  { actor, action }: { actor: string; action: string },
  work: (tx: Queryable) => Promise<string>,
): Promise<TrunkRecord> {
  try {
    return await db.transaction(async (tx) => {
      const trunkId = await work(tx)
      await recordAudit(tx, { organisationId, actor, action, resourceId: trunkId })
      const made = await selectTrunk(tx, organisationId, trunkId)
      if (!made) throw noSuchTrunk()
      return made
    })
  } catch (error) {
    if (brokenUniqueness(error) !== 'trunks_name') throw error
    throw validationError([fault('name', 'exists', 'Another trunk has this name already.')])
  }
}
