import type { Queryable } from '../platform/db.ts'
import type { AgentType, NewAgent, NewPhoneNumber } from './agent.ts'

export async function insertPhoneNumber(
  tx: Queryable,
  organisationId: string,
  phoneNumberId: string,
  phoneNumber: NewPhoneNumber,
): Promise<void> {
  await tx.query(
    `insert into phone_numbers (phone_number_id, organisation_id, number, carrier, max_concurrent)
     values ($1, $2, $3, $4, $5)`,
    [phoneNumberId, organisationId, phoneNumber.number, phoneNumber.carrier, phoneNumber.maxConcurrent],
  )
}

export async function insertAgent(
  tx: Queryable,
  organisationId: string,
  agentId: string,
  agent: NewAgent,
): Promise<void> {
  await tx.query(
    `insert into agents (agent_id, organisation_id, name, type, language, prompt, greeting, phone_number_id, branch_id,
       retry_max_attempts, retry_delay_ms, retry_on)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      agentId,
      organisationId,
      agent.name,
      agent.type,
      agent.language,
      agent.prompt,
      agent.greeting,
      agent.phoneNumberId,
      agent.branchId,
      agent.retry.maxAttempts,
      agent.retry.delayMs,
      agent.retry.on,
    ],
  )
}

export async function selectPhoneNumbers(db: Queryable, organisationId: string): Promise<Map<string, string>> {
  const rows = await db.query<{ number: string; phone_number_id: string }>(
    'select number, phone_number_id from phone_numbers where organisation_id = $1',
    [organisationId],
  )
  return new Map(rows.map((row) => [row.number, row.phone_number_id]))
}

/** Which of these real numbers somebody holds already. */
export async function selectTakenRealNumbers(db: Queryable, numbers: string[]): Promise<string[]> {
  const rows = await db.query<{ number: string }>(
    `select number from phone_numbers where number = any($1) and carrier <> 'simulator'`,
    [numbers],
  )
  return rows.map((row) => row.number)
}

export async function selectAgentNames(db: Queryable, organisationId: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>('select name from agents where organisation_id = $1', [organisationId])
  return rows.map((row) => row.name)
}

export async function agentExists(db: Queryable, organisationId: string, agentId: string): Promise<boolean> {
  const rows = await db.query('select 1 from agents where organisation_id = $1 and agent_id = $2', [
    organisationId,
    agentId,
  ])
  return rows.length === 1
}

type AgentToCallWith = {
  agent_id: string
  name: string
  type: AgentType
  language: string
  number: string | null
  prompt: string
  greeting: string
}

export const selectAgentsToCallWith = (db: Queryable, organisationId: string): Promise<AgentToCallWith[]> =>
  db.query<AgentToCallWith>(
    `select a.agent_id, a.name, a.type, a.language, n.number, a.prompt, a.greeting
     from agents a left join phone_numbers n using (phone_number_id)
     where a.organisation_id = $1 order by lower(a.name)`,
    [organisationId],
  )
