import { recordAudit } from '../platform/audit.ts'
import { decodeCursor, type Page, toPage } from '../platform/cursor.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { type Fault, fault, ParleyError } from '../platform/errors.ts'
import { isE164 } from '../platform/phone.ts'
import { type DoNotCallRecord, deleteDoNotCall, insertDoNotCall, selectDoNotCall } from './do-not-call.store.ts'

export const addDoNotCall = async (tx: Queryable, organisationId: string, numbers: string[]): Promise<void> => {
  await insertDoNotCall(tx, organisationId, numbers)
}

/** One for each line that is no number. */
export const doNotCallFaults = (numbers: unknown): Fault[] =>
  (Array.isArray(numbers) ? numbers : []).flatMap((number: unknown, i) =>
    typeof number === 'string' && !isE164(number)
      ? [fault(`numbers.${i}`, 'format', 'Write the number in E.164, e.g. +15005550000.')]
      : [],
  )

/** The audit line says that it was done, not to whom: a number is personal data. */
export const blockNumbers = (
  db: Database,
  organisationId: string,
  numbers: readonly string[],
  actor: string,
): Promise<{ added: number; alreadyThere: number }> =>
  db.transaction(async (tx) => {
    const wanted = [...new Set(numbers)]
    const added = await insertDoNotCall(tx, organisationId, wanted)
    await recordAudit(tx, { organisationId, actor, action: 'do_not_call.added', resourceId: organisationId })
    return { added, alreadyThere: wanted.length - added }
  })

export const unblockNumber = (db: Database, organisationId: string, number: string, actor: string): Promise<void> =>
  db.transaction(async (tx) => {
    const removed = isE164(number) && (await deleteDoNotCall(tx, organisationId, number))
    if (!removed) throw new ParleyError('NOT_FOUND', 'This number is not on the do-not-call list.')
    await recordAudit(tx, { organisationId, actor, action: 'do_not_call.removed', resourceId: organisationId })
  })

export async function listDoNotCall(
  db: Queryable,
  organisationId: string,
  { limit = 20, cursor, q }: { limit?: number; cursor?: string; q?: string },
): Promise<Page<DoNotCallRecord>> {
  const after = cursor === undefined ? null : decodeCursor(cursor)
  // A plus is no character of an id in a cursor.
  const position = after && { at: after.at, id: `+${after.id}` }
  const rows = await selectDoNotCall(db, organisationId, { part: q ?? null, after: position, limit: limit + 1 })
  return toPage(rows, limit, (row) => ({ at: row.createdAt, id: row.number.slice(1) }))
}
