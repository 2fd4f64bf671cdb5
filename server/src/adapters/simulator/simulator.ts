import { DialRefused, type DialRequest, type Telephony } from '../../voice/ports.ts'
import { type CallClock, createCallClock } from './call-clock.ts'
import { castCallee } from './callees.ts'
import { openLeg, type SimulatedLeg } from './leg.ts'
import { toMs } from './line.ts'

export type SimulatorOptions = {
  /** Divides every simulated wait: 1 is real time. */
  speed: number
  /** Told of every dial that reaches the carrier, refused ones too. */
  onDial?: (request: DialRequest) => void
}

const carrierSeconds = 0.3

/** The embedded carrier (decisions 4): the number dialled chooses who is at the other end. */
export function createSimulator({ speed, onDial }: SimulatorOptions): Telephony & { openLegs(): number } {
  const asking = new Set<CallClock>()
  const legs = new Set<SimulatedLeg>()
  let closed = false
  const refuseClosed = () => new DialRefused('carrier_error', 'The simulator is closed.')

  const askCarrier = async (clock: CallClock, signal: AbortSignal) => {
    asking.add(clock)
    const answered = await clock.waitUntil(toMs(carrierSeconds), signal)
    asking.delete(clock)
    if (closed) throw refuseClosed()
    if (!answered) throw signal.reason
  }

  return {
    dial: async (request, signal) => {
      signal.throwIfAborted()
      if (closed) throw refuseClosed()
      onDial?.(request)
      const clock = createCallClock(speed)
      await askCarrier(clock, signal)
      const cast = castCallee(request.to)
      if (cast.type === 'refused') throw new DialRefused(cast.reason, cast.message)
      const leg = openLeg({
        clock,
        callee: cast.type === 'engaged' ? null : cast.callee,
        ringSeconds: request.ringSeconds,
        onEnd: () => legs.delete(leg),
      })
      legs.add(leg)
      return leg
    },
    close: async () => {
      closed = true
      for (const clock of asking) clock.stop()
      for (const leg of legs) leg.end({ reason: 'hangup', by: 'agent' })
    },
    openLegs: () => asking.size + legs.size,
  }
}
