import type { Position } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import { type Branch, type NewBranch, type NewService, type Service, type SessionHours, usualHours } from './branch.ts'

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

type BranchRow = { branch_id: string; name: string; timezone: string; session_hours: SessionHours; created_at: Date }

/** Newest first. */
export async function selectBranches(
  db: Queryable,
  organisationId: string,
  filter: { branchIds: string[] | null; after: Position | null; limit: number },
): Promise<Branch[]> {
  const rows = await db.query<BranchRow>(
    `select branch_id, name, timezone, session_hours, created_at from branches
     where organisation_id = $1 and ($2::uuid[] is null or branch_id = any($2))
       and ($3::timestamptz is null or (created_at, branch_id) < ($3, $4::uuid))
     order by created_at desc, branch_id desc limit $5`,
    [organisationId, filter.branchIds, filter.after?.at ?? null, filter.after?.id ?? null, filter.limit],
  )
  return rows.map((row) => ({
    branchId: row.branch_id,
    name: row.name,
    timezone: row.timezone,
    // A branch of before may lack a session.
    sessionHours: { ...usualHours, ...row.session_hours },
    createdAt: row.created_at,
  }))
}

type ServiceRow = {
  appointment_type_id: string
  name: string
  duration_minutes: number
  branch_ids: string[]
  created_at: Date
}

/** Newest first; with a branch, only what is offered there. */
export async function selectServices(
  db: Queryable,
  organisationId: string,
  filter: { serviceId: string | null; branchId: string | null; after: Position | null; limit: number },
): Promise<Service[]> {
  const rows = await db.query<ServiceRow>(
    `select s.appointment_type_id, s.name, s.duration_minutes, s.created_at, b.branch_ids
     from services s
     cross join lateral (
       select coalesce(array_agg(branch_id::text order by branch_id), '{}') as branch_ids
       from service_branches where appointment_type_id = s.appointment_type_id
     ) b
     where s.organisation_id = $1 and ($2::uuid is null or s.appointment_type_id = $2)
       and ($3::uuid is null or b.branch_ids = '{}' or $3::text = any(b.branch_ids))
       and ($4::timestamptz is null or (s.created_at, s.appointment_type_id) < ($4, $5::uuid))
     order by s.created_at desc, s.appointment_type_id desc limit $6`,
    [
      organisationId,
      filter.serviceId,
      filter.branchId,
      filter.after?.at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  )
  return rows.map((row) => ({
    appointmentTypeId: row.appointment_type_id,
    name: row.name,
    durationMinutes: row.duration_minutes,
    branchIds: row.branch_ids,
    createdAt: row.created_at,
  }))
}
