import type { Queryable } from '../platform/db.ts'
import { type CallingProblem, type NewAgent, type NewPhoneNumber, whenItCannotCall } from './agent.ts'

export async function insertPhoneNumber(
  tx: Queryable,
  organisationId: string,
  phoneNumberId: string,
  phoneNumber: NewPhoneNumber,
): Promise<void> {
  await tx.query(
    `insert into phone_numbers (phone_number_id, organisation_id, number, carrier, max_concurrent, trunk_id)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      phoneNumberId,
      organisationId,
      phoneNumber.number,
      phoneNumber.carrier,
      phoneNumber.maxConcurrent,
      phoneNumber.trunkId,
    ],
  )
}

/** What is written of an agent, from $3 on, when it is made and when it is changed. */
export const agentValues = (agent: NewAgent): unknown[] => [
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
  agent.voicemail.action,
  agent.voicemail.message,
  agent.transferTo,
]

export async function insertAgent(
  tx: Queryable,
  organisationId: string,
  agentId: string,
  agent: NewAgent,
): Promise<void> {
  await tx.query(
    `insert into agents (agent_id, organisation_id, name, type, language, prompt, greeting, phone_number_id, branch_id,
       retry_max_attempts, retry_delay_ms, retry_on, voicemail_action, voicemail_message, transfer_to)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [agentId, organisationId, ...agentValues(agent)],
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

export async function selectCallingProblem(
  db: Queryable,
  organisationId: string,
  agentId: string,
): Promise<CallingProblem | null> {
  const [row] = await db.query<{ problem: CallingProblem | null }>(
    `select case ${whenItCannotCall} end as problem
     from (select $2::text as asked) input
     left join agents a on a.organisation_id = $1 and a.agent_id = input.asked`,
    [organisationId, agentId],
  )
  return row?.problem ?? null
}
