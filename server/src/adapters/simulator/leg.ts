import type { CallLeg, LegEnd, LegEvent } from '../../voice/ports.ts'
import type { CallClock } from './call-clock.ts'
import type { Callee } from './callee.ts'
import { createEventLog } from './event-log.ts'
import { createLine, toMs } from './line.ts'
import { createTalk } from './talk.ts'

export type SimulatedLeg = CallLeg & { end(how: LegEnd): void }

type LegOptions = {
  clock: CallClock
  /** null: the line is engaged. */
  callee: Callee | null
  ringSeconds: number
  onEnd: () => void
}

const routingSeconds = 0.5

/** One simulated line. Its time passes while it rings, and then only while the agent speaks or listens. */
export function openLeg({ clock, callee, ringSeconds, onEnd }: LegOptions): SimulatedLeg {
  const log = createEventLog<LegEvent>()
  let ended = false
  let answeredMs: number | null = null

  const end = (how: LegEnd) => {
    if (ended) return
    ended = true
    clock.stop()
    log.add({ type: 'ended', end: how })
    log.close()
    onEnd()
  }
  const line = createLine(clock, end)

  const ring = async () => {
    await clock.waitUntil(clock.now() + toMs(routingSeconds))
    if (ended) return
    if (callee === null) return end({ reason: 'busy', by: 'callee' })
    log.add({ type: 'ringing' })
    const picksUpAfter = callee.picksUpAfter ?? Number.POSITIVE_INFINITY
    await clock.waitUntil(clock.now() + toMs(Math.min(picksUpAfter, ringSeconds)))
    if (ended) return
    if (picksUpAfter > ringSeconds) return end({ reason: 'no_answer', by: 'callee' })
    answeredMs = clock.now()
    line.plan(callee.pickUp())
    log.add({ type: 'answered' })
  }
  void ring()

  return {
    events: log.events,
    speech: createTalk({
      clock,
      line,
      callee: () => (ended || answeredMs === null ? null : callee),
      answeredMs: () => answeredMs,
    }),
    hangup: async () => end({ reason: 'hangup', by: 'agent' }),
    end,
  }
}
