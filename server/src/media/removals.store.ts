import type { Queryable } from '../platform/db.ts'

/** Written in the transaction that erases, so that a store that is away only delays the removal. */
export const insertRemoval = (tx: Queryable, key: string): Promise<unknown[]> =>
  tx.query('insert into media_removals (key) values ($1) on conflict do nothing', [key])

export async function selectRemovals(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ key: string }>('select key from media_removals order by created_at limit $1', [limit])
  return rows.map((row) => row.key)
}

export const deleteRemoval = (db: Queryable, key: string): Promise<unknown[]> =>
  db.query('delete from media_removals where key = $1', [key])
