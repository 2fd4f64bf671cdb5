import type { LegEnd } from '../../voice/ports.ts'
import type { CallClock } from './call-clock.ts'
import { type Act, speakingSeconds } from './callee.ts'

export type PlannedAct = { act: Act; startsMs: number; endsMs: number }
export type Line = ReturnType<typeof createLine>

export const toMs = (seconds: number): number => Math.round(seconds * 1_000)

/** What the callee is about to do, in order of time; the last of it may be the end of the call. */
export function createLine(clock: CallClock, end: (how: LegEnd) => void) {
  let planned: PlannedAct[] = []
  return {
    next: (): PlannedAct | undefined => planned[0],
    /** The next act has taken place. */
    done: () => {
      planned = planned.slice(1)
    },
    plan: (acts: readonly Act[]) => {
      let fromMs = clock.now()
      for (const act of acts) {
        const startsMs = fromMs + toMs(act.after)
        const endsMs = startsMs + (act.type === 'say' ? toMs(speakingSeconds(act.text)) : 0)
        planned.push({ act, startsMs, endsMs })
        fromMs = endsMs
      }
    },
    /** True when the moment came with the line still up. */
    waitUntil: async (atMs: number, signal: AbortSignal): Promise<boolean> => {
      const last = planned.find(({ act }) => act.type === 'hang_up' || act.type === 'drop')
      if (last === undefined || last.startsMs > atMs) return clock.waitUntil(atMs, signal)
      if (await clock.waitUntil(last.startsMs, signal)) end(endBy(last.act))
      return false
    },
  }
}

const endBy = (act: Act): LegEnd =>
  act.type === 'drop' ? { reason: 'line_dropped', by: 'carrier' } : { reason: 'hangup', by: 'callee' }
