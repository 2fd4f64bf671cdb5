import type { Database } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type RepairKind, repair, repairs } from './reconcile.store.ts'

/** Every minute: looks for promises that were broken in spite of everything, mends them, and says so. */
export async function reconcile({ db, log, metrics }: { db: Database; log: Log; metrics: Metrics }) {
  const found: Partial<Record<RepairKind, number>> = {}
  for (const kind of Object.keys(repairs) as RepairKind[]) {
    const count = await repair(db, kind)
    if (count === 0) continue
    found[kind] = count
    metrics.webhookRepairs.inc({ kind }, count)
    log.warn({ kind, count }, 'a broken promise about deliveries was mended')
  }
  if (Object.keys(found).length > 0) db.announce('deliveries')
  return found
}
