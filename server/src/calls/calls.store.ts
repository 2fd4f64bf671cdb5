import type { CallStatus } from '@parley/contract/calls'
import type { Position } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import type { CallRecord } from './call.ts'
import { callMoves } from './call-state.ts'

type CallRow = {
  call_id: string
  agent_id: string
  agent_name: string
  status: CallStatus
  direction: 'outbound' | 'inbound'
  contact_number: string
  contact_name: string | null
  contact_email: string | null
  preferred_language: string | null
  additional_info: CallRecord['additionalInfo']
  scheduled_at: Date | null
  triggered_at: Date | null
  completed_at: Date | null
  cancelled_at: Date | null
  duration_seconds: number | null
  error_code: string | null
  error_message: string | null
  created_at: Date
  updated_at: Date
}

const columns = `c.call_id, c.agent_id, a.name as agent_name, c.status, c.direction, c.contact_number, c.contact_name,
  c.contact_email, c.preferred_language, c.additional_info, c.scheduled_at, c.triggered_at, c.completed_at,
  c.cancelled_at, c.duration_seconds, c.error_code, c.error_message, c.created_at, c.updated_at`

const fromRow = (row: CallRow): CallRecord => ({
  callId: row.call_id,
  agentId: row.agent_id,
  agentName: row.agent_name,
  status: row.status,
  direction: row.direction,
  contactNumber: row.contact_number,
  contactName: row.contact_name,
  contactEmail: row.contact_email,
  preferredLanguage: row.preferred_language,
  additionalInfo: row.additional_info,
  scheduledAt: row.scheduled_at,
  triggeredAt: row.triggered_at,
  completedAt: row.completed_at,
  cancelledAt: row.cancelled_at,
  durationSeconds: row.duration_seconds,
  errorCode: row.error_code,
  errorMessage: row.error_message,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export async function selectCall(db: Queryable, organisationId: string, callId: string): Promise<CallRecord | null> {
  const [row] = await db.query<CallRow>(
    `select ${columns} from calls c join agents a using (agent_id)
     where c.organisation_id = $1 and c.call_id = $2`,
    [organisationId, callId],
  )
  return row ? fromRow(row) : null
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
    `select ${columns} from calls c join agents a using (agent_id) where ${conditions.join(' and ')}
     order by c.created_at ${filter.order}, c.call_id ${filter.order} limit $2`,
    values,
  )
  return rows.map(fromRow)
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
