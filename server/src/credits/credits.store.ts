import type { CreditKind } from '@parley/contract/organisation'
import type { Position } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'

export type CreditEntry = { organisationId: string; kind: CreditKind; amount: number; callId: string | null }

// How an entry moves the balance and what is held of it.
const effects = `case kind when 'grant' then amount when 'charge' then -amount else 0 end as balance,
  case kind when 'hold' then amount when 'release' then -amount else 0 end as held`

/** An organisation's first credit makes its balance. */
export const ensureBalance = (tx: Queryable, organisationId: string): Promise<unknown[]> =>
  tx.query('insert into credit_balances (organisation_id) values ($1) on conflict do nothing', [organisationId])

/** Entries and the balances they lead to are one statement: they cannot disagree. */
export async function insertEntries(tx: Queryable, entries: CreditEntry[]): Promise<void> {
  await tx.query(
    `with input as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
       as t (entry_id, organisation_id, kind, amount, call_id)
     ), written as (
       insert into credit_entries (entry_id, organisation_id, kind, amount, call_id) select * from input
     ), change as (
       select organisation_id, sum(balance) as balance, sum(held) as held
       from (select organisation_id, ${effects} from input) effect group by organisation_id
     )
     update credit_balances b set balance = b.balance + change.balance, held = b.held + change.held
     from change where b.organisation_id = change.organisation_id`,
    [
      entries.map(() => newId('creditEntry')),
      entries.map((entry) => entry.organisationId),
      entries.map((entry) => entry.kind),
      entries.map((entry) => entry.amount),
      entries.map((entry) => entry.callId),
    ],
  )
}

export async function selectBalance(db: Queryable, organisationId: string): Promise<{ balance: number; held: number }> {
  const [row] = await db.query<{ balance: string; held: string }>(
    'select balance, held from credit_balances where organisation_id = $1',
    [organisationId],
  )
  return { balance: Number(row?.balance ?? 0), held: Number(row?.held ?? 0) }
}

/** Locked in one order, so that two nodes never wait for each other in a circle. */
export async function lockFreeCredits(tx: Queryable, organisationIds: string[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ organisation_id: string; free: string }>(
    `select organisation_id, balance - held as free from credit_balances
     where organisation_id = any($1) order by organisation_id for update`,
    [organisationIds],
  )
  return new Map(rows.map((row) => [row.organisation_id, Number(row.free)]))
}

export type CreditRecord = {
  entryId: string
  kind: CreditKind
  amount: number
  callId: string | null
  createdAt: Date
}

/** Newest first. */
export async function selectEntries(
  db: Queryable,
  organisationId: string,
  { after, limit, withHolds }: { after: Position | null; limit: number; withHolds: boolean },
): Promise<CreditRecord[]> {
  const rows = await db.query<Omit<CreditRecord, 'amount'> & { amount: string }>(
    `select entry_id as "entryId", kind, amount, call_id as "callId", created_at as "createdAt" from credit_entries
     where organisation_id = $1 and ($2::timestamptz is null or (created_at, entry_id) < ($2, $3::text))
       and ($5 or kind in ('grant', 'charge'))
     order by created_at desc, entry_id desc limit $4`,
    [organisationId, after?.at ?? null, after?.id ?? null, limit, withHolds],
  )
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }))
}
