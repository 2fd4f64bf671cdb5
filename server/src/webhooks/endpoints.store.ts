import type { EventType } from '@parley/contract/events'
import type { Queryable } from '../platform/db.ts'
import type { Endpoint, EndpointChange, NewEndpoint } from './endpoint.ts'

type Row = {
  endpoint_id: string
  organisation_id: string
  url: string
  description: string | null
  events: (EventType | '*')[]
  signing: boolean
  status: Endpoint['status']
  disabled_reason: Endpoint['disabledReason']
  disabled_at: Date | null
  consecutive_failures: number
  has_next_secret: boolean
  created_at: Date
  updated_at: Date
}
const columns = `endpoint_id, organisation_id, url, description, events, signing, status, disabled_reason, disabled_at,
  consecutive_failures, next_secret is not null as has_next_secret, created_at, updated_at`

const fromRow = (row: Row): Endpoint => ({
  endpointId: row.endpoint_id,
  organisationId: row.organisation_id,
  url: row.url,
  description: row.description,
  events: row.events,
  signing: row.signing,
  status: row.status,
  disabledReason: row.disabled_reason,
  disabledAt: row.disabled_at,
  consecutiveFailures: row.consecutive_failures,
  hasNextSecret: row.has_next_secret,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export type EndpointToInsert = NewEndpoint & { endpointId: string; organisationId: string; sealedSecret: Buffer }

export async function insertEndpoint(tx: Queryable, endpoint: EndpointToInsert): Promise<void> {
  const { endpointId, organisationId, url, description, events, signing, sealedSecret } = endpoint
  await tx.query(
    `insert into webhook_endpoints (endpoint_id, organisation_id, url, description, events, signing, secret)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [endpointId, organisationId, url, description, events, signing, sealedSecret],
  )
}

export async function countEndpoints(tx: Queryable, organisationId: string): Promise<number> {
  const [row] = await tx.query<{ count: string }>(
    'select count(*) from webhook_endpoints where organisation_id = $1 and deleted_at is null',
    [organisationId],
  )
  return Number(row?.count ?? 0)
}

export async function selectEndpoints(db: Queryable, organisationId: string): Promise<Endpoint[]> {
  const rows = await db.query<Row>(
    `select ${columns} from webhook_endpoints where organisation_id = $1 and deleted_at is null
     order by created_at desc, endpoint_id desc`,
    [organisationId],
  )
  return rows.map(fromRow)
}

export async function selectEndpoint(db: Queryable, organisationId: string, endpointId: string) {
  const [row] = await db.query<Row>(
    `select ${columns} from webhook_endpoints where organisation_id = $1 and endpoint_id = $2 and deleted_at is null`,
    [organisationId, endpointId],
  )
  return row ? fromRow(row) : null
}

/** Held for a change: sends are claimed and counted under the same lock. */
export async function lockEndpoint(tx: Queryable, organisationId: string, endpointId: string) {
  const [row] = await tx.query<Row>(
    `select ${columns} from webhook_endpoints where organisation_id = $1 and endpoint_id = $2 and deleted_at is null
     for no key update`,
    [organisationId, endpointId],
  )
  return row ? fromRow(row) : null
}

/** Switching on starts the count anew. */
export async function updateEndpoint(
  tx: Queryable,
  endpointId: string,
  change: EndpointChange,
): Promise<Endpoint | null> {
  const [row] = await tx.query<Row>(
    `update webhook_endpoints set
       url = coalesce($2, url), description = case when $3 then $4 else description end,
       subscribed_since = case when $5::text[] is null then subscribed_since else now() end,
       events = coalesce($5, events), signing = coalesce($6, signing), status = coalesce($7, status),
       disabled_at = case when $7 = 'disabled' then coalesce(disabled_at, now()) when $7 = 'enabled' then null else disabled_at end,
       disabled_reason = case when $7 = 'disabled' then coalesce(disabled_reason, 'by_hand')
         when $7 = 'enabled' then null else disabled_reason end,
       consecutive_failures = case when $7 = 'enabled' then 0 else consecutive_failures end, updated_at = now()
     where endpoint_id = $1 returning ${columns}`,
    [
      endpointId,
      change.url ?? null,
      change.description !== undefined,
      change.description ?? null,
      change.events ?? null,
      change.signing ?? null,
      change.status ?? null,
    ],
  )
  return row ? fromRow(row) : null
}

/** Gone for its owner; the log of what it was sent stays. What was still to be sent is dropped. */
export const markDeleted = (tx: Queryable, endpointId: string): Promise<unknown[]> =>
  tx.query(
    `with gone as (
       update webhook_endpoints set deleted_at = now(), status = 'disabled', updated_at = now() where endpoint_id = $1
     ), unqueued as (
       delete from webhook_queue where endpoint_id = $1 returning delivery_id
     )
     update webhook_deliveries set status = 'dropped', next_attempt_at = null
     where delivery_id in (select delivery_id from unqueued) or (endpoint_id = $1 and status = 'held')`,
    [endpointId],
  )

export async function selectSecrets(
  db: Queryable,
  organisationId: string,
  endpointId: string,
): Promise<{ url: string; signing: boolean; secret: Buffer; next: Buffer | null } | null> {
  const [row] = await db.query<{ url: string; signing: boolean; secret: Buffer; next: Buffer | null }>(
    `select url, signing, secret, next_secret as next from webhook_endpoints
     where organisation_id = $1 and endpoint_id = $2 and deleted_at is null`,
    [organisationId, endpointId],
  )
  return row ?? null
}

export const stageSecret = (tx: Queryable, endpointId: string, sealed: Buffer | null): Promise<unknown[]> =>
  tx.query('update webhook_endpoints set next_secret = $2, updated_at = now() where endpoint_id = $1', [
    endpointId,
    sealed,
  ])

/** The staged secret, or the given one, is used from the next attempt on. */
export const activateSecret = (tx: Queryable, endpointId: string, sealed: Buffer | null): Promise<unknown[]> =>
  tx.query(
    `update webhook_endpoints set secret = coalesce($2, next_secret), next_secret = null, updated_at = now()
     where endpoint_id = $1`,
    [endpointId, sealed],
  )

export type Notice = { endpointId: string; kind: string; failures: number; lastFailure: string | null; createdAt: Date }

export async function selectNotices(db: Queryable, organisationId: string, limit: number): Promise<Notice[]> {
  return db.query<Notice>(
    `select n.endpoint_id as "endpointId", n.kind, n.consecutive_failures as failures, n.last_failure as "lastFailure",
       n.created_at as "createdAt"
     from webhook_notices n join webhook_endpoints e using (endpoint_id)
     where e.organisation_id = $1 and e.deleted_at is null order by n.created_at desc limit $2`,
    [organisationId, limit],
  )
}
