import { creditsFor } from '../credits/credits.service.ts'
import { createBatcher } from '../platform/batch.ts'
import { announceChange } from '../platform/changes.ts'
import { type Database, isAway } from '../platform/db.ts'
import { persist } from '../platform/persist.ts'
import type { Analysis, LegTrace, Utterance } from '../voice/ports.ts'
import type { TurnDelay } from '../voice/turn-delay.ts'
import type { CallResult } from './call-result.ts'
import { insertTurns, type TurnToInsert, updateTrace } from './call-turns.store.ts'
import type { ClaimedCall } from './claim-calls.ts'
import { type CallEnd, createCallEnder } from './end-calls.ts'
import { followUpFor } from './follow-up.ts'
import { insertUtterances, moveCalls, type UtteranceToInsert } from './moves.store.ts'

/** Writes one call's life, in order. A database that is away for a while delays the writing, not the talk. */
export type CallWriter = {
  ring(): void
  answer(): void
  /** How another node could end the leg, should this one die. */
  trace(trace: LegTrace): void
  turn(delay: TurnDelay, seconds: number): void
  utterance(utterance: Utterance): void
  /** False, and nothing is changed, when the call is not ours any more. */
  end(result: CallResult): Promise<boolean>
  report(analysis: Analysis | null): Promise<void>
  /** Calls back once the database says that somebody else has ended this call. */
  onLost(listener: () => void): void
}

// How long a write waits for a database that is away; on the way out not long: another node ends the call.
const patienceMs = 300_000
const leavingPatienceMs = 3_000

/** Once for the node: the writes of all its calls share statements. */
export function createCallWriters(
  db: Database,
  nodeId: string,
  creditsPerMinute: number,
  isLeaving: () => boolean,
): (call: ClaimedCall) => CallWriter {
  const mover = (move: 'ring' | 'answer') =>
    createBatcher<string, boolean>(async (ids) => {
      const moved = await moveCalls(db, move, ids, nodeId)
      return ids.map((id) => moved.has(id))
    })
  const moves = { ring: mover('ring'), answer: mover('answer') }
  const saveUtterance = createBatcher<UtteranceToInsert, void>(async (all) => {
    await insertUtterances(db, all)
    return all.map(() => undefined)
  })
  const saveTurn = createBatcher<TurnToInsert, void>(async (all) => {
    await insertTurns(db, all)
    return all.map(() => undefined)
  })
  const ender = createCallEnder(db)
  const patient = <T>(write: () => Promise<T>) => persist(write, () => (isLeaving() ? leavingPatienceMs : patienceMs))

  return (call) => {
    let written: Promise<unknown> = Promise.resolve()
    let position = 0
    let turns = 0
    let onLost = () => {}
    const changed = () => announceChange(db, call.organisationId, 'calls')
    // In order, one after the other: an answer never overtakes a ring.
    const then = (write: () => Promise<unknown>) => {
      written = written.then(() => patient(write)).then(changed, () => onLost())
    }
    const move = (name: 'ring' | 'answer') =>
      then(async () => {
        const moved = await moves[name](call.callId)
        // A ring that was skipped is no matter; an answer that does not count is.
        if (!moved && name === 'answer') onLost()
      })
    return {
      ring: () => move('ring'),
      answer: () => move('answer'),
      // What the other side wrote stands in it. Should the database not take that, the call goes on without.
      trace: (trace) =>
        then(() =>
          updateTrace(db, call.callId, nodeId, trace).catch((error: unknown) => {
            if (isAway(error)) throw error
          }),
        ),
      turn: (delay, seconds) => {
        const row = { callId: call.callId, position: turns, seconds: Math.round(seconds * 10) / 10, delay }
        turns += 1
        then(() => saveTurn(row))
      },
      utterance: ({ speaker, text, timestamp }) => {
        const row = { callId: call.callId, position, speaker, text, seconds: Math.round(timestamp * 10) / 10 }
        position += 1
        then(() => saveUtterance(row))
      },
      end: async (result) => {
        await written
        const isOurs = await patient(() => ender.end(toEnd(call, nodeId, result, creditsPerMinute)))
        changed()
        return isOurs
      },
      report: async (analysis) => {
        await patient(() => ender.report(call.callId, analysis))
      },
      onLost: (listener) => {
        onLost = listener
      },
    }
  }
}

function toEnd(call: ClaimedCall, nodeId: string, result: CallResult, creditsPerMinute: number): CallEnd {
  const ending = result.conversation?.ending ?? null
  const outcome = result.error?.code ?? (ending === 'voicemail' ? 'voicemail' : null)
  // Talk is paid for, except when it broke off through our own fault.
  const ours = ['node_lost', 'agent_error', 'dial_outcome_unknown']
  const paid = result.answered && !ours.includes(result.error?.code ?? '')
  return {
    callId: call.callId,
    owner: nodeId,
    to: result.error ? 'failed' : 'completed',
    durationSeconds: result.durationSeconds,
    ending,
    error: result.error,
    charge: paid ? creditsFor(result.durationSeconds ?? 0, creditsPerMinute) : 0,
    followUp: followUpFor(outcome, { callbackAt: result.callbackAt, attempt: call.attempt, retry: call.retry }),
    recorded: result.recorded,
    hold: result.hold,
  }
}
