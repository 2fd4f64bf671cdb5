import type { EventType } from '@parley/contract/events'
import type { Queryable } from '../platform/db.ts'
import { perEndpoint } from './lanes.ts'

// Every endpoint with something in the queue, found by skipping through the index: a backlog costs nothing.
const queued = `queued as (
       (select endpoint_id from webhook_queue order by endpoint_id limit 1)
       union all
       select (select q.endpoint_id from webhook_queue q where q.endpoint_id > queued.endpoint_id order by q.endpoint_id limit 1)
       from queued where queued.endpoint_id is not null
     )`

/** How long until something more becomes due; null when nothing will. */
export async function selectNextDueMs(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{ ms: string | null }>(
    `with recursive ${queued}
     select ceil(extract(epoch from min(due_at) - now()) * 1000) as ms
     from queued cross join lateral (
       select due_at from webhook_queue q where q.endpoint_id = queued.endpoint_id and q.due_at > now()
       order by due_at limit 1
     ) next`,
  )
  return row?.ms == null ? null : Math.max(0, Number(row.ms))
}

export type Lane = { endpointId: string; failures: number }

/**
 * Takes the lanes of endpoints with something due that nobody is sending, for the length of a transaction, so that the
 * caps hold across nodes. A lane another node has, or whose failures are just being counted, is left for the next look.

 * A lease that a crash of the database forgets
 * only means sending again, so this transaction need not wait for the disk.
 */
export async function lockLanes(tx: Queryable): Promise<Lane[]> {
  const rows = await tx.query<{ endpoint_id: string; consecutive_failures: number }>(
    `with recursive hurry as materialized (
       select set_config('synchronous_commit', 'off', true)
     ), ${queued}
     select e.endpoint_id, e.consecutive_failures from hurry, queued join webhook_endpoints e using (endpoint_id)
     where e.status = 'enabled' and e.deleted_at is null and exists (
       select 1 from webhook_queue q where q.endpoint_id = queued.endpoint_id and q.due_at <= now()
         and (q.leased_until is null or q.leased_until <= now()))
     for no key update of e skip locked`,
  )
  return rows.map((row) => ({ endpointId: row.endpoint_id, failures: row.consecutive_failures }))
}

export type ClaimedDelivery = {
  delivery_id: string
  fence: number
  attempt: number
  was_leased: boolean
  endpoint_id: string
  organisation_id: string
  url: string
  signing: boolean
  secret: Buffer
  event_id: string
  type: EventType
  call_id: string | null
  data: string
  has_media: boolean
  /** The organisation shares its calls. */
  is_shared: boolean
  is_test: boolean
  created_at: Date
  late_ms: number
}

type ClaimLimits = { roomOf: (lane: Lane) => number; slowAfterMs: number; capacity: number; leaseMs: number }

/**
 * Oldest first within a lane, lanes in turn. A lane in which a send has hung for a while gets no second one: neither
 * does one that keeps failing. What is in flight is looked for among the oldest only: that is what was taken first, and
 * behind it may lie half a million. A lease that ran out belonged to somebody who died; the row is free again.
 */
export function takeDue(tx: Queryable, lanes: Lane[], limits: ClaimLimits): Promise<ClaimedDelivery[]> {
  return tx.query<ClaimedDelivery>(
    `with lanes as (
       select l.endpoint_id,
         case when bool_or(q.leased_until < now() + ($4::int - $3::int) * interval '1 millisecond') then 1
           else l.most end - count(q.*) as room
       from unnest($1::text[], $2::int[]) as l (endpoint_id, most)
       left join lateral (
         select leased_until from (
           select leased_until from webhook_queue q where q.endpoint_id = l.endpoint_id
           order by q.due_at, q.delivery_id limit ${2 * perEndpoint}
         ) oldest where leased_until > now()
       ) q on true
       group by l.endpoint_id, l.most
     ), picked as (
       select p.*, row_number() over (partition by lanes.endpoint_id order by p.due_at, p.delivery_id) as turn
       from lanes cross join lateral (
         select q.delivery_id, q.due_at, q.leased_until is not null as was_leased from webhook_queue q
         where q.endpoint_id = lanes.endpoint_id and q.due_at <= now() and (q.leased_until is null or q.leased_until <= now())
         order by q.due_at, q.delivery_id limit greatest(lanes.room, 0) for update skip locked
       ) p
     ), taken as (
       select delivery_id, was_leased from picked order by turn, due_at, delivery_id limit $5
     )
     update webhook_queue q set leased_until = now() + $4::int * interval '1 millisecond', fence = q.fence + 1
     from taken t, events v, webhook_endpoints e
     where q.delivery_id = t.delivery_id and v.event_id = q.event_id and e.endpoint_id = q.endpoint_id
     returning q.delivery_id, q.fence, q.attempt, t.was_leased, q.endpoint_id, v.organisation_id, e.url, e.signing, e.secret,
       v.event_id, v.type, v.call_id, v.data::text, v.has_media, v.is_test, v.created_at,
       (select o.public_share_enabled from organisations o where o.organisation_id = v.organisation_id) as is_shared,
       extract(epoch from now() - q.due_at)::float8 * 1000 as late_ms`,
    [
      lanes.map((lane) => lane.endpointId),
      lanes.map(limits.roomOf),
      limits.slowAfterMs,
      limits.leaseMs,
      limits.capacity,
    ],
  )
}

/** Rows that are gone still lie in the way of every claim; the database's own sweep comes once a minute. */
export const sweepQueue = (db: Queryable): Promise<unknown[]> =>
  db.query('vacuum (skip_locked, truncate false, parallel 0) webhook_queue')

/** Given back untried: a node that stops before it could send. */
export const releaseLeases = (db: Queryable, deliveryIds: string[], fences: number[]): Promise<unknown[]> =>
  db.query(
    `update webhook_queue q set leased_until = null
     from unnest($1::text[], $2::int[]) as t (delivery_id, fence)
     where q.delivery_id = t.delivery_id and q.fence = t.fence`,
    [deliveryIds, fences],
  )

/** Age in seconds of the oldest delivery that is due, throttled ones included; endpoints that are switched off. */
export async function selectQueueHealth(
  db: Queryable,
): Promise<{ oldestDueSeconds: number; disabledEndpoints: number }> {
  const [row] = await db.query<{ oldest: number | null; disabled: string }>(
    `with recursive ${queued}
     select (
         select extract(epoch from now() - min(due_at))::float8 from queued cross join lateral (
           select due_at from webhook_queue q where q.endpoint_id = queued.endpoint_id and q.due_at <= now()
           order by due_at limit 1
         ) first
       ) as oldest,
       (select count(*) from webhook_endpoints where status = 'disabled' and deleted_at is null) as disabled`,
  )
  return { oldestDueSeconds: row?.oldest ?? 0, disabledEndpoints: Number(row?.disabled ?? 0) }
}
