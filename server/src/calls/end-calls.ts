import { appointmentDetailsOf } from '../appointments/appointments-in-calls.ts'
import { settleCredits } from '../credits/credits.service.ts'
import { createBatcher } from '../platform/batch.ts'
import type { Database, Transaction } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { releaseHolds } from '../slots/release-holds.ts'
import type { Analysis, Utterance } from '../voice/ports.ts'
import { type NewEvent, recordEvents } from '../webhooks/events.service.ts'
import { callEvent } from './call-event.ts'
import {
  type CallEnd,
  type EndedCall,
  insertFollowUps,
  markEnded,
  type OutcomeToWrite,
  selectOverdueOutcomes,
  writeOutcomes,
} from './end-calls.store.ts'
import { selectUtterances } from './moves.store.ts'

export type { CallEnd } from './end-calls.store.ts'

/** State, follow-up, credits, what it held and, for a failed call, its event: all in one transaction. */
export async function endCalls(tx: Transaction, ends: CallEnd[]): Promise<EndedCall[]> {
  const ended = await markEnded(tx, ends)
  await insertFollowUps(tx, ended)
  await settleCredits(
    tx,
    ended
      .filter((each) => each.wasHeld)
      .map(({ call, organisationId, end }) => ({ organisationId, callId: call.callId, charge: end.charge })),
  )
  const failed = ended.filter(({ end }) => end.to === 'failed')
  await recordEvents(tx, await eventsOf(tx, failed, 'failed'))
  // Last, for these rows are everybody's.
  await releaseHolds(
    tx,
    ended.flatMap(({ call: { callId }, end: { hold } }) => (hold ? [{ ...hold, callId }] : [])),
  )
  return ended
}

type Reported = Pick<EndedCall, 'call' | 'organisationId' | 'hasMedia'>

/** Only a call that was answered can have agreed on anything. */
async function eventsOf(tx: Transaction, ended: Reported[], status: 'completed' | 'failed'): Promise<NewEvent[]> {
  const answered = ended.filter(({ call }) => call.answeredAt !== null).map(({ call }) => call.callId)
  const appointments = await appointmentDetailsOf(tx, answered)
  // Nothing was recorded on a real line: then there is only what was written down while they spoke (§6.4).
  const unrecorded = ended.filter(({ call, hasMedia }) => hasMedia && call.recorded === false)
  const inline =
    unrecorded.length > 0
      ? await selectUtterances(
          tx,
          unrecorded.map(({ call }) => call.callId),
        )
      : new Map<string, Utterance[]>()
  return ended.map(({ call, organisationId, hasMedia }) =>
    callEvent(call, organisationId, status, {
      hasMedia: hasMedia && call.recorded !== false,
      transcript: inline.get(call.callId) ?? null,
      appointment: appointments.get(call.callId) ?? null,
    }),
  )
}

/** Analysis and call.completed are one transaction, once per call. */
async function writeAndReport(tx: Transaction, outcomes: OutcomeToWrite[]): Promise<Set<string>> {
  const written = await writeOutcomes(tx, outcomes)
  await recordEvents(tx, await eventsOf(tx, written, 'completed'))
  return new Set(written.map(({ call }) => call.callId))
}

export type CallEnder = {
  /** False when the call was not this node's any more. */
  end(call: CallEnd): Promise<boolean>
  /** False when the outcome had been written already, or the call was erased. */
  report(callId: string, analysis: Analysis | null): Promise<boolean>
}

/** Calls that end together share a transaction. */
export function createCallEnder(db: Database): CallEnder {
  const options = { mayRetryAlone: (error: unknown) => !(error instanceof ParleyError) }
  const end = createBatcher<CallEnd, boolean>(async (ends) => {
    const ended = await db.transaction((tx) => endCalls(tx, ends))
    const ids = new Set(ended.map(({ call }) => call.callId))
    return ends.map((each) => ids.has(each.callId))
  }, options)
  const report = createBatcher<OutcomeToWrite, boolean>(async (outcomes) => {
    const written = await db.transaction((tx) => writeAndReport(tx, outcomes))
    return outcomes.map((each) => written.has(each.callId))
  }, options)
  return {
    end,
    report: (callId, analysis) =>
      report({
        callId,
        analytics: analysis?.analytics ?? null,
        extractedDetails: analysis?.extractedDetails ?? null,
      }),
  }
}

/** Outcomes whose analysis never came, because it took too long or its node died: reported without it. */
export async function reportOverdueOutcomes(db: Database): Promise<number> {
  const overdue = await selectOverdueOutcomes(db, 100)
  if (overdue.length === 0) return 0
  const outcomes = overdue.map((callId) => ({ callId, analytics: null, extractedDetails: null }))
  return (await db.transaction((tx) => writeAndReport(tx, outcomes))).size
}
