import type { Position } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'

/** How many were new. */
export async function insertDoNotCall(tx: Queryable, organisationId: string, numbers: string[]): Promise<number> {
  const rows = await tx.query(
    `insert into do_not_call (organisation_id, number) select $1, unnest($2::text[]) on conflict do nothing
     returning number`,
    [organisationId, numbers],
  )
  return rows.length
}

export type DoNotCallRecord = { number: string; createdAt: Date }

/** Newest first. `part` holds digits and perhaps a plus, nothing that means something to LIKE. */
export const selectDoNotCall = (
  db: Queryable,
  organisationId: string,
  { part, after, limit }: { part: string | null; after: Position | null; limit: number },
): Promise<DoNotCallRecord[]> =>
  db.query<DoNotCallRecord>(
    `select number, created_at as "createdAt" from do_not_call
     where organisation_id = $1 and ($2::text is null or number like '%' || $2 || '%')
       and ($3::timestamptz is null or (created_at, number) < ($3, $4::text))
     order by created_at desc, number desc limit $5`,
    [organisationId, part, after?.at ?? null, after?.id ?? null, limit],
  )

export async function deleteDoNotCall(tx: Queryable, organisationId: string, number: string): Promise<boolean> {
  const rows = await tx.query('delete from do_not_call where organisation_id = $1 and number = $2 returning number', [
    organisationId,
    number,
  ])
  return rows.length === 1
}
