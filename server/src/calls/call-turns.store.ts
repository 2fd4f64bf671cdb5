import type { Queryable } from '../platform/db.ts'
import type { TurnDelay } from '../voice/turn-delay.ts'

export type TurnToInsert = { callId: string; position: number; seconds: number; delay: TurnDelay }

/** Repeating is harmless, as with utterances. */
export async function insertTurns(db: Queryable, turns: TurnToInsert[]): Promise<void> {
  await db.query(
    `insert into call_turns (call_id, position, seconds, endpointing_ms, stt_ms, brain_ms, tts_ms, total_ms)
     select * from unnest($1::text[], $2::int[], $3::numeric[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[])
     on conflict do nothing`,
    [
      turns.map((each) => each.callId),
      turns.map((each) => each.position),
      turns.map((each) => each.seconds),
      turns.map((each) => each.delay.endpointing),
      turns.map((each) => each.delay.stt),
      turns.map((each) => each.delay.brain),
      turns.map((each) => each.delay.tts),
      turns.map((each) => each.delay.total),
    ],
  )
}

export type CallTurnRow = {
  seconds: string
  endpointing_ms: number
  stt_ms: number
  brain_ms: number
  tts_ms: number
  total_ms: number
}

export const selectTurns = (db: Queryable, callId: string): Promise<CallTurnRow[]> =>
  db.query<CallTurnRow>(
    `select seconds, endpointing_ms, stt_ms, brain_ms, tts_ms, total_ms from call_turns where call_id = $1 order by position`,
    [callId],
  )

export const deleteTurns = (tx: Queryable, callId: string): Promise<unknown[]> =>
  tx.query('delete from call_turns where call_id = $1', [callId])

/** The leg of a call this node holds. */
export const updateTrace = (db: Queryable, callId: string, nodeId: string, trace: unknown): Promise<unknown[]> =>
  db.query('update calls set leg_trace = $3 where call_id = $1 and lease_owner = $2', [
    callId,
    nodeId,
    JSON.stringify(trace),
  ])
