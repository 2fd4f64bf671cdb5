import { type Static, Type } from 'typebox'

/** The dashboard's API for how long people on real lines waited for the agent. */

const Milliseconds = Type.Integer()
export const CallTurn = Type.Object({
  seconds: Type.Number({ description: 'When the turn began, in seconds from the answer.' }),
  endpointing_ms: Milliseconds,
  stt_ms: Milliseconds,
  brain_ms: Milliseconds,
  tts_ms: Milliseconds,
  total_ms: Type.Integer({ description: "From the other side's last sound to the agent's first." }),
})
export type CallTurn = Static<typeof CallTurn>
export const CallTurnList = Type.Object({ success: Type.Literal(true), data: Type.Array(CallTurn) })
