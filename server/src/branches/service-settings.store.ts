import type { Queryable } from '../platform/db.ts'
import type { NewService } from './branch.ts'

/** Windows and appointments come after branches in the order of modules: their tables are asked by name, never written. */
export type ServiceUse = { windows: number; appointments: number }

export async function selectServiceUse(
  db: Queryable,
  organisationId: string,
  serviceId: string | null,
): Promise<Map<string, ServiceUse>> {
  const rows = await db.query<ServiceUse & { appointment_type_id: string }>(
    `select s.appointment_type_id, coalesce(w.windows, 0) as windows, coalesce(a.appointments, 0) as appointments
     from services s
     left join (select appointment_type_id, count(*)::int as windows from windows
                where organisation_id = $1 group by 1) w using (appointment_type_id)
     left join (select appointment_type_id, count(*)::int as appointments from appointments
                where organisation_id = $1 group by 1) a using (appointment_type_id)
     where s.organisation_id = $1 and ($2::uuid is null or s.appointment_type_id = $2)`,
    [organisationId, serviceId],
  )
  return new Map(rows.map(({ appointment_type_id, ...use }) => [appointment_type_id, use]))
}

/** Until the transaction ends nobody else changes it, and no window for it is made. */
export async function lockService(tx: Queryable, organisationId: string, serviceId: string): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from services where organisation_id = $1 and appointment_type_id = $2 for update',
    [organisationId, serviceId],
  )
  return rows.length === 1
}

export async function updateService(
  tx: Queryable,
  organisationId: string,
  serviceId: string,
  { name, durationMinutes, branchIds }: NewService,
): Promise<void> {
  await tx.query(
    'update services set name = $3, duration_minutes = $4 where organisation_id = $1 and appointment_type_id = $2',
    [organisationId, serviceId, name, durationMinutes],
  )
  await tx.query('delete from service_branches where appointment_type_id = $1 and branch_id <> all($2::uuid[])', [
    serviceId,
    branchIds,
  ])
  await tx.query(
    `insert into service_branches (appointment_type_id, branch_id) select $1, unnest($2::uuid[]) on conflict do nothing`,
    [serviceId, branchIds],
  )
}

/** Names of the branches outside the list that have a window for this service alone. */
export async function selectBranchesInNeed(
  db: Queryable,
  organisationId: string,
  serviceId: string,
  branchIds: string[],
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select distinct b.name from windows w join branches b using (branch_id)
     where w.organisation_id = $1 and w.appointment_type_id = $2 and w.branch_id <> all($3::uuid[]) order by b.name`,
    [organisationId, serviceId, branchIds],
  )
  return rows.map((row) => row.name)
}

export async function deleteService(tx: Queryable, organisationId: string, serviceId: string): Promise<void> {
  await tx.query('delete from service_branches where appointment_type_id = $1', [serviceId])
  await tx.query('delete from services where organisation_id = $1 and appointment_type_id = $2', [
    organisationId,
    serviceId,
  ])
}
