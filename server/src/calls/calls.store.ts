import type { CallStatus } from '@parley/contract/calls'
import type { Position } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import type { CallRecord } from './call.ts'
import { type CallRow, callColumns, fromCallRow } from './call-row.ts'
import { callMoves } from './call-state.ts'

export async function selectCall(db: Queryable, organisationId: string, callId: string): Promise<CallRecord | null> {
  const [row] = await db.query<CallRow>(
    `select ${callColumns} from calls c join agents a using (agent_id)
     where c.organisation_id = $1 and c.call_id = $2`,
    [organisationId, callId],
  )
  return row ? fromCallRow(row) : null
}

export type CallFilter = {
  statuses: CallStatus[] | null
  agentId: string | null
  contactNumber: string | null
  createdFrom: Date | null
  createdTo: Date | null
  order: 'asc' | 'desc'
  after: Position | null
  limit: number
}

/** Keyset paging on (created_at, call_id): no page shifts when calls come or are erased meanwhile. */
export async function selectCalls(db: Queryable, organisationId: string, filter: CallFilter): Promise<CallRecord[]> {
  const values: unknown[] = [organisationId, filter.limit]
  const conditions = ['c.organisation_id = $1']
  const where = (condition: (...places: string[]) => string, ...given: unknown[]) => {
    const places = given.map((value) => `$${values.push(value)}`)
    conditions.push(condition(...places))
  }
  if (filter.statuses) where((list) => `c.status = any(${list})`, filter.statuses)
  if (filter.agentId) where((id) => `c.agent_id = ${id}`, filter.agentId)
  if (filter.contactNumber) where((number) => `c.contact_number = ${number}`, filter.contactNumber)
  if (filter.createdFrom) where((from) => `c.created_at >= ${from}`, filter.createdFrom)
  if (filter.createdTo) where((to) => `c.created_at < ${to}`, filter.createdTo)
  if (filter.after) {
    const beyond = filter.order === 'desc' ? '<' : '>'
    where((at, id) => `(c.created_at, c.call_id) ${beyond} (${at}, ${id})`, filter.after.at, filter.after.id)
  }
  const rows = await db.query<CallRow>(
    `select ${callColumns} from calls c join agents a using (agent_id) where ${conditions.join(' and ')}
     order by c.created_at ${filter.order}, c.call_id ${filter.order} limit $2`,
    values,
  )
  return rows.map(fromCallRow)
}

/** Competes with the dial for one row: whoever changes the status first has won (decisions 3). */
export async function cancelIfPending(db: Queryable, organisationId: string, callId: string): Promise<Date | null> {
  const [row] = await db.query<{ cancelled_at: Date }>(
    `update calls set status = $3, cancelled_at = now(), updated_at = now()
     where organisation_id = $1 and call_id = $2 and status = any($4) returning cancelled_at`,
    [organisationId, callId, callMoves.cancel.to, callMoves.cancel.from],
  )
  return row?.cancelled_at ?? null
}

/** By id alone: a signed link is the permission. Only calls that are over have a recording. */
export async function selectCallForMedia(
  db: Queryable,
  callId: string,
): Promise<{ organisationId: string; durationSeconds: number; language: string; recorded: boolean | null } | null> {
  const [row] = await db.query<{
    organisation_id: string
    duration_seconds: number | null
    language: string
    recorded: boolean | null
  }>(
    `select c.organisation_id, c.duration_seconds, c.recorded, coalesce(c.preferred_language, a.language) as language
     from calls c join agents a using (agent_id)
     where c.call_id = $1 and c.answered_at is not null and c.status in ('completed', 'failed')`,
    [callId],
  )
  return row
    ? {
        organisationId: row.organisation_id,
        durationSeconds: row.duration_seconds ?? 0,
        language: row.language,
        recorded: row.recorded,
      }
    : null
}
