import { decodeCursor, type Page, toPage } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import {
  type CreditEntry,
  type CreditRecord,
  ensureBalance,
  insertEntries,
  lockFreeCredits,
  selectBalance,
  selectEntries,
} from './credits.store.ts'

export async function grantCredits(tx: Queryable, organisationId: string, amount: number): Promise<void> {
  await ensureBalance(tx, organisationId)
  await insertEntries(tx, [{ organisationId, kind: 'grant', amount, callId: null }])
}

export const creditBalance = selectBalance

/** The ledger, newest first. */
export async function listCreditEntries(
  db: Queryable,
  organisationId: string,
  { limit = 20, cursor, show = 'all' }: { limit?: number; cursor?: string; show?: 'settled' | 'all' },
): Promise<Page<CreditRecord>> {
  const after = cursor === undefined ? null : decodeCursor(cursor)
  const rows = await selectEntries(db, organisationId, { after, limit: limit + 1, withHolds: show === 'all' })
  return toPage(rows, limit, (row) => ({ at: row.createdAt, id: row.entryId }))
}

/** What organisations have left beyond what calls in the air hold. Locks them until the transaction ends. */
export const freeCredits = lockFreeCredits

type HeldCall = { organisationId: string; callId: string }

/** One credit per call that is about to be dialled. */
export async function holdCredits(tx: Queryable, calls: HeldCall[]): Promise<void> {
  if (calls.length > 0)
    await insertEntries(
      tx,
      calls.map((call): CreditEntry => ({ ...call, kind: 'hold', amount: 1 })),
    )
}

/** Gives back each call's hold and charges what it came to. */
export async function settleCredits(tx: Queryable, calls: (HeldCall & { charge: number })[]): Promise<void> {
  const entries = calls.flatMap(({ charge, ...call }): CreditEntry[] => [
    { ...call, kind: 'release', amount: 1 },
    ...(charge > 0 ? [{ ...call, kind: 'charge', amount: charge } as const] : []),
  ])
  if (entries.length === 0) return
  await lockFreeCredits(tx, [...new Set(calls.map((call) => call.organisationId))])
  await insertEntries(tx, entries)
}

/** One credit rate per started minute of talk, at least one minute per answered call (decisions 3). */
export const creditsFor = (talkSeconds: number, perMinute: number): number =>
  Math.max(1, Math.ceil(talkSeconds / 60)) * perMinute
