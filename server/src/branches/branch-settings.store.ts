import type { Queryable } from '../platform/db.ts'
import type { Branch, NewBranch } from './branch.ts'

/**
 * Windows, agents and appointments come after branches in the order of modules, so their tables are asked here by name;
 * they are never written to.
 */
export type BranchUse = { windows: number; agents: number; services: number }

export async function selectBranchUse(
  db: Queryable,
  organisationId: string,
  branchId: string | null,
): Promise<Map<string, BranchUse>> {
  const rows = await db.query<BranchUse & { branch_id: string }>(
    `select b.branch_id,
       (select count(*)::int from windows w where w.branch_id = b.branch_id) as windows,
       (select count(*)::int from agents a where a.branch_id = b.branch_id) as agents,
       (select count(*)::int from service_branches s where s.branch_id = b.branch_id) as services
     from branches b where b.organisation_id = $1 and ($2::uuid is null or b.branch_id = $2)`,
    [organisationId, branchId],
  )
  return new Map(rows.map(({ branch_id, ...use }) => [branch_id, use]))
}

/** Whoever changes it, waits for whoever is changing it. */
export async function lockBranch(tx: Queryable, organisationId: string, branchId: string): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from branches where organisation_id = $1 and branch_id = $2 for no key update',
    [organisationId, branchId],
  )
  return rows.length === 1
}

export async function updateBranch(
  tx: Queryable,
  organisationId: string,
  branchId: string,
  { name, timezone, sessionHours }: NewBranch,
): Promise<void> {
  await tx.query(
    `update branches set name = $3, timezone = $4, session_hours = $5 where organisation_id = $1 and branch_id = $2`,
    [organisationId, branchId, name, timezone, sessionHours],
  )
}

/** With what belongs to it alone. Whatever else names it makes this fail. */
export async function deleteBranch(tx: Queryable, organisationId: string, { branchId }: Branch): Promise<void> {
  const values = [organisationId, branchId]
  await tx.query('delete from branch_holidays where organisation_id = $1 and branch_id = $2', values)
  await tx.query('delete from calendar_feeds where organisation_id = $1 and branch_id = $2', values)
  await tx.query('delete from branches where organisation_id = $1 and branch_id = $2', values)
}
