import type { CallStatus } from '@parley/contract/calls'
import type { Queryable } from '../platform/db.ts'
import type { CallSource } from './call.ts'

export type CallTimes = {
  source: CallSource
  attempt: number
  agentNumber: string | null
  queuedAt: Date | null
  ringingAt: Date | null
  answeredAt: Date | null
}

export async function selectCallTimes(
  db: Queryable,
  organisationId: string,
  callId: string,
): Promise<CallTimes | undefined> {
  const [row] = await db.query<CallTimes>(
    `select c.source, c.attempt, n.number as "agentNumber", c.queued_at as "queuedAt", c.ringing_at as "ringingAt",
       c.answered_at as "answeredAt"
     from calls c left join phone_numbers n using (phone_number_id)
     where c.organisation_id = $1 and c.call_id = $2`,
    [organisationId, callId],
  )
  return row
}

type RelatedRow = { call_id: string; source: CallSource; status: CallStatus; scheduled_at: Date | null }

/** Those of them that are still there: a call may have been erased. */
export const selectRelatedCalls = (db: Queryable, organisationId: string, callIds: string[]): Promise<RelatedRow[]> =>
  db.query<RelatedRow>(
    `select call_id, source, status, scheduled_at from calls
     where organisation_id = $1 and call_id = any($2) order by created_at`,
    [organisationId, callIds],
  )
