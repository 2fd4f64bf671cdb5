import type { Queryable } from '../platform/db.ts'
import type { FailureClass } from '../platform/safe-post.ts'

export type AttemptToRecord = {
  deliveryId: string
  fence: number
  startedAt: Date
  durationMs: number
  statusCode: number | null
  failure: FailureClass | null
  detail: string | null
  response: string | null
}

const columns = (attempts: AttemptToRecord[]) => [
  attempts.map((each) => each.deliveryId),
  attempts.map((each) => each.fence),
  attempts.map((each) => each.startedAt),
  attempts.map((each) => each.durationMs),
  attempts.map((each) => each.statusCode),
  attempts.map((each) => each.response),
]

/**
 * The usual case in one statement: all of these succeeded. Only results whose fence still holds count. The endpoint's
 * row is written only when there were failures to forget, and then somebody who looks closer must do it: those
 * deliveries are not taken here, and are told by their absence.
 */
export async function recordSuccesses(db: Queryable, attempts: AttemptToRecord[]): Promise<Set<string>> {
  const rows = await db.query<{ delivery_id: string }>(
    `with results as (
       select * from unnest($1::text[], $2::int[], $3::timestamptz[], $4::int[], $5::int[], $6::text[])
         as r (delivery_id, fence, started_at, duration_ms, status_code, response)
     ), done as (
       delete from webhook_queue q using results r, webhook_endpoints e
       where q.delivery_id = any($1) and q.delivery_id = r.delivery_id and q.fence = r.fence
         and e.endpoint_id = q.endpoint_id and e.status = 'enabled' and e.consecutive_failures = 0
       returning q.delivery_id
     ), moved as (
       update webhook_deliveries d
       set status = 'succeeded', attempts = d.attempts + 1, next_attempt_at = null, last_attempt_at = r.started_at
       from done join results r using (delivery_id) where d.delivery_id = done.delivery_id
       returning d.delivery_id, d.attempts
     )
     insert into webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, response)
     select r.delivery_id, moved.attempts, r.started_at, r.duration_ms, r.status_code, r.response
     from moved join results r using (delivery_id)
     returning delivery_id`,
    columns(attempts),
  )
  return new Set(rows.map((row) => row.delivery_id))
}

export type LockedEndpoint = { endpointId: string; organisationId: string; failures: number; isEnabled: boolean }

/** In the order of their ids, so that two nodes never wait for each other in a circle. */
export async function lockEndpoints(tx: Queryable, endpointIds: string[]): Promise<LockedEndpoint[]> {
  const rows = await tx.query<{
    endpoint_id: string
    organisation_id: string
    consecutive_failures: number
    status: string
  }>(
    `select endpoint_id, organisation_id, consecutive_failures, status from webhook_endpoints
     where endpoint_id = any($1) order by endpoint_id for no key update`,
    [endpointIds],
  )
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    organisationId: row.organisation_id,
    failures: row.consecutive_failures,
    isEnabled: row.status === 'enabled',
  }))
}

/** Which of these results still count: their fence is the newest. */
export async function lockFenced(tx: Queryable, attempts: AttemptToRecord[]): Promise<Set<string>> {
  const rows = await tx.query<{ delivery_id: string }>(
    `select q.delivery_id from webhook_queue q
     join unnest($1::text[], $2::int[]) as r (delivery_id, fence) on r.delivery_id = q.delivery_id and r.fence = q.fence
     order by q.delivery_id for update of q`,
    [attempts.map((each) => each.deliveryId), attempts.map((each) => each.fence)],
  )
  return new Set(rows.map((row) => row.delivery_id))
}

export type JudgedAttempt = AttemptToRecord & {
  status: 'succeeded' | 'pending' | 'failed' | 'held'
  /** From now, which is a little after the attempt's end. */
  dueInMs: number | null
}

export async function recordJudged(tx: Queryable, attempts: JudgedAttempt[]): Promise<void> {
  await tx.query(
    `with results as (
       select *, clock_timestamp() + due_ms * interval '1 millisecond' as due_at
       from unnest($1::text[], $2::int[], $3::timestamptz[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[],
           $9::text[], $10::float8[])
         as r (delivery_id, fence, started_at, duration_ms, status_code, response, failure, detail, status, due_ms)
     ), done as (
       delete from webhook_queue q using results r where q.delivery_id = r.delivery_id and r.status <> 'pending'
     ), again as (
       update webhook_queue q set due_at = r.due_at, attempt = q.attempt + 1, leased_until = null
       from results r where q.delivery_id = r.delivery_id and r.status = 'pending'
     ), moved as (
       update webhook_deliveries d set status = r.status, attempts = d.attempts + 1,
         next_attempt_at = r.due_at, last_attempt_at = r.started_at
       from results r where d.delivery_id = r.delivery_id
       returning d.delivery_id, d.attempts
     )
     insert into webhook_attempts
       (delivery_id, number, started_at, duration_ms, status_code, response, failure, detail, next_attempt_at)
     select r.delivery_id, moved.attempts, r.started_at, r.duration_ms, r.status_code, r.response, r.failure, r.detail, r.due_at
     from moved join results r using (delivery_id)`,
    [
      ...columns(attempts),
      attempts.map((each) => each.failure),
      attempts.map((each) => each.detail),
      attempts.map((each) => each.status),
      attempts.map((each) => each.dueInMs),
    ],
  )
}

export async function updateFailures(
  tx: Queryable,
  endpoints: { endpointId: string; failures: number; disable: boolean }[],
): Promise<void> {
  await tx.query(
    `update webhook_endpoints e set consecutive_failures = t.failures,
       status = case when t.disable then 'disabled' else e.status end,
       disabled_at = case when t.disable then now() else e.disabled_at end,
       disabled_reason = case when t.disable then 'failures' else e.disabled_reason end,
       updated_at = case when t.disable then now() else e.updated_at end
     from unnest($1::text[], $2::int[], $3::boolean[]) as t (endpoint_id, failures, disable)
     where e.endpoint_id = t.endpoint_id`,
    [
      endpoints.map((each) => each.endpointId),
      endpoints.map((each) => each.failures),
      endpoints.map((each) => each.disable),
    ],
  )
}

/** What nobody is sending right now waits for better times; what is under way ends by itself. */
export const holdPending = (tx: Queryable, endpointIds: string[]): Promise<unknown[]> =>
  tx.query(
    `with unqueued as (
       delete from webhook_queue
       where endpoint_id = any($1) and (leased_until is null or leased_until <= now()) returning delivery_id
     )
     update webhook_deliveries set status = 'held', next_attempt_at = null
     where delivery_id in (select delivery_id from unqueued)`,
    [endpointIds],
  )

export type NewNotice = {
  noticeId: string
  organisationId: string
  endpointId: string
  kind: 'failing' | 'disabled' | 'recovered'
  failures: number
  lastFailure: string | null
}

export const insertNotices = (tx: Queryable, notices: NewNotice[]): Promise<unknown[]> =>
  tx.query(
    `insert into webhook_notices (notice_id, organisation_id, endpoint_id, kind, consecutive_failures, last_failure)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[])`,
    [
      notices.map((each) => each.noticeId),
      notices.map((each) => each.organisationId),
      notices.map((each) => each.endpointId),
      notices.map((each) => each.kind),
      notices.map((each) => each.failures),
      notices.map((each) => each.lastFailure),
    ],
  )
