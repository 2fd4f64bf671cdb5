import type { EventType } from '@parley/contract/events'
import type { Queryable } from '../platform/db.ts'
import { slowLaneFrom } from './lanes.ts'

/** How long until something more becomes due or a lease ends; null when nothing will. */
export async function selectNextDueMs(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{ ms: string | null }>(
    `select ceil(extract(epoch from min(due_at) - now()) * 1000) as ms from webhook_queue where due_at > now()`,
  )
  return row?.ms == null ? null : Math.max(0, Number(row.ms))
}

export type Lane = { endpointId: string; isSlow: boolean }

/**
 * Takes the lanes of endpoints with something due that nobody is sending, for the length of a transaction, so that the
 * caps hold across nodes. A lane another node has, or whose failures are just being counted, is left for the next look.
 * They are found by skipping through the index: a backlog costs nothing. A lease that a crash of the database forgets
 * only means sending again, so this transaction need not wait for the disk.
 */
export async function lockLanes(tx: Queryable): Promise<Lane[]> {
  const rows = await tx.query<{ endpoint_id: string; consecutive_failures: number }>(
    `with recursive hurry as materialized (
       select set_config('synchronous_commit', 'off', true)
     ), queued as (
       (select endpoint_id from webhook_queue order by endpoint_id limit 1)
       union all
       select (select q.endpoint_id from webhook_queue q where q.endpoint_id > queued.endpoint_id order by q.endpoint_id limit 1)
       from queued where queued.endpoint_id is not null
     )
     select e.endpoint_id, e.consecutive_failures from hurry, queued join webhook_endpoints e using (endpoint_id)
     where e.status = 'enabled' and e.deleted_at is null and exists (
       select 1 from webhook_queue q where q.endpoint_id = queued.endpoint_id and q.due_at <= now()
         and (q.leased_until is null or q.leased_until <= now()))
     for no key update of e skip locked`,
  )
  return rows.map((row) => ({ endpointId: row.endpoint_id, isSlow: row.consecutive_failures >= slowLaneFrom }))
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
  data: object
  has_media: boolean
  /** The organisation shares its calls. */
  is_shared: boolean
  is_test: boolean
  created_at: Date
  late_ms: number
}

type ClaimLimits = { perEndpoint: number; slowAfterMs: number; capacity: number; leaseMs: number }

/**
 * Oldest first within a lane, lanes in turn. A lane in which a send has hung for a while gets no second one: neither
 * does one that keeps failing. A lease that ran out belonged to somebody who died; the row is free again.
 */
export function takeDue(tx: Queryable, lanes: Lane[], limits: ClaimLimits): Promise<ClaimedDelivery[]> {
  return tx.query<ClaimedDelivery>(
    `with lanes as (
       select l.endpoint_id,
         case when l.is_slow or bool_or(q.leased_until < now() + ($5::int - $4::int) * interval '1 millisecond') then 1
           else $3::int end - count(q.*) as room
       from unnest($1::text[], $2::boolean[]) as l (endpoint_id, is_slow)
       left join webhook_queue q on q.endpoint_id = l.endpoint_id and q.leased_until > now()
       group by l.endpoint_id, l.is_slow
     ), picked as (
       select p.*, row_number() over (partition by lanes.endpoint_id order by p.due_at, p.delivery_id) as turn
       from lanes cross join lateral (
         select q.delivery_id, q.due_at, q.leased_until is not null as was_leased from webhook_queue q
         where q.endpoint_id = lanes.endpoint_id and q.due_at <= now() and (q.leased_until is null or q.leased_until <= now())
         order by q.due_at, q.delivery_id limit greatest(lanes.room, 0) for update skip locked
       ) p
     ), taken as (
       select delivery_id, was_leased from picked order by turn, due_at, delivery_id limit $6
     )
     update webhook_queue q set leased_until = now() + $5::int * interval '1 millisecond', fence = q.fence + 1
     from taken t join webhook_deliveries d on d.delivery_id = t.delivery_id
       join events v on v.event_id = d.event_id join webhook_endpoints e on e.endpoint_id = d.endpoint_id
     where q.delivery_id = t.delivery_id
     returning q.delivery_id, q.fence, q.attempt, t.was_leased, q.endpoint_id, d.organisation_id, e.url, e.signing, e.secret,
       v.event_id, v.type, v.call_id, v.data, v.has_media, v.is_test, v.created_at,
       (select o.public_share_enabled from organisations o where o.organisation_id = d.organisation_id) as is_shared,
       extract(epoch from now() - q.due_at)::float8 * 1000 as late_ms`,
    [
      lanes.map((lane) => lane.endpointId),
      lanes.map((lane) => lane.isSlow),
      limits.perEndpoint,
      limits.slowAfterMs,
      limits.leaseMs,
      limits.capacity,
    ],
  )
}

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
    `select (select extract(epoch from now() - min(due_at))::float8 from webhook_queue where due_at <= now()) as oldest,
       (select count(*) from webhook_endpoints where status = 'disabled' and deleted_at is null) as disabled`,
  )
  return { oldestDueSeconds: row?.oldest ?? 0, disabledEndpoints: Number(row?.disabled ?? 0) }
}
