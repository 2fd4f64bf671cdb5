import { forgetExpiredSessions } from './organisations/sessions.service.ts'
import type { Database } from './platform/db.ts'
import { forgetExpiredKeys } from './platform/idempotency.ts'
import type { Log } from './platform/log.ts'
import { startLoop } from './platform/poll.ts'

export type Workers = { stop(): Promise<void> }

const upkeepEveryMs = 60_000

/** The loops of a node. */
export function startWorkers({ db, log }: { db: Database; log: Log }): Workers {
  const upkeep = startLoop({
    everyMs: upkeepEveryMs,
    work: async () => {
      await forgetExpiredKeys(db)
      await forgetExpiredSessions(db)
    },
    onError: (err) => log.warn({ err }, 'upkeep failed; it is tried again'),
  })
  return { stop: () => upkeep.stop() }
}
