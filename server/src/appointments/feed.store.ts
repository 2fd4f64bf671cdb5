import type { Queryable } from '../platform/db.ts'
import type { AppointmentRecord } from './appointment.ts'
import { type AppointmentRow, columns, fromRow } from './appointments.store.ts'

export type FeedRow = {
  branchId: string
  organisationId: string
  branchName: string
  organisationName: string
  timezone: string
}
/** `sequence` grows with every change. */
export type FeedEntry = AppointmentRecord & { sequence: number }

/** Null when the branch has one already, unless it is to be replaced. */
export async function insertFeed(
  tx: Queryable,
  organisationId: string,
  branchId: string,
  tokenHash: Buffer,
  replace: boolean,
): Promise<Date | null> {
  const onConflict = replace ? 'update set token_hash = excluded.token_hash, created_at = now()' : 'nothing'
  const [row] = await tx.query<{ created_at: Date }>(
    `insert into calendar_feeds (branch_id, organisation_id, token_hash)
     select branch_id, organisation_id, $3 from branches where organisation_id = $1 and branch_id = $2
     on conflict (branch_id) do ${onConflict} returning created_at`,
    [organisationId, branchId, tokenHash],
  )
  return row?.created_at ?? null
}

export async function selectFeedSince(db: Queryable, organisationId: string, branchId: string): Promise<Date | null> {
  const [row] = await db.query<{ created_at: Date }>(
    'select created_at from calendar_feeds where organisation_id = $1 and branch_id = $2',
    [organisationId, branchId],
  )
  return row?.created_at ?? null
}

export async function deleteFeed(tx: Queryable, organisationId: string, branchId: string): Promise<boolean> {
  const rows = await tx.query('delete from calendar_feeds where organisation_id = $1 and branch_id = $2 returning 1', [
    organisationId,
    branchId,
  ])
  return rows.length > 0
}

/** The hash is the permission: no organisation is known before it is found. */
export async function selectFeedByToken(db: Queryable, tokenHash: Buffer): Promise<FeedRow | null> {
  const [row] = await db.query<{
    branch_id: string
    organisation_id: string
    branch: string
    organisation: string
    timezone: string
  }>(
    `select f.branch_id, f.organisation_id, b.name as branch, o.name as organisation, b.timezone
     from calendar_feeds f join branches b using (branch_id) join organisations o on o.organisation_id = f.organisation_id
     where f.token_hash = $1`,
    [tokenHash],
  )
  return row
    ? {
        branchId: row.branch_id,
        organisationId: row.organisation_id,
        branchName: row.branch,
        organisationName: row.organisation,
        timezone: row.timezone,
      }
    : null
}

export async function selectFeedEntries(
  db: Queryable,
  organisationId: string,
  branchId: string,
  span: { from: Date; to: Date; limit: number },
): Promise<FeedEntry[]> {
  const rows = await db.query<AppointmentRow & { sequence: number }>(
    `select ${columns}, a.sequence from appointments a
     where a.organisation_id = $1 and a.branch_id = $2 and a.date between $3::timestamptz::date - 1 and $4::timestamptz::date + 1
       and a.ends_at >= $3 and a.starts_at <= $4
     order by a.starts_at, a.appointment_id limit $5`,
    [organisationId, branchId, span.from, span.to, span.limit],
  )
  return rows.map((row) => ({ ...fromRow(row), sequence: row.sequence }))
}
