import { type Dispatcher, type DispatcherDeps, startDispatcher } from './calls/dispatcher.ts'
import type { NodeRole } from './config.ts'
import { forgetOldHookRequests } from './hooks/hooks.service.ts'
import type { Storage } from './media/ports.ts'
import { removeScheduled } from './media/removals.service.ts'
import { forgetExpiredSessions } from './organisations/sessions.service.ts'
import { forgetExpiredKeys } from './platform/idempotency.ts'
import { startLoop } from './platform/poll.ts'
import type { DelivererDeps } from './webhooks/deliverer.ts'
import { startWebhooks } from './webhooks/webhooks-worker.ts'

export type WorkersDeps = DispatcherDeps & DelivererDeps & { storage: Storage; roles: readonly NodeRole[] }
export type Workers = { stop(): Promise<void> }

const upkeepEveryMs = 60_000

/** The loops of a node, as far as its roles go. */
export async function startWorkers(deps: WorkersDeps): Promise<Workers> {
  const upkeep = startLoop({
    everyMs: upkeepEveryMs,
    onError: (err) => deps.log.warn({ err }, 'upkeep failed; it is tried again'),
    work: async () => {
      await forgetExpiredKeys(deps.db)
      await forgetExpiredSessions(deps.db)
      await forgetOldHookRequests(deps.db)
      await removeScheduled(deps.db, deps.storage)
      return undefined
    },
  })
  const dispatcher: Dispatcher | null = deps.roles.includes('calls') ? await startDispatcher(deps) : null
  const webhooks = deps.roles.includes('webhooks') ? startWebhooks(deps) : null
  return {
    stop: async () => {
      await dispatcher?.stop()
      await webhooks?.stop()
      await upkeep.stop()
    },
  }
}
