import type { CreatedCall } from '@parley/contract/calls'
import { announceChange } from '../platform/changes.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { fault, ParleyError } from '../platform/errors.ts'
import { type IdempotencyClaim, type OnceAnswered, replayOf } from '../platform/idempotency.ts'
import { newId } from '../platform/ids.ts'
import type { NewCall } from './call.ts'
import { type CallToInsert, createCallInserter, type InsertCall, type InsertOutcome } from './insert-calls.store.ts'

export type CreateCallDeps = { db: Database; clock: Clock; insertCall: InsertCall; callDelayMs: number }

export const callCreation = (deps: Omit<CreateCallDeps, 'insertCall'>): CreateCallDeps => ({
  ...deps,
  insertCall: createCallInserter(deps.db),
})

export async function createCall(
  deps: CreateCallDeps,
  organisationId: string,
  call: NewCall,
  claim: IdempotencyClaim | null,
): Promise<OnceAnswered> {
  const createdAt = deps.clock.now()
  const scheduledAt = call.scheduledAt ?? new Date(createdAt.getTime() + deps.callDelayMs)
  const callId = newId('call')
  const scheduledAtText = scheduledAt.toISOString()
  const created: CreatedCall = { data: { call_id: callId, status: 'scheduled', scheduled_at: scheduledAtText } }
  const answer = JSON.stringify(created)
  const row: CallToInsert = { call, callId, organisationId, scheduledAt: scheduledAtText, createdAt, claim, answer }

  for (let tries = 0; tries < mostTries; tries += 1) {
    const outcome = await deps.insertCall(row)
    if (outcome === 'created') {
      announceChange(deps.db, organisationId, 'calls')
      return { answer, replayed: false }
    }
    // Whatever stands in the way now, a request that succeeded once is answered as it was then.
    const replay = await replayOf(deps.db, claim)
    if (replay !== null) return { answer: replay, replayed: true }
    refuseUncallable(outcome)
  }
  throw new ParleyError('UNAVAILABLE', 'Try again.', { headers: { 'retry-after': '1' } })
}

// A key that expired is free for whoever is quickest; the others find it taken again.
const mostTries = 5

const reasons: Partial<Record<InsertOutcome, string>> = {
  agent_missing: 'There is no agent with this id.',
  agent_not_outbound: 'This agent only takes inbound calls.',
  agent_without_number: 'This agent has no phone number assigned.',
}

function refuseUncallable(outcome: InsertOutcome): void {
  if (outcome === 'no_credits') {
    throw new ParleyError('INSUFFICIENT_CREDITS', 'There are no credits left for a call. Add credits, then try again.')
  }
  const reason = reasons[outcome]
  if (!reason) return
  throw new ParleyError('AGENT_NOT_CALLABLE', `The agent cannot place calls: ${reason}`, {
    details: [fault('agent_id', outcome, reason)],
  })
}
