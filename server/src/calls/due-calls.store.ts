import type { AdditionalInfo } from '@parley/contract/calls'
import type { RetryReason } from '../agents/agent.ts'
import type { Queryable } from '../platform/db.ts'
import { callMoves } from './call-state.ts'

export type QueuedCall = { organisationId: string; scheduledAt: Date; hasLine: boolean }
type QueuedRow = { organisation_id: string; scheduled_at: Date; has_line: boolean }

/**
 * Due calls start to wait for a line. `since` is a watermark: entries of calls that were taken before it lie dead in the
 * index until vacuum comes, and reading past them is what slows a claim down.
 */
export async function queueDueCalls(db: Queryable, since: Date | null, limit: number): Promise<QueuedCall[]> {
  const rows = await db.query<QueuedRow>(
    `with due as (
       select call_id, agent_id from calls
       where status = 'scheduled' and scheduled_at <= now() and scheduled_at >= $1
       order by scheduled_at limit $2 for update skip locked
     )
     update calls c set status = '${callMoves.queue.to}', phone_number_id = a.phone_number_id,
       queued_at = now(), updated_at = now()
     from due join agents a on a.agent_id = due.agent_id
     where c.call_id = due.call_id
     returning c.organisation_id, c.scheduled_at, c.phone_number_id is not null as has_line`,
    [since ?? '-infinity', limit],
  )
  return rows.map((row) => ({
    organisationId: row.organisation_id,
    scheduledAt: row.scheduled_at,
    hasLine: row.has_line,
  }))
}

/** Calls that wait but whose agent has lost its number. */
export async function selectCallsWithoutLine(tx: Queryable, limit: number): Promise<string[]> {
  const rows = await tx.query<{ call_id: string }>(
    `select call_id from calls where status = 'queued' and phone_number_id is null
     order by scheduled_at limit $1 for update skip locked`,
    [limit],
  )
  return rows.map((row) => row.call_id)
}

/**
 * The lines that have calls waiting, locked. Counting the calls in the air comes in the statement after: only a snapshot
 * taken under the lock sees what the node before us committed. A line another node is filling is left to it.
 */
export type WaitingLine = { phoneNumberId: string; trunkId: string | null }
export async function lockWaitingLines(tx: Queryable): Promise<WaitingLine[]> {
  const rows = await tx.query<{ phone_number_id: string; trunk_id: string | null }>(
    `with recursive waiting as (
       (select phone_number_id from calls where status = 'queued' and phone_number_id is not null
        order by phone_number_id limit 1)
       union all
       select (select c.phone_number_id from calls c where c.status = 'queued' and c.phone_number_id > w.phone_number_id
               order by c.phone_number_id limit 1)
       from waiting w where w.phone_number_id is not null
     )
     select phone_number_id, trunk_id from phone_numbers
     where phone_number_id in (select phone_number_id from waiting) for no key update skip locked`,
  )
  return rows.map((row) => ({ phoneNumberId: row.phone_number_id, trunkId: row.trunk_id }))
}

export type CandidateRow = {
  call_id: string
  organisation_id: string
  agent_id: string
  agent_name: string
  contact_number: string
  contact_name: string | null
  contact_email: string | null
  preferred_language: string | null
  additional_info: AdditionalInfo | null
  scheduled_at: Date
  attempt: number
  from_number: string
  carrier: string
  trunk_id: string | null
  voicemail_action: 'hang_up' | 'leave_message'
  voicemail_message: string | null
  transfer_to: string | null
  agent_language: string
  prompt: string
  greeting: string
  timezone: string
  branch_id: string | null
  retry_max_attempts: number
  retry_delay_ms: string
  retry_on: RetryReason[]
  do_not_call: boolean
}

// Only where trunks are: counting places by trunk would cost the others a sort.
const plainChoice = 'select call_id, turn from waiting order by turn, scheduled_at limit $2'
const choiceWithinTrunks = `
  select call_id, turn from (
    select w.*, row_number() over (partition by trunk_id is null order by turn, scheduled_at) as line
    from (
      select w.*, t.places, row_number() over (partition by w.trunk_id order by w.turn, w.scheduled_at) as place
      from waiting w left join unnest($3::text[], $4::int[]) as t (trunk_id, places) using (trunk_id)
    ) w where trunk_id is null or place <= places
  ) w where trunk_id is null or line <= $5 order by turn, scheduled_at limit $2`

/**
 * Within every line's free places, its trunk's and the node's (`realLines` of them over trunks): each organisation's oldest first, then each one's second
 * oldest, …
 */
export async function selectCandidates(
  tx: Queryable,
  lines: string[],
  trunks: ReadonlyMap<string, number>,
  capacity: number,
  realLines: number,
): Promise<CandidateRow[]> {
  return tx.query<CandidateRow>(
    `with line as (
       select n.phone_number_id, n.organisation_id, n.trunk_id, n.max_concurrent - (
         select count(*) from calls f where f.phone_number_id = n.phone_number_id
         and f.status in ('initiated', 'ringing', 'in_progress')) as free
       from phone_numbers n where n.phone_number_id = any($1)
     ), waiting as (
       select q.call_id, q.scheduled_at, line.trunk_id,
         row_number() over (partition by line.organisation_id order by q.scheduled_at, q.call_id) as turn
       from line cross join lateral (
         select c.call_id, c.scheduled_at from calls c
         where c.status = 'queued' and c.phone_number_id = line.phone_number_id
         order by c.scheduled_at limit greatest(0, least(line.free, $2))) q
     ), chosen as (
       ${trunks.size > 0 ? choiceWithinTrunks : plainChoice}
     )
     select c.call_id, c.organisation_id, c.agent_id, a.name as agent_name, c.contact_number, c.contact_name,
       c.contact_email, c.preferred_language, c.additional_info, c.scheduled_at, c.attempt, n.number as from_number,
       n.carrier, n.trunk_id, a.voicemail_action, a.voicemail_message, a.transfer_to, a.language as agent_language, a.prompt,
       a.greeting, coalesce(b.timezone, o.timezone) as timezone,
       a.branch_id, a.retry_max_attempts, a.retry_delay_ms, a.retry_on, exists (select 1 from do_not_call d
         where d.organisation_id = c.organisation_id and d.number = c.contact_number) as do_not_call
     from chosen join calls c using (call_id) join agents a using (agent_id)
       join phone_numbers n on n.phone_number_id = c.phone_number_id
       join organisations o on o.organisation_id = c.organisation_id
       left join branches b on b.branch_id = a.branch_id
     where c.status = 'queued'
     order by chosen.turn, c.scheduled_at
     for update of c skip locked`,
    trunks.size > 0 ? [lines, capacity, [...trunks.keys()], [...trunks.values()], realLines] : [lines, capacity],
  )
}

/** The intent to dial: committed before the carrier is asked, so that nobody asks twice. */
export async function markInitiated(tx: Queryable, callIds: string[], nodeId: string): Promise<Map<string, Date>> {
  const rows = await tx.query<{ call_id: string; triggered_at: Date }>(
    `update calls set status = '${callMoves.initiate.to}', lease_owner = $2, triggered_at = clock_timestamp(),
       updated_at = now()
     where call_id = any($1) and status = any($3) returning call_id, triggered_at`,
    [callIds, nodeId, callMoves.initiate.from],
  )
  return new Map(rows.map((row) => [row.call_id, row.triggered_at]))
}

/** When they ended, so that the event says what the call says. */
export async function markDisallowed(
  tx: Queryable,
  refusals: { callId: string; code: string; message: string }[],
): Promise<Map<string, Date>> {
  const rows = await tx.query<{ call_id: string; completed_at: Date }>(
    `update calls c set status = '${callMoves.disallow.to}', error_code = t.code, error_message = t.message,
       completed_at = now(), updated_at = now()
     from unnest($1::text[], $2::text[], $3::text[]) as t (call_id, code, message)
     where c.call_id = t.call_id and c.status = any($4) returning c.call_id, c.completed_at`,
    [
      refusals.map((each) => each.callId),
      refusals.map((each) => each.code),
      refusals.map((each) => each.message),
      callMoves.disallow.from,
    ],
  )
  return new Map(rows.map((row) => [row.call_id, row.completed_at]))
}
