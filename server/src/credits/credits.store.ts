import type { Queryable } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'

/** The entry and the balance it leads to are one statement: they cannot disagree. */
export async function insertGrant(tx: Queryable, organisationId: string, amount: number): Promise<void> {
  await tx.query(
    `with entry as (
       insert into credit_entries (entry_id, organisation_id, kind, amount) values ($1, $2, 'grant', $3)
     )
     insert into credit_balances (organisation_id, balance) values ($2, $3)
     on conflict (organisation_id) do update set balance = credit_balances.balance + excluded.balance`,
    [newId('creditEntry'), organisationId, amount],
  )
}

export async function selectBalance(db: Queryable, organisationId: string): Promise<number> {
  const [row] = await db.query<{ balance: string }>('select balance from credit_balances where organisation_id = $1', [
    organisationId,
  ])
  return Number(row?.balance ?? 0)
}
