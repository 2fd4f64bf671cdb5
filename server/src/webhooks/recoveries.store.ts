import type { Queryable } from '../platform/db.ts'

export type Recovery = {
  recoveryId: string
  endpointId: string
  since: Date
  until: Date
  status: 'running' | 'done' | 'cancelled'
  total: number
  replayed: number
  createdAt: Date
  endedAt: Date | null
}
export type RecoveryRange = { endpointId: string; since: Date; until: Date }

const columns = `recovery_id as "recoveryId", endpoint_id as "endpointId", since, until, status, total, replayed,
  created_at as "createdAt", ended_at as "endedAt"`

const lost = `endpoint_id = $1 and status in ('failed', 'held') and created_at >= $2 and created_at < $3`

export async function countLost(db: Queryable, { endpointId, since, until }: RecoveryRange): Promise<number> {
  const [row] = await db.query<{ count: string }>(`select count(*) from webhook_deliveries where ${lost}`, [
    endpointId,
    since,
    until,
  ])
  return Number(row?.count ?? 0)
}

export async function insertRecovery(
  tx: Queryable,
  recovery: RecoveryRange & { recoveryId: string; organisationId: string; total: number },
): Promise<Recovery> {
  const { recoveryId, organisationId, endpointId, since, until, total } = recovery
  const [row] = await tx.query<Recovery>(
    `insert into webhook_recoveries (recovery_id, organisation_id, endpoint_id, since, until, total)
     values ($1, $2, $3, $4, $5, $6) returning ${columns}`,
    [recoveryId, organisationId, endpointId, since, until, total],
  )
  return row as Recovery
}

export async function selectRecovery(
  db: Queryable,
  organisationId: string,
  recoveryId: string,
): Promise<Recovery | null> {
  const [row] = await db.query<Recovery>(
    `select ${columns} from webhook_recoveries where organisation_id = $1 and recovery_id = $2`,
    [organisationId, recoveryId],
  )
  return row ?? null
}

export const selectRecoveries = (db: Queryable, organisationId: string, endpointId: string): Promise<Recovery[]> =>
  db.query<Recovery>(
    `select ${columns} from webhook_recoveries where organisation_id = $1 and endpoint_id = $2
     order by created_at desc limit 20`,
    [organisationId, endpointId],
  )

export const markCancelled = (db: Queryable, organisationId: string, recoveryId: string): Promise<unknown[]> =>
  db.query(
    `update webhook_recoveries set status = 'cancelled', ended_at = now()
     where organisation_id = $1 and recovery_id = $2 and status = 'running' returning recovery_id`,
    [organisationId, recoveryId],
  )

export type OpenRecovery = RecoveryRange & {
  recoveryId: string
  organisationId: string
  reachedAt: Date | null
  reachedId: string | null
  endpointIsEnabled: boolean
  queued: number
}

/** One that nobody is working on. Its endpoint's queue says how fast it may go on. */
export async function lockOpenRecovery(
  tx: Queryable,
  exceptFor: string[],
  enough: number,
): Promise<OpenRecovery | null> {
  const [row] = await tx.query<OpenRecovery>(
    `select r.recovery_id as "recoveryId", r.organisation_id as "organisationId", r.endpoint_id as "endpointId", r.since, r.until, r.reached_at as "reachedAt",
       r.reached_id as "reachedId", e.status = 'enabled' and e.deleted_at is null as "endpointIsEnabled",
       (select count(*) from (select 1 from webhook_queue q where q.endpoint_id = r.endpoint_id limit $2) waiting)::int as queued
     from webhook_recoveries r join webhook_endpoints e using (endpoint_id)
     where r.status = 'running' and r.recovery_id <> all($1) order by r.created_at limit 1
     for update of r skip locked`,
    [exceptFor, enough],
  )
  return row ?? null
}

export const selectLost = (
  tx: Queryable,
  { endpointId, since, until, reachedAt, reachedId }: OpenRecovery,
  limit: number,
): Promise<{ deliveryId: string; createdAt: Date }[]> =>
  tx.query(
    `select delivery_id as "deliveryId", created_at as "createdAt" from webhook_deliveries
     where ${lost} and ($4::timestamptz is null or (created_at, delivery_id) > ($4, $5))
     order by created_at, delivery_id limit $6`,
    [endpointId, since, until, reachedAt, reachedId, limit],
  )

export const advanceRecovery = (
  tx: Queryable,
  recoveryId: string,
  step: { replayed: number; reachedAt: Date | null; reachedId: string | null; status: Recovery['status'] },
): Promise<unknown[]> =>
  tx.query(
    `update webhook_recoveries set replayed = replayed + $2, reached_at = coalesce($3, reached_at),
       reached_id = coalesce($4, reached_id), status = $5, ended_at = case when $5 <> 'running' then now() end
     where recovery_id = $1`,
    [recoveryId, step.replayed, step.reachedAt, step.reachedId, step.status],
  )
