import type { Database } from '../platform/db.ts'
import type { LegTrace } from '../voice/ports.ts'
import { failureOf } from './call-result.ts'
import { selectCallsWithoutLine } from './due-calls.store.ts'
import { endCalls } from './end-calls.ts'
import { followUpFor } from './follow-up.ts'
import { selectLostCalls } from './nodes.store.ts'

// What a lost call held lapses by itself: nobody here knows what it was.
const untalked = { durationSeconds: null, ending: null, charge: 0, recorded: null, hold: null } as const

export type LostLeg = { organisationId: string; callId: string; trace: LegTrace }

/**
 * A node that died with a call in the air never causes a second ring: the call ends, and the policy decides on a new one.
 * The legs of those that were on a real line are for the caller to end, now that nobody carries them.
 */
export function endLostCalls(
  db: Database,
  nodeId: string,
  liveHere: string[],
): Promise<{ ended: number; legs: LostLeg[] }> {
  return db.transaction(async (tx) => {
    const lost = await selectLostCalls(tx, nodeId, liveHere)
    if (lost.length === 0) return { ended: 0, legs: [] }
    const ended = await endCalls(
      tx,
      lost.map(({ callId, owner, attempt, retry, isReal }) => ({
        ...untalked,
        // What a real line carried was in the memory of the node that died.
        recorded: isReal ? false : null,
        callId,
        owner,
        to: 'failed',
        error: failureOf('node_lost'),
        followUp: followUpFor('node_lost', { callbackAt: null, attempt, retry }),
      })),
    )
    const ids = new Set(ended.map(({ call }) => call.callId))
    const legs = lost.flatMap(({ organisationId, callId, trace }) =>
      trace && ids.has(callId) ? [{ organisationId, callId, trace }] : [],
    )
    return { ended: ended.length, legs }
  })
}

/** Calls that came due after their agent had lost its number (decisions 3). */
export function endCallsWithoutLine(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    const callIds = await selectCallsWithoutLine(tx, 500)
    if (callIds.length === 0) return 0
    const error = { code: 'agent_error', message: 'The agent had no phone number when the call was due.' }
    const ended = await endCalls(
      tx,
      callIds.map((callId) => ({ ...untalked, callId, owner: null, to: 'failed', error, followUp: null })),
    )
    return ended.length
  })
}
