import type { LegEnd, LegEvent } from '../../voice/ports.ts'
import { createEventLog } from '../simulator/event-log.ts'

/** What happens to a leg, each at most once and in order: it rings, it is answered, it ends. One wait at a time. */
export function createLife(onEnd: () => void) {
  const log = createEventLog<LegEvent>()
  let state: 'placed' | 'ringing' | 'answered' | 'over' = 'placed'
  let waiting: NodeJS.Timeout | undefined
  return {
    events: log.events,
    isAnswered: () => state === 'answered',
    isOver: () => state === 'over',
    ring: () => {
      if (state !== 'placed') return
      state = 'ringing'
      log.add({ type: 'ringing' })
    },
    /** False when it is too late for that. */
    answer: (): boolean => {
      if (state === 'answered' || state === 'over') return false
      state = 'answered'
      clearTimeout(waiting)
      log.add({ type: 'answered' })
      return true
    },
    end: (end: LegEnd) => {
      if (state === 'over') return
      state = 'over'
      clearTimeout(waiting)
      log.add({ type: 'ended', end })
      log.close()
      onEnd()
    },
    wait: (ms: number, then: () => void) => {
      clearTimeout(waiting)
      if (state !== 'over') waiting = setTimeout(then, ms)
    },
  }
}
