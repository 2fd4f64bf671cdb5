import { type CallingProblem, whenItCannotCall } from '../agents/agent.ts'
import { isActiveKey } from '../api-keys/api-key.ts'
import { createBatcher } from '../platform/batch.ts'
import type { Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { type IdempotencyClaim, takeKeys } from '../platform/idempotency.ts'
import type { NewCall } from './call.ts'
import { createdAnswerSql } from './created-answer.ts'

/** The request's call stands in it whole: copying its fields took a fifth of the time of a request. */
export type CallToInsert = {
  call: NewCall
  callId: string
  organisationId: string
  uncheckedKeyId: string | null
  scheduledAt: string
  createdAt: string
  claim: IdempotencyClaim | null
}

export type InsertOutcome = 'created' | 'key_refused' | 'key_taken' | 'no_credits' | CallingProblem
export type InsertCall = (call: CallToInsert) => Promise<InsertOutcome>

// One statement: agent check, idempotency key, call. A key is taken only with its call, and only for an agent that can
// be called, so a refused request leaves nothing behind (decisions 2). Only the hook asks for credits now; the API's call
// may be paid by the time it is dialled (decisions 3). What it returns are the rows that were not inserted.
const insertCalls = `
  with input as (
    select *, ${createdAnswerSql('call_id', 'scheduled_at')} as answer from json_to_recordset($1) as t (call_id text,
      organisation_id text, key_id text, agent_id text, source text, contact_number text, contact_name text,
      contact_email text, preferred_language text, additional_info jsonb, scheduled_at text, created_at timestamptz, key_hash bytea, body_hash bytea)
  ), held_keys as (
    select key_id from api_keys
    where key_id in (select key_id from input) and ${isActiveKey} and 'calls:create' = any(scopes)
  ), judged as (
    select input.*, case
      when input.key_id is not null and input.key_id not in (select key_id from held_keys) then 'key_refused'
      ${whenItCannotCall}
      when input.source = 'hook' and coalesce((select balance - held from credit_balances c
        where c.organisation_id = input.organisation_id), 0) < 1 then 'no_credits' end as problem
    from input left join agents a on a.agent_id = input.agent_id and a.organisation_id = input.organisation_id
  ), callable as (
    select * from judged where problem is null
  ), taken as (${takeKeys('callable')}
  ), inserted as (
    insert into calls (call_id, organisation_id, agent_id, status, direction, source, contact_number, contact_name,
      contact_email, preferred_language, additional_info, scheduled_at, idempotency_key_hash, created_at, updated_at)
    select call_id, organisation_id, agent_id, 'scheduled', 'outbound', source, contact_number, contact_name,
      contact_email, preferred_language, additional_info, scheduled_at::timestamptz, key_hash, created_at, created_at
    from callable where key_hash is null or answer in (select answer from taken)
    returning call_id
  )
  select call_id, coalesce(problem, 'key_taken') as outcome
  from judged where call_id not in (select call_id from inserted)`

// One JSON text is far cheaper to write here, and no dearer to read there, than fourteen escaped arrays. What is null is
// left out of it.
const toInput = (row: CallToInsert) => ({
  call_id: row.callId,
  organisation_id: row.organisationId,
  key_id: row.uncheckedKeyId ?? undefined,
  agent_id: row.call.agentId,
  source: row.call.source,
  contact_number: row.call.contactNumber,
  contact_name: row.call.contactName ?? undefined,
  contact_email: row.call.contactEmail ?? undefined,
  preferred_language: row.call.preferredLanguage ?? undefined,
  additional_info: row.call.additionalInfo ?? undefined,
  scheduled_at: row.scheduledAt,
  created_at: row.createdAt,
  key_hash: row.claim?.keyHash,
  body_hash: row.claim?.bodyHash,
})

/** Concurrent requests share a statement; each gets its own outcome. */
export function createCallInserter(db: Queryable): InsertCall {
  return createBatcher<CallToInsert, InsertOutcome>(
    async (calls) => {
      const rows = await db.query<{ call_id: string; outcome: InsertOutcome }>(insertCalls, [
        JSON.stringify(calls.map(toInput)),
      ])
      const outcomes = new Map(rows.map((row) => [row.call_id, row.outcome]))
      return calls.map((call) => outcomes.get(call.callId) ?? 'created')
    },
    // When the database went away the batch may have been committed: trying again would not find out.
    { mayRetryAlone: (error) => !(error instanceof ParleyError) },
  )
}
