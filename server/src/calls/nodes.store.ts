import type { RetryPolicy, RetryReason } from '../agents/agent.ts'
import type { Queryable } from '../platform/db.ts'
import type { LegTrace } from '../voice/ports.ts'

const leaseSeconds = 20

/** On the database's clock, so that a node whose own clock is wrong neither dies early nor lives on. */
export const renewLease = (db: Queryable, nodeId: string): Promise<unknown[]> =>
  db.query(
    `insert into nodes (node_id, lease_until) values ($1, now() + interval '${leaseSeconds} seconds')
     on conflict (node_id) do update set lease_until = excluded.lease_until`,
    [nodeId],
  )

/** A node that leaves cleanly, and nodes long dead. */
export const dropNode = (db: Queryable, nodeId: string): Promise<unknown[]> =>
  db.query(`delete from nodes where node_id = $1 or lease_until < now() - interval '1 day'`, [nodeId])

export type LostCall = {
  callId: string
  organisationId: string
  owner: string
  attempt: number
  retry: RetryPolicy
  /** Over a real line, not simulated. */
  isReal: boolean
  trace: LegTrace | null
}

/**
 * Calls in the air that nobody carries any more: their node's lease has run out, or this node has them by the database
 * but does not know them (the commit went through, its answer did not).
 */
export async function selectLostCalls(tx: Queryable, nodeId: string, liveHere: string[]): Promise<LostCall[]> {
  const rows = await tx.query<{
    call_id: string
    lease_owner: string
    attempt: number
    retry_max_attempts: number
    retry_delay_ms: string
    retry_on: RetryReason[]
    organisation_id: string
    is_real: boolean
    leg_trace: LegTrace | null
  }>(
    `select c.call_id, c.organisation_id, c.lease_owner, c.attempt, a.retry_delay_ms, a.retry_on, c.leg_trace,
       case when c.direction = 'inbound' then 1 else a.retry_max_attempts end as retry_max_attempts,
       coalesce((select n.carrier <> 'simulator' from phone_numbers n where n.phone_number_id = c.phone_number_id), false)
         as is_real
     from calls c join agents a using (agent_id)
     where c.status in ('initiated', 'ringing', 'in_progress') and (
       (c.lease_owner <> $1 and not exists (
         select 1 from nodes n where n.node_id = c.lease_owner and n.lease_until > now()))
       or (c.lease_owner = $1 and c.call_id <> all($2) and c.triggered_at < now() - interval '10 seconds'))
     limit 200 for update of c skip locked`,
    [nodeId, liveHere],
  )
  return rows.map((row) => ({
    callId: row.call_id,
    organisationId: row.organisation_id,
    owner: row.lease_owner,
    isReal: row.is_real,
    trace: row.leg_trace,
    attempt: row.attempt,
    retry: { maxAttempts: row.retry_max_attempts, delayMs: Number(row.retry_delay_ms), on: row.retry_on },
  }))
}
