import type { Queryable } from '../platform/db.ts'
import { deleteHolds, type Hold } from './release-holds.store.ts'

export type { Hold }

/** The holds of calls that have ended. Holds that are gone already are no matter. */
export const releaseHolds = async (tx: Queryable, holds: Hold[]): Promise<void> => {
  if (holds.length > 0) await deleteHolds(tx, holds)
}
