import type { AgentType, Carrier, RetryReason, VoicemailAction } from '@parley/contract/agents'
import type { Queryable } from '../platform/db.ts'
import type { Agent, NewAgent, PhoneNumber } from './agent.ts'
import { agentValues } from './agents.store.ts'

type AgentRow = {
  agent_id: string
  name: string
  type: AgentType
  language: string
  prompt: string
  greeting: string
  phone_number_id: string | null
  number: string | null
  carrier: Carrier | null
  branch_id: string | null
  branch_name: string | null
  retry_max_attempts: number
  retry_delay_ms: string
  retry_on: RetryReason[]
  voicemail_action: VoicemailAction
  voicemail_message: string | null
  transfer_to: string | null
  archived_at: Date | null
  created_at: Date
  updated_at: Date
}

const fromRow = (row: AgentRow): Agent => ({
  agentId: row.agent_id,
  name: row.name,
  type: row.type,
  language: row.language,
  prompt: row.prompt,
  greeting: row.greeting,
  phoneNumberId: row.phone_number_id,
  number: row.number,
  carrier: row.carrier,
  branchId: row.branch_id,
  branchName: row.branch_name,
  retry: { maxAttempts: row.retry_max_attempts, delayMs: Number(row.retry_delay_ms), on: row.retry_on },
  voicemail: { action: row.voicemail_action, message: row.voicemail_message },
  transferTo: row.transfer_to,
  archivedAt: row.archived_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** By name, those put away last. */
export async function selectAgents(
  db: Queryable,
  organisationId: string,
  { agentId = null, withArchived = true }: { agentId?: string | null; withArchived?: boolean } = {},
): Promise<Agent[]> {
  const rows = await db.query<AgentRow>(
    `select a.agent_id, a.name, a.type, a.language, a.prompt, a.greeting, a.phone_number_id, n.number, n.carrier,
       a.branch_id, b.name as branch_name, a.retry_max_attempts, a.retry_delay_ms, a.retry_on, a.voicemail_action,
       a.voicemail_message, a.transfer_to, a.archived_at, a.created_at, a.updated_at
     from agents a left join phone_numbers n using (phone_number_id) left join branches b on b.branch_id = a.branch_id
     where a.organisation_id = $1 and ($2::text is null or a.agent_id = $2) and ($3 or a.archived_at is null)
     order by a.archived_at is not null, lower(a.name), a.agent_id limit 1000`,
    [organisationId, agentId, withArchived],
  )
  return rows.map(fromRow)
}

/** Held for a change, so that of two at once neither writes over what the other has not seen. */
export const lockAgent = (tx: Queryable, organisationId: string, agentId: string): Promise<unknown[]> =>
  tx.query('select 1 from agents where organisation_id = $1 and agent_id = $2 for no key update', [
    organisationId,
    agentId,
  ])

export const updateAgent = (
  tx: Queryable,
  organisationId: string,
  agentId: string,
  agent: NewAgent & { isArchived: boolean },
): Promise<unknown[]> =>
  tx.query(
    `update agents set name = $3, type = $4, language = $5, prompt = $6, greeting = $7, phone_number_id = $8,
       branch_id = $9, retry_max_attempts = $10, retry_delay_ms = $11, retry_on = $12, voicemail_action = $13,
       voicemail_message = $14, transfer_to = $15, updated_at = now(),
       archived_at = case when $16 then coalesce(archived_at, now()) end
     where organisation_id = $1 and agent_id = $2`,
    [organisationId, agentId, ...agentValues(agent), agent.isArchived],
  )

type NumberRow = {
  phone_number_id: string
  number: string
  carrier: Carrier
  max_concurrent: number
  trunk_id: string | null
  in_the_air: string
  agents: { agentId: string; name: string }[]
  created_at: Date
}

export async function selectNumbers(
  db: Queryable,
  organisationId: string,
  phoneNumberId: string | null = null,
): Promise<PhoneNumber[]> {
  const rows = await db.query<NumberRow>(
    `select n.phone_number_id, n.number, n.carrier, n.max_concurrent, n.trunk_id, n.created_at,
       (select count(*) from calls c where c.phone_number_id = n.phone_number_id
          and c.status in ('initiated', 'ringing', 'in_progress')) as in_the_air,
       coalesce((select json_agg(json_build_object('agentId', a.agent_id, 'name', a.name) order by a.name)
          from agents a where a.organisation_id = n.organisation_id and a.phone_number_id = n.phone_number_id),
          '[]') as agents
     from phone_numbers n where n.organisation_id = $1 and ($2::text is null or n.phone_number_id = $2)
     order by n.created_at, n.phone_number_id limit 1000`,
    [organisationId, phoneNumberId],
  )
  return rows.map((row) => ({
    phoneNumberId: row.phone_number_id,
    number: row.number,
    carrier: row.carrier,
    maxConcurrent: row.max_concurrent,
    trunkId: row.trunk_id,
    inTheAir: Number(row.in_the_air),
    agents: row.agents,
    createdAt: row.created_at,
  }))
}

/** The dispatcher reads it at every claim: it counts from the next call on. */
export async function updateMaxConcurrent(
  tx: Queryable,
  organisationId: string,
  phoneNumberId: string,
  maxConcurrent: number,
): Promise<boolean> {
  const rows = await tx.query(
    `update phone_numbers set max_concurrent = $3 where organisation_id = $1 and phone_number_id = $2
     returning phone_number_id`,
    [organisationId, phoneNumberId, maxConcurrent],
  )
  return rows.length === 1
}
