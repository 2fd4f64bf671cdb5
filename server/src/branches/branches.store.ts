import type { Queryable } from '../platform/db.ts'
import type { NewBranch, NewService } from './branch.ts'

export async function insertBranch(
  tx: Queryable,
  organisationId: string,
  branchId: string,
  branch: NewBranch,
): Promise<void> {
  await tx.query(
    'insert into branches (branch_id, organisation_id, name, timezone, session_hours) values ($1, $2, $3, $4, $5)',
    [branchId, organisationId, branch.name, branch.timezone, branch.sessionHours],
  )
}

export async function insertService(
  tx: Queryable,
  organisationId: string,
  serviceId: string,
  service: NewService,
): Promise<void> {
  await tx.query(
    'insert into services (appointment_type_id, organisation_id, name, duration_minutes) values ($1, $2, $3, $4)',
    [serviceId, organisationId, service.name, service.durationMinutes],
  )
  await tx.query('insert into service_branches (appointment_type_id, branch_id) select $1, unnest($2::uuid[])', [
    serviceId,
    service.branchIds,
  ])
}

export async function selectBranchNames(db: Queryable, organisationId: string): Promise<Map<string, string>> {
  const rows = await db.query<{ name: string; branch_id: string }>(
    'select name, branch_id from branches where organisation_id = $1',
    [organisationId],
  )
  return new Map(rows.map((row) => [row.name, row.branch_id]))
}

export async function selectServiceNames(db: Queryable, organisationId: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>('select name from services where organisation_id = $1', [
    organisationId,
  ])
  return rows.map((row) => row.name)
}
