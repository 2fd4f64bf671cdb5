import type { Queryable } from '../platform/db.ts'
import type { Ending } from '../voice/ports.ts'
import type { SlotOfCall } from './booking.ts'
import type { CallRecord } from './call.ts'
import { type CallRow, callColumns, fromCallRow } from './call-row.ts'
import { callMoves } from './call-state.ts'

/** The next call that follows from the end of one: at a time, or after a delay. */
export type FollowUp = { callId: string; source: 'retry' | 'callback'; at: Date | null; delayMs: number | null }

export type CallEnd = {
  callId: string
  /** Who must hold it for this end to count; null for a call that was not in the air. */
  owner: string | null
  to: 'completed' | 'failed'
  durationSeconds: number | null
  ending: Ending | null
  error: { code: string; message: string } | null
  charge: number
  followUp: FollowUp | null
  recorded: boolean | null
  hold: SlotOfCall | null
}

export type EndedCall = { call: CallRecord; organisationId: string; hasMedia: boolean; wasHeld: boolean; end: CallEnd }

// Something was said: then there is a transcript, and a recording of it.
const hasMedia = `exists (select 1 from call_utterances u where u.call_id = c.call_id) as has_media`

/** How long an answered call's outcome waits for its analysis (decisions 3). */
export const analysisSeconds = 30

/** Compare-and-set for many at once; an end that comes too late, or from somebody who lost the call, changes nothing. */
export async function markEnded(tx: Queryable, ends: CallEnd[]): Promise<EndedCall[]> {
  const rows = await tx.query<CallRow & { organisation_id: string; has_media: boolean; was_held: boolean }>(
    `update calls c set status = t.to_status, completed_at = now(), duration_seconds = t.duration, ending = t.ending,
       error_code = t.error_code, error_message = t.error_message, scheduled_call_id = t.follow_up, lease_owner = null,
       leg_trace = null, recorded = t.recorded,
       credits_consumed = case when t.to_status = 'completed' then t.charge end,
       outcome_due_at = case when t.to_status = 'completed' then now() + interval '${analysisSeconds} seconds' end,
       updated_at = now()
     from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[],
       $12::boolean[]) as t (call_id, owner, to_status, duration, ending, error_code, error_message, follow_up, charge,
       recorded), agents a
     where c.call_id = t.call_id and a.agent_id = c.agent_id and c.lease_owner is not distinct from t.owner
       and ((t.to_status = '${callMoves.complete.to}' and c.status = any($10))
         or (t.to_status = '${callMoves.fail.to}' and c.status = any($11)))
     returning ${callColumns}, c.organisation_id, ${hasMedia}, t.owner is not null as was_held`,
    [
      ends.map((end) => end.callId),
      ends.map((end) => end.owner),
      ends.map((end) => end.to),
      ends.map((end) => end.durationSeconds),
      ends.map((end) => end.ending),
      ends.map((end) => end.error?.code ?? null),
      ends.map((end) => end.error?.message ?? null),
      ends.map((end) => end.followUp?.callId ?? null),
      ends.map((end) => end.charge),
      callMoves.complete.from,
      callMoves.fail.from,
      ends.map((end) => end.recorded),
    ],
  )
  const byId = new Map(ends.map((end) => [end.callId, end]))
  return rows.map((row) => ({
    call: fromCallRow(row),
    organisationId: row.organisation_id,
    hasMedia: row.has_media,
    wasHeld: row.was_held,
    end: byId.get(row.call_id) as CallEnd,
  }))
}

/** The follow-up exists when the event that names it does: same transaction. A callback starts its attempts anew. */
export async function insertFollowUps(tx: Queryable, ended: EndedCall[]): Promise<void> {
  const wanted = ended.flatMap(({ call, end }) => (end.followUp ? [{ endedId: call.callId, ...end.followUp }] : []))
  if (wanted.length === 0) return
  await tx.query(
    `insert into calls (call_id, organisation_id, agent_id, status, direction, source, contact_number, contact_name,
       contact_email, preferred_language, additional_info, scheduled_at, attempt, follows_call_id, created_at, updated_at)
     select t.follow_up, c.organisation_id, c.agent_id, 'scheduled', 'outbound', t.source, c.contact_number,
       c.contact_name, c.contact_email, c.preferred_language, c.additional_info,
       coalesce(t.at, now() + t.delay_ms * interval '1 millisecond'),
       case when t.source = 'retry' then c.attempt + 1 else 1 end, c.call_id, now(), now()
     from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::bigint[])
       as t (call_id, follow_up, source, at, delay_ms) join calls c on c.call_id = t.call_id`,
    [
      wanted.map((each) => each.endedId),
      wanted.map((each) => each.callId),
      wanted.map((each) => each.source),
      wanted.map((each) => each.at),
      wanted.map((each) => each.delayMs),
    ],
  )
}

export type OutcomeToWrite = { callId: string; analytics: unknown; extractedDetails: unknown }

/** Once per call, whoever comes first: the analysis, or the clock. */
export async function writeOutcomes(
  tx: Queryable,
  outcomes: OutcomeToWrite[],
): Promise<Pick<EndedCall, 'call' | 'organisationId' | 'hasMedia'>[]> {
  const rows = await tx.query<CallRow & { organisation_id: string; has_media: boolean }>(
    `update calls c set analytics = t.analytics, extracted_details = t.details, outcome_due_at = null, updated_at = now()
     from unnest($1::text[], $2::jsonb[], $3::jsonb[]) as t (call_id, analytics, details), agents a
     where c.call_id = t.call_id and a.agent_id = c.agent_id and c.outcome_due_at is not null
     returning ${callColumns}, c.organisation_id, ${hasMedia}`,
    [
      outcomes.map((each) => each.callId),
      outcomes.map((each) => (each.analytics ? JSON.stringify(each.analytics) : null)),
      outcomes.map((each) => (each.extractedDetails ? JSON.stringify(each.extractedDetails) : null)),
    ],
  )
  return rows.map((row) => ({
    call: fromCallRow(row),
    organisationId: row.organisation_id,
    hasMedia: row.has_media,
  }))
}

export async function selectOverdueOutcomes(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ call_id: string }>(
    'select call_id from calls where outcome_due_at <= now() order by outcome_due_at limit $1',
    [limit],
  )
  return rows.map((row) => row.call_id)
}
