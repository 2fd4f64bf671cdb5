import type { Database } from '../platform/db.ts'
import { failureOf } from './call-result.ts'
import { selectCallsWithoutLine } from './due-calls.store.ts'
import { endCalls } from './end-calls.ts'
import { followUpFor } from './follow-up.ts'
import { selectLostCalls } from './nodes.store.ts'

// What a lost call held lapses by itself: nobody here knows what it was.
const untalked = { durationSeconds: null, ending: null, charge: 0, hold: null } as const

/** A node that died with a call in the air never causes a second ring: the call ends, and the policy decides on a new one. */
export function endLostCalls(db: Database, nodeId: string, liveHere: string[]): Promise<number> {
  return db.transaction(async (tx) => {
    const lost = await selectLostCalls(tx, nodeId, liveHere)
    if (lost.length === 0) return 0
    const ended = await endCalls(
      tx,
      lost.map(({ callId, owner, attempt, retry }) => ({
        ...untalked,
        callId,
        owner,
        to: 'failed',
        error: failureOf('node_lost'),
        followUp: followUpFor('node_lost', { callbackAt: null, attempt, retry }),
      })),
    )
    return ended.length
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
