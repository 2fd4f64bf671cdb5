import { type CallingProblem, callingProblems } from '../agents/agent.ts'
import { agentFault } from '../agents/callable-agent.ts'
import { noSuchKey } from '../api-keys/api-key.ts'
import { announceChange } from '../platform/changes.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { type IdempotencyClaim, type OnceAnswered, replayOf } from '../platform/idempotency.ts'
import { newId } from '../platform/ids.ts'
import { createIsoWriter } from '../platform/iso-text.ts'
import type { NewCall } from './call.ts'
import { createdAnswer } from './created-answer.ts'
import { type CallToInsert, createCallInserter, type InsertCall, type InsertOutcome } from './insert-calls.store.ts'
import { agentNotCallable } from './refuse-call.ts'

export type CreateCallDeps = { db: Database; clock: Clock; insertCall: InsertCall; callDelayMs: number }

export const callCreation = (deps: Omit<CreateCallDeps, 'insertCall'>): CreateCallDeps => ({
  ...deps,
  insertCall: createCallInserter(deps.db),
})

/** Who creates it. A key that was not asked for yet is asked for by the statement that inserts the call. */
export type CallCreator = { organisationId: string; uncheckedKeyId: string | null }

export async function createCall(
  deps: CreateCallDeps,
  { organisationId, uncheckedKeyId }: CallCreator,
  call: NewCall,
  claim: IdempotencyClaim | null,
): Promise<OnceAnswered> {
  const createdAt = deps.clock.now()
  const scheduledAt = scheduledText(call.scheduledAt?.getTime() ?? createdAt.getTime() + deps.callDelayMs)
  const callId = newId('call')
  const answer = createdAnswer(callId, scheduledAt)
  const row: CallToInsert = {
    call,
    callId,
    organisationId,
    uncheckedKeyId,
    scheduledAt,
    createdAt: createdText(createdAt.getTime()),
    claim,
  }

  for (let tries = 0; tries < mostTries; tries += 1) {
    const outcome = await deps.insertCall(row)
    if (outcome === 'created') {
      announceChange(deps.db, organisationId, 'calls')
      return { answer, replayed: false }
    }
    if (outcome === 'key_refused') throw noSuchKey()
    // Whatever stands in the way now, a request that succeeded once is answered as it was then.
    const replay = await replayOf(deps.db, claim)
    if (replay !== null) return { answer: replay, replayed: true }
    refuseUncallable(outcome)
  }
  throw new ParleyError('UNAVAILABLE', 'Try again.', { headers: { 'retry-after': '1' } })
}

const createdText = createIsoWriter()
const scheduledText = createIsoWriter()

// A key that expired is free for whoever is quickest; the others find it taken again.
const mostTries = 5

function refuseUncallable(outcome: InsertOutcome): void {
  if (outcome === 'no_credits') {
    throw new ParleyError('INSUFFICIENT_CREDITS', 'There are no credits left for a call. Add credits, then try again.')
  }
  if (outcome in callingProblems) throw agentNotCallable([agentFault(outcome as CallingProblem)])
}
