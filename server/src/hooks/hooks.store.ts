import type { HookAction } from '@parley/contract/hooks'
import type { Position } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import type { HookRequestRecord } from './request-record.ts'

export type SeenSignature = { times: number; sameKey: boolean; settled: boolean }

/**
 * Counts a signed request. The row is locked and read as it is now, so of many at once exactly one sees the first time,
 * on whichever node. Kept an hour: twice the tolerance, and nodes whose clocks disagree.
 */
export async function countSignature(db: Queryable, digest: string, keyHash: string | null): Promise<SeenSignature> {
  const [row] = await db.query<{ times: number; same_key: boolean; settled: boolean }>(
    `insert into hook_signatures as s (digest, key_hash, expires_at) values ($1, $2, now() + interval '1 hour')
     on conflict (digest) do update set times = s.times + 1
     returning times, coalesce(s.key_hash = $2, false) as same_key, settled`,
    [digest, keyHash],
  )
  return { times: Number(row?.times), sameKey: row?.same_key === true, settled: row?.settled === true }
}

export const settleSignature = (db: Queryable, digest: string): Promise<unknown[]> =>
  db.query('update hook_signatures set settled = true where digest = $1', [digest])

// The day is the database's, in UTC, so that nodes agree on when it ends.
const today = `(now() at time zone 'utc')::date`
// A date alone would be read in the session's time zone first.
const resetsAt = `((${today} + 1)::timestamp at time zone 'utc')`

export type CountedRequest = { used: number | null; resetsInSeconds: number }

/** One statement takes one from the day's quota, or nothing when none is left: `used` is null then. */
export async function countRequest(db: Queryable, organisationId: string, limit: number): Promise<CountedRequest> {
  const [row] = await db.query<{ used: number | null; resets_in: string }>(
    `with counted as (
       insert into hook_usage as u (organisation_id, day, requests) select $1, ${today}, 1 where $2 > 0
       on conflict (organisation_id, day) do update set requests = u.requests + 1 where u.requests < $2
       returning requests
     )
     select (select requests from counted) as used, ceil(extract(epoch from ${resetsAt} - now())) as resets_in`,
    [organisationId, limit],
  )
  return { used: row?.used ?? null, resetsInSeconds: Math.max(1, Number(row?.resets_in)) }
}

export async function selectUsage(db: Queryable, organisationId: string): Promise<{ used: number; resetsAt: Date }> {
  const [row] = await db.query<{ used: number; resets_at: Date }>(
    `select coalesce((select requests from hook_usage where organisation_id = $1 and day = ${today}), 0) as used,
       ${resetsAt} as resets_at`,
    [organisationId],
  )
  return { used: Number(row?.used), resetsAt: row?.resets_at ?? new Date(0) }
}

export async function insertHookRequest(
  db: Queryable,
  organisationId: string,
  record: HookRequestRecord,
): Promise<void> {
  await db.query(
    `insert into hook_requests (request_id, organisation_id, at, action, status, code, reason, replayed, call_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      record.requestId,
      organisationId,
      record.at,
      record.action,
      record.status,
      record.code,
      record.reason,
      record.replayed,
      record.callId,
    ],
  )
}

type HookRequestRow = {
  request_id: string
  at: Date
  action: HookAction | null
  status: number
  code: string | null
  reason: string | null
  replayed: boolean
  call_id: string | null
}

/** Newest first, after `after`. */
export async function selectHookRequests(
  db: Queryable,
  organisationId: string,
  { after, limit, isRefused }: { after: Position | null; limit: number; isRefused: boolean | null },
): Promise<HookRequestRecord[]> {
  const rows = await db.query<HookRequestRow>(
    `select request_id, at, action, status, code, reason, replayed, call_id from hook_requests
     where organisation_id = $1 and ($2::timestamptz is null or (at, request_id) < ($2, $3))
       and ($5::boolean is null or (status >= 400) = $5)
     order by at desc, request_id desc limit $4`,
    [organisationId, after?.at ?? null, after?.id ?? null, limit, isRefused],
  )
  return rows.map(fromRequestRow)
}

const fromRequestRow = ({ request_id, call_id, ...row }: HookRequestRow): HookRequestRecord => ({
  ...row,
  requestId: request_id,
  callId: call_id,
})

/** Those that did something to this call, looked for around the times when something was done: records are kept by time. */
export async function selectRequestsOfCall(
  db: Queryable,
  organisationId: string,
  callId: string,
  around: Date[],
): Promise<HookRequestRecord[]> {
  const rows = await db.query<HookRequestRow>(
    `select distinct r.request_id, r.at, r.action, r.status, r.code, r.reason, r.replayed, r.call_id
     from unnest($3::timestamptz[]) as near (at) join hook_requests r on r.organisation_id = $1
       and r.at between near.at - interval '1 minute' and near.at + interval '1 minute'
     where r.call_id = $2 and r.status < 300 order by r.at, r.request_id limit 20`,
    [organisationId, callId, around],
  )
  return rows.map(fromRequestRow)
}

export const deleteExpiredSignatures = (db: Queryable): Promise<unknown[]> =>
  db.query('delete from hook_signatures where expires_at <= now()')

export const deleteOldUsage = (db: Queryable, days: number): Promise<unknown[]> =>
  db.query(`delete from hook_usage where day < ${today} - $1::int`, [days])

export const deleteOldHookRequests = (db: Queryable, days: number): Promise<unknown[]> =>
  db.query(`delete from hook_requests where at < now() - make_interval(days => $1)`, [days])

/** Only where something came lately: nothing grows elsewhere. */
export const deleteSurplusHookRequests = (db: Queryable, kept: number): Promise<unknown[]> =>
  db.query(
    `with busy as (
       select distinct organisation_id from hook_requests where at > now() - interval '1 hour'
     ), cut as (
       select organisation_id, (select at from hook_requests r where r.organisation_id = busy.organisation_id
         order by at desc offset $1 limit 1) as at from busy
     )
     delete from hook_requests r using cut where r.organisation_id = cut.organisation_id and r.at <= cut.at`,
    [kept],
  )
