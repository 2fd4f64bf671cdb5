import { startLoop } from '../platform/poll.ts'
import { type Deliverer, type DelivererDeps, startDeliverer } from './deliverer.ts'
import { selectQueueHealth } from './queue.store.ts'
import { reconcile } from './reconcile.ts'
import { advanceRecoveries } from './recoveries.service.ts'

export type WebhooksWorker = { stop(): Promise<void> }

const reconcileEveryMs = 60_000
const recoverEveryMs = 500

/** All that a node with the role `webhooks` does. */
export function startWebhooks(deps: DelivererDeps): WebhooksWorker {
  const { db, log } = deps
  const deliverer: Deliverer = startDeliverer(deps)
  const care = startLoop({
    everyMs: reconcileEveryMs,
    onError: (err) => log.warn({ err }, 'deliveries could not be looked over; it is tried again'),
    work: async () => {
      await reconcile(deps)
      return undefined
    },
  })
  const recover = startLoop({
    everyMs: recoverEveryMs,
    onError: (err) => log.warn({ err }, 'a recovery could not go on; it is tried again'),
    work: async () => ((await advanceRecoveries(db)) ? 'again' : undefined),
  })
  return {
    stop: async () => {
      await recover.stop()
      await care.stop()
      await deliverer.stop()
    },
  }
}

/** Read when somebody asks for the metrics; a database that is away leaves them as they were. */
export const webhookHealth = selectQueueHealth
