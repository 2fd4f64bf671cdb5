import type { Queryable } from '../platform/db.ts'

export type HourOfEndpoint = {
  endpointId: string
  /** 0 for the hour up to now. */
  hoursAgo: number
  succeeded: number
  failed: number
  total: number
  oldest: Date
}

/** The newest deliveries by endpoint and hour, found by the index the list of deliveries uses. */
export async function selectHours(
  db: Queryable,
  organisationId: string,
  { hours, limit }: { hours: number; limit: number },
): Promise<{ now: Date; hours: HourOfEndpoint[] }> {
  const rows = await db.query<HourOfEndpoint>(
    `select endpoint_id as "endpointId", floor(extract(epoch from now() - created_at) / 3600)::int as "hoursAgo",
       count(*) filter (where status = 'succeeded')::int as succeeded,
       count(*) filter (where status <> 'succeeded' and attempts > 0)::int as failed,
       count(*)::int as total, min(created_at) as oldest
     from (
       select endpoint_id, created_at, status, attempts from webhook_deliveries
       where organisation_id = $1 and created_at > now() - make_interval(hours => $2)
       order by created_at desc, delivery_id desc limit $3
     ) latest group by 1, 2`,
    [organisationId, hours, limit],
  )
  const [clock] = await db.query<{ now: Date }>('select now()')
  return { now: clock?.now ?? new Date(0), hours: rows.map((row) => ({ ...row, hoursAgo: Math.max(0, row.hoursAgo) })) }
}
