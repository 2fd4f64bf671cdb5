import { recordAudit } from '../platform/audit.ts'
import { announceChange } from '../platform/changes.ts'
import type { Database, Queryable, Transaction } from '../platform/db.ts'
import { fault, ParleyError, validationError } from '../platform/errors.ts'
import { isId, newId } from '../platform/ids.ts'
import { refuseWhileDisabled } from './deliveries.service.ts'
import { requeue } from './deliveries.store.ts'
import { getEndpoint } from './endpoints.service.ts'
import {
  advanceRecovery,
  countLost,
  insertRecovery,
  lockOpenRecovery,
  markCancelled,
  type Recovery,
  type RecoveryRange,
  selectLost,
  selectRecoveries,
  selectRecovery,
} from './recoveries.store.ts'

export type { Recovery } from './recoveries.store.ts'

const batch = 100
// While this much of the endpoint's waits to be sent, nothing is added: fresh events are not to stand behind old ones.
const enoughQueued = 200

function refuseEmptyRange({ since, until }: RecoveryRange): void {
  if (since < until) return
  const message = 'This must lie before `until`, which is now when it is not given.'
  throw validationError([fault('since', 'range', message)])
}

/** How many deliveries a recovery would replay. */
export async function countRecoverable(db: Queryable, organisationId: string, range: RecoveryRange): Promise<number> {
  refuseEmptyRange(range)
  await getEndpoint(db, organisationId, range.endpointId)
  return countLost(db, range)
}

/** All that failed or was held in a stretch of time, replayed in the background by whichever node is there. */
export async function startRecovery(
  db: Database,
  organisationId: string,
  range: RecoveryRange,
  actor: string,
): Promise<Recovery> {
  refuseEmptyRange(range)
  return db.transaction(async (tx) => {
    refuseWhileDisabled(await getEndpoint(tx, organisationId, range.endpointId))
    const total = await countLost(tx, range)
    const recovery = await insertRecovery(tx, { ...range, organisationId, total, recoveryId: newId('recovery') })
    await recordAudit(tx, {
      organisationId,
      actor,
      action: 'webhook_recovery.started',
      resourceId: recovery.recoveryId,
    })
    tx.announce('deliveries')
    announceChange(tx, organisationId, 'deliveries')
    return recovery
  })
}

export async function getRecovery(db: Queryable, organisationId: string, recoveryId: string): Promise<Recovery> {
  const recovery = isId('recovery', recoveryId) ? await selectRecovery(db, organisationId, recoveryId) : null
  if (!recovery) throw new ParleyError('NOT_FOUND', 'There is no such recovery.')
  return recovery
}

export async function listRecoveries(db: Queryable, organisationId: string, endpointId: string): Promise<Recovery[]> {
  await getEndpoint(db, organisationId, endpointId)
  return selectRecoveries(db, organisationId, endpointId)
}

/** What was replayed already stays so. */
export function cancelRecovery(
  db: Database,
  organisationId: string,
  recoveryId: string,
  actor: string,
): Promise<Recovery> {
  return db.transaction(async (tx) => {
    await getRecovery(tx, organisationId, recoveryId)
    const cancelled = await markCancelled(tx, organisationId, recoveryId)
    if (cancelled.length > 0) {
      announceChange(tx, organisationId, 'deliveries')
      await recordAudit(tx, { organisationId, actor, action: 'webhook_recovery.cancelled', resourceId: recoveryId })
    }
    return getRecovery(tx, organisationId, recoveryId)
  })
}

/** One step of every open recovery that may go on. True when one of them has more to do right away. */
export async function advanceRecoveries(db: Database): Promise<boolean> {
  const seen: string[] = []
  let hasMore = false
  for (;;) {
    const step = await db.transaction((tx) => advanceOne(tx, seen))
    if (!step) return hasMore
    seen.push(step.recoveryId)
    hasMore ||= step.hasMore
  }
}

async function advanceOne(tx: Transaction, seen: string[]): Promise<{ recoveryId: string; hasMore: boolean } | null> {
  const recovery = await lockOpenRecovery(tx, seen, enoughQueued)
  if (!recovery) return null
  const { recoveryId } = recovery
  if (!recovery.endpointIsEnabled) {
    // Switched off again meanwhile: what is left stays held.
    await advanceRecovery(tx, recoveryId, { replayed: 0, reachedAt: null, reachedId: null, status: 'cancelled' })
    announceChange(tx, recovery.organisationId, 'deliveries')
    return { recoveryId, hasMore: false }
  }
  if (recovery.queued >= enoughQueued) return { recoveryId, hasMore: false }
  const found = await selectLost(tx, recovery, batch)
  const last = found.at(-1)
  const replayed =
    found.length > 0
      ? await requeue(
          tx,
          found.map((each) => each.deliveryId),
        )
      : 0
  const isDone = found.length < batch
  await advanceRecovery(tx, recoveryId, {
    replayed,
    reachedAt: last?.createdAt ?? null,
    reachedId: last?.deliveryId ?? null,
    status: isDone ? 'done' : 'running',
  })
  if (replayed > 0) tx.announce('deliveries')
  if (replayed > 0 || isDone) announceChange(tx, recovery.organisationId, 'deliveries')
  return { recoveryId, hasMore: !isDone }
}
