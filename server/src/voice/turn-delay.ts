/**
 * What a callee waits from their last sound to the agent's first, in milliseconds. `brain` is everything between the
 * recognised words and the first text to be said, tools included.
 */
export type TurnDelay = { endpointing: number; stt: number; brain: number; tts: number; total: number }

type EndedTurn = { endedAt: number; pausedAt: number; heardAt: number }

/** Follows one turn at a time: the callee ends, is understood, the agent has words, the agent has a voice. */
export function createDelayMeter(nowMs: () => number, report: (delay: TurnDelay) => void) {
  let turn: EndedTurn | null = null
  let saidAt: number | null = null
  return {
    /** The callee fell silent so long ago; the end of the turn was waited for so long. */
    heard: ({ agoMs, pauseMs }: { agoMs: number; pauseMs: number }) => {
      const heardAt = nowMs()
      const endedAt = heardAt - agoMs
      turn = { endedAt, pausedAt: Math.min(heardAt, endedAt + pauseMs), heardAt }
      saidAt = null
    },
    say: () => {
      saidAt ??= nowMs()
    },
    firstSound: () => {
      if (!turn || saidAt === null) return
      const now = nowMs()
      report({
        endpointing: Math.round(turn.pausedAt - turn.endedAt),
        stt: Math.round(turn.heardAt - turn.pausedAt),
        brain: Math.round(saidAt - turn.heardAt),
        tts: Math.round(now - saidAt),
        total: Math.round(now - turn.endedAt),
      })
      turn = null
    },
    /** Nobody waited for the agent: it speaks again after a silence. */
    forget: () => {
      turn = null
      saidAt = null
    },
  }
}
