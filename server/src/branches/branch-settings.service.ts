import { sessions } from '@parley/contract/appointment-slots'
import type { CreateBranchBody, PatchBranchBody } from '@parley/contract/branch-settings'
import { recordAudit } from '../platform/audit.ts'
import { announceChange } from '../platform/changes.ts'
import { brokenUniqueness, type Database, isBrokenReference, type Queryable, type Transaction } from '../platform/db.ts'
import { type Fault, fault, ParleyError, validationError } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { isTimeZone } from '../platform/time-zone.ts'
import { type Branch, type NewBranch, type SessionHours, usualHours } from './branch.ts'
import { type BranchUse, deleteBranch, lockBranch, selectBranchUse, updateBranch } from './branch-settings.store.ts'
import { createBranch, findBranch } from './branches.service.ts'
import { selectBranches } from './branches.store.ts'
import { inUse } from './in-use.ts'

/** What has to follow when a branch is in another zone: done by those who know appointments, in the same transaction. */
export type FollowZone = (tx: Transaction, organisationId: string, branch: Branch) => Promise<number>
export type BranchSettingsDeps = { db: Database; followZone: FollowZone }
export type Actor = { organisationId: string; actor: string }
export type BranchInUse = Branch & BranchUse

export const noSuchBranch = () => new ParleyError('NOT_FOUND', 'There is no branch with this id.')
const nameTaken = () => validationError([fault('name', 'exists', 'There is a branch of this name already.')])

/** What a schema cannot say; joins its faults. */
export function branchBodyFaults(body: Record<string, unknown>): Fault[] {
  const faults: Fault[] = []
  if (typeof body.timezone === 'string' && !isTimeZone(body.timezone))
    faults.push(fault('timezone', 'format', 'Choose a time zone such as Asia/Kolkata.'))
  const hours = (body.session_hours ?? {}) as Partial<Record<string, { start?: unknown; end?: unknown }>>
  for (const session of sessions) {
    const { start, end } = hours[session] ?? {}
    if (typeof start === 'string' && typeof end === 'string' && start >= end)
      faults.push(fault(`session_hours.${session}`, 'order', `${session} must start before it ends.`))
  }
  return faults
}

const mostBranches = 1_000

/** By name. */
export async function listBranchSettings(db: Queryable, organisationId: string): Promise<BranchInUse[]> {
  const branches = await selectBranches(db, organisationId, { branchIds: null, after: null, limit: mostBranches })
  const uses = await selectBranchUse(db, organisationId, null)
  return branches.map((each) => withUse(each, uses)).sort((a, b) => a.name.localeCompare(b.name))
}

const withUse = (branch: Branch, uses: Map<string, BranchUse>): BranchInUse => ({
  ...branch,
  ...(uses.get(branch.branchId) ?? { windows: 0, agents: 0, services: 0 }),
})

async function branchWithUse(db: Queryable, organisationId: string, branchId: string): Promise<BranchInUse> {
  const branch = await findBranch(db, organisationId, branchId)
  if (!branch) throw noSuchBranch()
  return withUse(branch, await selectBranchUse(db, organisationId, branch.branchId))
}

export function addBranch(
  { db }: BranchSettingsDeps,
  { organisationId, actor }: Actor,
  body: CreateBranchBody,
): Promise<BranchInUse> {
  const { name, timezone, session_hours: sessionHours = usualHours } = body
  return db.transaction(async (tx) => {
    const branch = { name: name.trim(), timezone, sessionHours }
    const branchId = await createBranch(tx, organisationId, branch).catch(refuseTakenName)
    await recordAudit(tx, { organisationId, actor, action: 'branch.created', resourceId: branchId })
    announceChange(tx, organisationId, 'slots')
    return branchWithUse(tx, organisationId, branchId)
  })
}

/**
 * Windows without times of their own follow the hours at once. In another zone, what is booked and not over keeps its
 * time of day (0042); `moved` is how many those are.
 */
export function changeBranch(
  { db, followZone }: BranchSettingsDeps,
  { organisationId, actor }: Actor,
  branchId: string,
  patch: PatchBranchBody,
): Promise<{ branch: BranchInUse; moved: number }> {
  return db.transaction(async (tx) => {
    if (!isUuid(branchId) || !(await lockBranch(tx, organisationId, branchId))) throw noSuchBranch()
    const before = await branchWithUse(tx, organisationId, branchId)
    const next = patched(before, patch)
    if (isSame(before, next)) return { branch: before, moved: 0 }
    await updateBranch(tx, organisationId, before.branchId, next).catch(refuseTakenName)
    const branch = { ...before, ...next }
    const moved = before.timezone === next.timezone ? 0 : await followZone(tx, organisationId, branch)
    await recordAudit(tx, { organisationId, actor, action: 'branch.changed', resourceId: before.branchId })
    announceChange(tx, organisationId, 'slots')
    return { branch, moved }
  })
}

const patched = ({ name, timezone, sessionHours }: Branch, patch: PatchBranchBody): NewBranch => ({
  name: patch.name?.trim() ?? name,
  timezone: patch.timezone ?? timezone,
  sessionHours: patch.session_hours ?? sessionHours,
})

const hoursText = (hours: SessionHours): string =>
  sessions.map((each) => `${hours[each].start} ${hours[each].end}`).join()
const isSame = (before: Branch, next: NewBranch): boolean =>
  before.name === next.name &&
  before.timezone === next.timezone &&
  hoursText(before.sessionHours) === hoursText(next.sessionHours)

/** Only while nothing refers to it; its holidays and its feed go along. */
export function removeBranch(db: Database, { organisationId, actor }: Actor, branchId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const branch = await branchWithUse(tx, organisationId, branchId)
    const { windows, agents, services } = branch
    if (windows + agents + services > 0)
      throw inUse('This branch', { window: windows, agent: agents, service: services })
    await deleteBranch(tx, organisationId, branch).catch((error: unknown) => {
      // Somebody made one a moment ago.
      throw isBrokenReference(error) ? inUse('This branch', {}) : error
    })
    await recordAudit(tx, { organisationId, actor, action: 'branch.deleted', resourceId: branch.branchId })
    announceChange(tx, organisationId, 'slots')
  })
}

function refuseTakenName(error: unknown): never {
  throw brokenUniqueness(error) === null ? error : nameTaken()
}
