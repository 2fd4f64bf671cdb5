import type { MediaLinks } from '../media/media-links.ts'
import { createBatcher } from '../platform/batch.ts'
import { announceChange } from '../platform/changes.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { persist } from '../platform/persist.ts'
import { startLoop } from '../platform/poll.ts'
import type { SafePost } from '../platform/safe-post.ts'
import type { Vault } from '../platform/secrets.ts'
import { createPace, leaseMarginMs, perNode, slowAfterMs } from './lanes.ts'
import {
  type ClaimedDelivery,
  type Lane,
  lockLanes,
  releaseLeases,
  selectNextDueMs,
  sweepQueue,
  takeDue,
} from './queue.store.ts'
import { type FinishedAttempt, type Recorded, recordAttempts } from './record-attempts.ts'
import { type SendDeps, sendEvent } from './send-event.ts'

export type DelivererDeps = {
  db: Database
  clock: Clock
  log: Log
  metrics: Metrics
  vault: Vault
  mediaLinks: MediaLinks
  shares: SendDeps['shares']
  safePost: SafePost
  webhooks: { retryDelaysMs: readonly number[]; timeoutMs: number }
}
export type Deliverer = { stop(): Promise<void> }

const pollMs = 500
// Events that are committed within this time are claimed together.
const gatherMs = 2
const batch = 400
const fillMs = 20
const sweepEvery = 1_000

/** The loop that sends what is due: claim with a lease, send outside of any transaction, record under the fence. */
export function startDeliverer(deps: DelivererDeps): Deliverer {
  const { db, log, metrics, webhooks } = deps
  const leaseMs = webhooks.timeoutMs + leaseMarginMs
  const sending = new Map<string, Promise<void>>()
  let stopping = false
  let alarm: NodeJS.Timeout | undefined
  const pace = createPace()
  const roomOf = (lane: Lane) => pace.roomFor(lane.endpointId, lane.failures)

  const record = createBatcher<FinishedAttempt, Recorded>(
    async (attempts) => {
      // A database that is away for a moment must not make us send again what was answered.
      const write = () => recordAttempts(db, attempts, webhooks.retryDelaysMs)
      const { recorded, notices } = await persist(write, () => leaseMs)
      for (const { kind, endpointId, organisationId, failures } of notices) {
        const about = { endpoint_id: endpointId, organisation_id: organisationId, failures }
        if (kind === 'failing') log.warn(about, 'a webhook endpoint keeps failing')
        else if (kind === 'disabled') log.warn(about, 'a webhook endpoint was switched off')
        else log.info(about, 'a webhook endpoint is well again')
      }
      return recorded
    },
    { lanes: 1 },
  )

  let unswept = 0
  const sweep = () => {
    unswept += 1
    if (unswept < sweepEvery || stopping) return
    unswept = 0
    sweepQueue(db).catch((err: unknown) => log.warn({ err }, 'the queue could not be swept; it is tried again'))
  }

  const carry = async (delivery: ClaimedDelivery): Promise<void> => {
    const startedAt = deps.clock.now()
    try {
      const sent = await sendEvent(deps, delivery, startedAt)
      pace.answered(delivery.endpoint_id, sent.failure === null)
      const recorded = await record({
        durationMs: sent.durationMs,
        statusCode: sent.statusCode,
        failure: sent.failure,
        detail: sent.detail,
        response: sent.response,
        deliveryId: delivery.delivery_id,
        endpointId: delivery.endpoint_id,
        fence: delivery.fence,
        number: delivery.attempt + 1,
        counts: !delivery.is_test,
        startedAt,
        endedAtMs: performance.now(),
      })
      announceChange(db, delivery.organisation_id, 'deliveries')
      metrics.webhookAttempts.inc({ result: recorded === 'late' ? 'late' : (sent.failure ?? 'ok') })
    } catch (err) {
      // Not the receiver's fault, so it is not counted: the lease runs out, and the delivery is tried again.
      log.error({ err, delivery_id: delivery.delivery_id }, 'a delivery could not be sent or recorded')
    } finally {
      sending.delete(delivery.delivery_id)
      metrics.webhooksInFlight.set(sending.size)
      ended += 1
      if (ended >= wakeAfter) loop.wake()
      sweep()
    }
  }

  // When a lane had something to send that did not fit, the end of a send makes room for it. Under load a claim waits
  // until half of the last one has ended, so that claims stay few and large.
  let wakeAfter = Number.POSITIVE_INFINITY
  let ended = 0
  const claim = async (capacity: number): Promise<ClaimedDelivery[]> => {
    ended = 0
    if (capacity <= 0) return []
    return db.transaction(async (tx) => {
      const lanes = await lockLanes(tx)
      if (lanes.length === 0) {
        wakeAfter = Number.POSITIVE_INFINITY
        return []
      }
      const taken = await takeDue(tx, lanes, { roomOf, slowAfterMs, capacity, leaseMs })
      wakeAfter = Math.ceil(taken.length / 2)
      return taken
    })
  }

  const work = async (): Promise<'again' | undefined> => {
    const capacity = Math.min(batch, perNode - sending.size)
    const taken = await claim(capacity)
    if (stopping) {
      const fences = taken.map((each) => each.fence)
      await releaseLeases(
        db,
        taken.map((each) => each.delivery_id),
        fences,
      )
      return undefined
    }
    for (const delivery of taken.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1))) {
      if (delivery.was_leased) metrics.webhookRepairs.inc({ kind: 'expired_lease' })
      metrics.webhookLatenessSeconds.observe(delivery.late_ms / 1_000)
      sending.set(delivery.delivery_id, carry(delivery))
    }
    metrics.webhooksInFlight.set(sending.size)
    if (taken.length === 0) await wakeWhenDue()
    // Should some of them take their time, the others' places are filled all the same.
    else if (wakeAfter > 0) wakeIn(fillMs)
    return taken.length === capacity ? 'again' : undefined
  }

  /** A retry is sent at its time, not at the next look. */
  const wakeWhenDue = async () => {
    const dueMs = await selectNextDueMs(db)
    if (dueMs !== null && dueMs < pollMs) wakeIn(dueMs + 1)
  }
  const wakeIn = (ms: number) => {
    clearTimeout(alarm)
    alarm = setTimeout(() => loop.wake(), ms).unref()
  }

  const loop = startLoop({
    everyMs: pollMs,
    gatherMs,
    onError: (err) => log.warn({ err }, 'deliveries could not be claimed; it is tried again'),
    work,
  })
  const stopListening = db.onAnnounced('deliveries', () => loop.wake())

  return {
    stop: async () => {
      stopping = true
      stopListening()
      clearTimeout(alarm)
      await loop.stop()
      await Promise.all(sending.values())
    },
  }
}
