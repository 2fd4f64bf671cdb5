import type { Log } from '../../platform/log.ts'
import { createLegSound } from '../../voice/leg-sound.ts'
import type { CallLeg, LegEnd, LegEvent } from '../../voice/ports.ts'
import type { SpeechParts } from '../../voice/speech-link.ts'
import type { MediaSession } from '../rtp/media-line.ts'
import { createEventLog } from '../simulator/event-log.ts'
import type { CallEvent, SipCall } from './call.ts'
import { transferOn } from './leg-transfer.ts'
import { mediaOf } from './line-media.ts'
import type { AgreedMedia } from './negotiate.ts'
import { traceOf } from './trace.ts'
import type { Trunk } from './trunk.ts'

export type LegOptions = {
  call: SipCall
  line: MediaSession
  trunk: Trunk
  parts: SpeechParts
  nowMs: () => number
  log: Log
}
export type SipLeg = CallLeg & { over: Promise<void> }

const checkMs = 5_000
/** A line that carries nothing at all for so long, and is not held, has gone without a word. */
const quietMs = 60_000

/** A SIP call and its sound, as one leg. The sound begins with the answer: announcements before it are nobody's turn. */
export function openLeg({ call, line, trunk, parts, nowMs, log }: LegOptions): SipLeg {
  const events = createEventLog<LegEvent>()
  const keys = createEventLog<string>()
  const sound = createLegSound({ audio: { ...line, digits: keys.events }, parts, nowMs })
  const state = { rang: false, answered: false, held: false, resumedMs: Number.NEGATIVE_INFINITY }

  void relay(line.digits, keys.add)
  const apply = (media: AgreedMedia) => {
    // Whoever holds may send music, or nothing at all.
    const held = !(media.sends && media.receives)
    if (state.held && !held) state.resumedMs = nowMs()
    state.held = held
    line.update(mediaOf(media))
  }
  const take = (event: Exclude<CallEvent, { type: 'ended' }>) => {
    if (event.type === 'digit') keys.add(event.digit)
    else if (event.type === 'ringing' || event.type === 'early') {
      if (!state.rang && !state.answered) events.add({ type: 'ringing' })
      state.rang = true
    } else {
      apply(event.media)
      if (event.type !== 'answered' || state.answered) return
      state.answered = true
      events.add({ type: 'answered' })
    }
  }
  let dropped = false
  const drop = () => {
    dropped = true
    void call.hangup()
  }
  const watch = setInterval(async () => {
    const stats = state.answered ? await line.stats() : null
    const quietForMs = Math.min(stats?.received.quietForMs ?? 0, nowMs() - state.resumedMs)
    if (state.answered && !state.held && quietForMs > quietMs) drop()
  }, checkMs)
  watch.unref()

  const follow = async () => {
    let end: LegEnd = { reason: 'line_dropped', by: 'carrier' }
    for await (const event of call.events) {
      if (event.type === 'ended') {
        const { reason, by, status, words } = event.end
        if (reason === 'carrier_error' || reason === 'line_dropped')
          log.warn({ trunk: trunk.name, status, words }, 'a carrier did not connect a call, or lost it')
        end = dropped ? end : { reason, by }
      } else {
        try {
          take(event)
        } catch (err) {
          // A description of sound that cannot be carried: a call in silence helps nobody.
          log.warn({ err, trunk: trunk.name }, 'the sound of a SIP call cannot be carried')
          drop()
        }
      }
    }
    clearInterval(watch)
    keys.close()
    await line.close()
    events.add({ type: 'ended', end })
    events.close()
  }
  const over = follow()
  return {
    events: events.events,
    ...sound,
    trace: () => traceOf(call, trunk),
    transfer: transferOn(call, (status) =>
      log.warn({ trunk: trunk.name, status }, 'a carrier did not put a callee through'),
    ),
    over,
    hangup: async () => {
      await call.hangup()
      await over
    },
  }
}

async function relay(from: AsyncIterable<string>, to: (key: string) => void): Promise<void> {
  for await (const key of from) to(key)
}
