import type { Queryable } from '../platform/db.ts'
import type { Utterance } from '../voice/ports.ts'
import { callMoves } from './call-state.ts'

/** A move of a call in the air, by the node that holds it. Which of these calls moved. */
export async function moveCalls(
  db: Queryable,
  move: 'ring' | 'answer',
  callIds: string[],
  nodeId: string,
): Promise<Set<string>> {
  const rows = await db.query<{ call_id: string }>(
    `update calls set status = $2, answered_at = case when $2 = 'in_progress' then now() else answered_at end,
       ringing_at = case when $2 = 'ringing' then now() else ringing_at end, updated_at = now()
     where call_id = any($1) and status = any($3) and lease_owner = $4 returning call_id`,
    [callIds, callMoves[move].to, callMoves[move].from, nodeId],
  )
  return new Set(rows.map((row) => row.call_id))
}

export type UtteranceToInsert = { callId: string; position: number; speaker: string; text: string; seconds: number }

/** Repeating is harmless: an utterance that got through before a connection broke is not written twice. */
export async function insertUtterances(db: Queryable, utterances: UtteranceToInsert[]): Promise<void> {
  await db.query(
    `insert into call_utterances (call_id, position, speaker, text, seconds)
     select * from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::numeric[]) on conflict do nothing`,
    [
      utterances.map((each) => each.callId),
      utterances.map((each) => each.position),
      utterances.map((each) => each.speaker),
      utterances.map((each) => each.text),
      utterances.map((each) => each.seconds),
    ],
  )
}

export async function selectUtterances(db: Queryable, callIds: string[]): Promise<Map<string, Utterance[]>> {
  const rows = await db.query<{ call_id: string; speaker: Utterance['speaker']; text: string; seconds: string }>(
    `select call_id, speaker, text, seconds from call_utterances where call_id = any($1) order by call_id, position`,
    [callIds],
  )
  const byCall = new Map<string, Utterance[]>()
  for (const row of rows) {
    const list = byCall.get(row.call_id) ?? []
    list.push({ speaker: row.speaker, text: row.text, timestamp: Number(row.seconds) })
    byCall.set(row.call_id, list)
  }
  return byCall
}
