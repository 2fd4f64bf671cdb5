import { createBatcher } from '../platform/batch.ts'
import type { Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { type IdempotencyClaim, takeKeys } from '../platform/idempotency.ts'
import type { NewCall } from './call.ts'

/** The request's call stands in it whole: copying its fields took a fifth of the time of a request. */
export type CallToInsert = {
  call: NewCall
  callId: string
  organisationId: string
  scheduledAt: string
  createdAt: Date
  claim: IdempotencyClaim | null
  answer: string
}

export type InsertOutcome = 'created' | 'key_taken' | 'agent_missing' | 'agent_not_outbound' | 'agent_without_number'
export type InsertCall = (call: CallToInsert) => Promise<InsertOutcome>

// One statement: agent check, idempotency key, call. A key is taken only with its call, and only for an agent that can
// be called, so a refused request leaves nothing behind (decisions 2).
const insertCalls = `
  with input as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::jsonb[], $10::timestamptz[], $11::timestamptz[], $12::bytea[], $13::bytea[], $14::text[])
    as t (call_id, organisation_id, agent_id, source, contact_number, contact_name, contact_email,
      preferred_language, additional_info, scheduled_at, created_at, key_hash, body_hash, answer)
  ), judged as (
    select input.*, case when a.agent_id is null then 'agent_missing' when a.type <> 'outbound' then 'agent_not_outbound'
      when a.phone_number_id is null then 'agent_without_number' end as problem
    from input left join agents a on a.agent_id = input.agent_id and a.organisation_id = input.organisation_id
  ), callable as (
    select * from judged where problem is null
  ), taken as (${takeKeys('callable')}
  ), inserted as (
    insert into calls (call_id, organisation_id, agent_id, status, direction, source, contact_number, contact_name,
      contact_email, preferred_language, additional_info, scheduled_at, idempotency_key_hash, created_at, updated_at)
    select call_id, organisation_id, agent_id, 'scheduled', 'outbound', source, contact_number, contact_name,
      contact_email, preferred_language, additional_info, scheduled_at, key_hash, created_at, created_at
    from callable where key_hash is null or answer in (select answer from taken)
    returning call_id
  )
  select call_id, coalesce(problem,
    case when call_id in (select call_id from inserted) then 'created' else 'key_taken' end) as outcome
  from judged`

/** Concurrent requests share a statement; each gets its own outcome. */
export function createCallInserter(db: Queryable): InsertCall {
  return createBatcher<CallToInsert, InsertOutcome>(
    async (calls) => {
      const rows = await db.query<{ call_id: string; outcome: InsertOutcome }>(insertCalls, [
        calls.map((each) => each.callId),
        calls.map((each) => each.organisationId),
        calls.map((each) => each.call.agentId),
        calls.map((each) => each.call.source),
        calls.map((each) => each.call.contactNumber),
        calls.map((each) => each.call.contactName),
        calls.map((each) => each.call.contactEmail),
        calls.map((each) => each.call.preferredLanguage),
        calls.map((each) => (each.call.additionalInfo ? JSON.stringify(each.call.additionalInfo) : null)),
        calls.map((each) => each.scheduledAt),
        calls.map((each) => each.createdAt.toISOString()),
        calls.map((each) => each.claim?.keyHash ?? null),
        calls.map((each) => each.claim?.bodyHash ?? null),
        calls.map((each) => each.answer),
      ])
      const outcomes = new Map(rows.map((row) => [row.call_id, row.outcome]))
      return calls.map((call) => outcomes.get(call.callId) as InsertOutcome)
    },
    // When the database went away the batch may have been committed: trying again would not find out.
    { mayRetryAlone: (error) => !(error instanceof ParleyError) },
  )
}
