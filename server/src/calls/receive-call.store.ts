import type { Queryable } from '../platform/db.ts'

export type InboundLine = {
  phone_number_id: string
  organisation_id: string
  number: string
  max_concurrent: number
  trunk_id: string
  trunk_max: number
  agent_id: string | null
  agent_name: string
  agent_language: string
  prompt: string
  greeting: string
  transfer_to: string | null
  branch_id: string | null
  timezone: string
}

/** The number somebody calls and who answers there, locked as the claim locks it: places are counted after. */
export async function lockInboundLine(
  tx: Queryable,
  trunkIds: readonly string[],
  numbers: string[],
): Promise<InboundLine | null> {
  const [row] = await tx.query<InboundLine>(
    `select n.phone_number_id, n.organisation_id, n.number, n.max_concurrent, t.trunk_id, t.max_concurrent as trunk_max,
       a.agent_id, a.name as agent_name, a.language as agent_language, a.prompt, a.greeting, a.transfer_to, a.branch_id,
       coalesce(b.timezone, o.timezone) as timezone
     from phone_numbers n join trunks t on t.trunk_id = n.trunk_id
       join organisations o on o.organisation_id = n.organisation_id
       left join lateral (select * from agents i where i.phone_number_id = n.phone_number_id and i.type = 'inbound'
         order by i.created_at, i.agent_id limit 1) a on true
       left join branches b on b.branch_id = a.branch_id
     where n.trunk_id = any($1) and n.number = any($2)
     order by array_position($2::text[], n.number) limit 1
     for no key update of n, t`,
    [trunkIds, numbers],
  )
  return row ?? null
}

export async function isLineFree(tx: Queryable, line: InboundLine): Promise<boolean> {
  const [row] = await tx.query<{ on_number: number; on_trunk: number }>(
    `select count(*) filter (where n.phone_number_id = $1)::int as on_number, count(*)::int as on_trunk
     from phone_numbers n join calls c on c.phone_number_id = n.phone_number_id
     where n.trunk_id = $2 and c.status in ('initiated', 'ringing', 'in_progress')`,
    [line.phone_number_id, line.trunk_id],
  )
  return (row?.on_number ?? 0) < line.max_concurrent && (row?.on_trunk ?? 0) < line.trunk_max
}

export type InboundCall = {
  callId: string
  organisationId: string
  agentId: string
  phoneNumberId: string
  contactNumber: string
  status: 'initiated' | 'failed' | 'disallowed'
  owner: string | null
  error: { code: string; message: string } | null
}

/** When it came in, by the database's clock. */
export async function insertInboundCall(tx: Queryable, call: InboundCall): Promise<Date> {
  const [row] = await tx.query<{ triggered_at: Date }>(
    `insert into calls (call_id, organisation_id, agent_id, status, direction, source, contact_number, phone_number_id,
       lease_owner, triggered_at, completed_at, error_code, error_message, created_at, updated_at)
     values ($1, $2, $3, $4, 'inbound', 'inbound', $5, $6, $7, now(), case when $4 <> 'initiated' then now() end, $8, $9,
       now(), now())
     returning triggered_at`,
    [
      call.callId,
      call.organisationId,
      call.agentId,
      call.status,
      call.contactNumber,
      call.phoneNumberId,
      call.owner,
      call.error?.code ?? null,
      call.error?.message ?? null,
    ],
  )
  return row?.triggered_at ?? new Date()
}
