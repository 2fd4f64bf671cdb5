import type { Queryable } from '../platform/db.ts'
import type { Storage } from './ports.ts'
import { deleteRemoval, insertRemoval, selectRemovals } from './removals.store.ts'

export const recordingKey = (organisationId: string, callId: string): string =>
  `recordings/${organisationId}/${callId}.wav`

export const scheduleRemoval = insertRemoval

/** Removes what erased calls left in the store; what fails is tried again at the next upkeep. */
export async function removeScheduled(db: Queryable, storage: Storage): Promise<void> {
  for (const key of await selectRemovals(db, 100)) {
    await storage.remove(key)
    await deleteRemoval(db, key)
  }
}
