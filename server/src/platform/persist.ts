import { setTimeout as sleep } from 'node:timers/promises'
import { isAway } from './db.ts'

const longestWaitMs = 2_000

/**
 * Writes, and tries again while the database is away, for as long as there is patience. What it writes must bear being
 * repeated: a compare-and-set, something fenced, or a no-op the second time.
 */
export async function persist<T>(write: () => Promise<T>, patienceMs: () => number): Promise<T> {
  for (let waitMs = 50, waitedMs = 0; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await write()
    } catch (error) {
      if (!isAway(error) || waitedMs >= patienceMs()) throw error
      await sleep(waitMs)
      waitedMs += waitMs
    }
  }
}
