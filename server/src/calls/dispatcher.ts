import { announceChange } from '../platform/changes.ts'
import type { Database } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import type { Metrics } from '../platform/metrics.ts'
import { startLoop } from '../platform/poll.ts'
import type { IncomingCall } from '../voice/ports.ts'
import { createCallWriters } from './call-writer.ts'
import { type ClaimedCall, claimCalls } from './claim-calls.ts'
import { queueDueCalls } from './due-calls.store.ts'
import { reportOverdueOutcomes } from './end-calls.ts'
import { endCallsWithoutLine, endLostCalls, type LostLeg } from './lost-calls.ts'
import { dropNode, renewLease } from './nodes.store.ts'
import { receiveCall } from './receive-call.ts'
import { type RunCallDeps, runCall } from './run-call.ts'

export type DispatcherDeps = RunCallDeps & {
  db: Database
  metrics: Metrics
  nodeCapacity: number
  creditsPerMinute: number
}

export type Dispatcher = {
  /** Calls this node has in the air, or is still writing. */
  live(): number
  /** Ends what is in the air as lost with this node, and waits until that is written. */
  stop(): Promise<void>
}

const pollMs = 100
// Lines that become free within this time are filled by one claim.
const gatherMs = 30
const sweepMs = 1_000
const leaseMs = 5_000
const batch = 500
// Calls committed a moment late, by a slower transaction, lie this far behind the newest seen.
const watermarkSlackMs = 50

/** Nobody carries it any more, and the other side may not have noticed. */
async function endLostLeg({ telephony, openTrunk, log }: DispatcherDeps, { organisationId, callId, trace }: LostLeg) {
  try {
    const trunk = await openTrunk(organisationId, trace.trunkId)
    await telephony[trace.carrier]?.endLost?.(trace, trunk)
  } catch (err) {
    log.warn({ err, call_id: callId }, 'the leg of a lost call could not be ended')
  }
}

/** The loop that makes calls happen: due → queued → claimed → dialled, and the care for those whose node died. */
export async function startDispatcher(deps: DispatcherDeps): Promise<Dispatcher> {
  const { db, log } = deps
  const nodeId = newId('node')
  await renewLease(db, nodeId)
  // A signal of its own for each call: one shared by thousands would collect their listeners.
  const live = new Map<string, { carrier: string; ended: Promise<void>; stop: AbortController }>()
  let stopping = false
  const writerFor = createCallWriters(db, nodeId, deps.creditsPerMinute, () => stopping)
  let watermark: Date | null = null
  let sweptAtMs = Number.NEGATIVE_INFINITY
  let othersWait = true

  const run = (call: ClaimedCall) => {
    const stop = new AbortController()
    const ended = runCall(deps, call, writerFor(call), stop.signal)
      .catch((err: unknown) => log.error({ err, call_id: call.callId }, 'the end of a call could not be written'))
      .finally(() => {
        live.delete(call.callId)
        deps.metrics.callsInTheAir.set(live.size)
        // A line is free again: somebody may be waiting for it.
        if (othersWait) dispatch.wake()
      })
    live.set(call.callId, { carrier: call.carrier, ended, stop })
  }

  /** Calls over trunks this node can carry besides those it has; the sound of each takes a line of its own. */
  const realLines = (): number => {
    const most = deps.telephony.sip?.capacity?.() ?? deps.nodeCapacity
    return most - [...live.values()].filter(({ carrier }) => carrier === 'sip').length
  }

  const carry = async () => {
    while (live.size < deps.nodeCapacity && !stopping) {
      const room = Math.min(batch, deps.nodeCapacity - live.size)
      const claimed = await claimCalls(db, nodeId, room, Math.min(room, realLines()))
      for (const call of claimed) {
        deps.metrics.dialLatenessSeconds.observe(Math.max(0, call.lateMs) / 1_000)
        run(call)
      }
      deps.metrics.callsInTheAir.set(live.size)
      if (claimed.length < room) return
    }
  }

  const dispatch = startLoop({
    everyMs: pollMs,
    gatherMs,
    onError: (err) => log.warn({ err }, 'dispatch failed; it is tried again'),
    work: async () => {
      const nowMs = performance.now()
      const isSweep = nowMs - sweptAtMs >= sweepMs
      const due = await queueDueCalls(db, isSweep ? null : watermark, batch)
      for (const { organisationId } of due) announceChange(db, organisationId, 'calls')
      const newest = due.at(-1)?.scheduledAt
      if (newest) watermark = new Date(newest.getTime() - watermarkSlackMs)
      if (isSweep || due.some((call) => !call.hasLine)) await endCallsWithoutLine(db)
      if (isSweep || due.length > 0 || othersWait) {
        othersWait = true
        await carry()
        othersWait = due.length > 0 || live.size > 0
      }
      if (isSweep) sweptAtMs = nowMs
      return due.length === batch ? 'again' : undefined
    },
  })

  const care = startLoop({
    everyMs: leaseMs,
    onError: (err) => log.warn({ err }, 'the lease could not be renewed; it is tried again'),
    work: async () => {
      await renewLease(db, nodeId)
      const lost = await endLostCalls(db, nodeId, [...live.keys()])
      if (lost.ended > 0) {
        deps.metrics.callsLost.inc(lost.ended)
        log.warn({ calls: lost.ended }, 'ended calls whose node went away')
      }
      for (const leg of lost.legs) void endLostLeg(deps, leg)
      const late = await reportOverdueOutcomes(db)
      if (late > 0) log.warn({ calls: late }, 'reported outcomes without analysis')
      return undefined
    },
  })

  const take = async (incoming: IncomingCall) => {
    if (stopping || live.size >= deps.nodeCapacity || realLines() <= 0) return incoming.refuse('unavailable')
    const received = await receiveCall(db, nodeId, incoming)
    if ('refused' in received) return incoming.refuse(received.refused)
    run(received.call)
    deps.metrics.callsInTheAir.set(live.size)
  }
  for (const telephony of Object.values(deps.telephony)) {
    telephony?.onIncoming?.((incoming) => {
      take(incoming).catch((err: unknown) => {
        log.error({ err }, 'a call that came in could not be taken')
        incoming.refuse('unavailable')
      })
    })
  }

  return {
    live: () => live.size,
    stop: async () => {
      stopping = true
      await dispatch.stop()
      for (const { stop } of live.values()) stop.abort()
      await Promise.all([...live.values()].map(({ ended }) => ended))
      await care.stop()
      await dropNode(db, nodeId).catch(() => {})
    },
  }
}
