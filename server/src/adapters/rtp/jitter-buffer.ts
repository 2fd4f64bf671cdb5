import { frameSamples } from '../../voice/audio.ts'
import { createConcealment } from './concealment.ts'
import { createDelayTarget } from './delay-target.ts'
import { createSampleRing } from './sample-ring.ts'

/**
 * Turns packets that come when they like into one frame per tick. Nothing that came in time is thrown away: when it runs
 * dry it stands still and fills the gap, and the delay that was added so is taken back in quiet moments.
 */
export type JitterBuffer = {
  put(timestamp: number, samples: Int16Array, arrivalMs: number): void
  /** The other side says that it is silent from here on (RFC 3389): what is missing now is not lost. */
  putSilence(timestamp: number, arrivalMs: number): void
  /** Fills one frame. To be asked once per frame's length. */
  take(frame: Int16Array, nowMs: number): void
  /** Another stream: nothing of the old one is played any more. */
  reset(): void
  figures(): JitterFigures
}
export type JitterFigures = {
  /** Packets that came after their time. */
  late: number
  concealedSamples: number
  /** Frames left out, or played twice, to keep up with the sender's clock. */
  skipped: number
  repeated: number
  delayMs: number
  wantedMs: number
}
export type JitterLimits = { leastMs: number; mostMs: number; startMs: number }

export const usualJitter: JitterLimits = { leastMs: 20, mostMs: 200, startMs: 40 }
const samplesPerMs = 8
/** Less than this on average is nothing a listener would miss. */
const quietLevel = 120
const slackMs = 30
/** So much too late is mended in the middle of a word, every tenth frame. */
const urgentMs = 80
const urgentEveryFrames = 10

export function createJitterBuffer(limits: JitterLimits = usualJitter): JitterBuffer {
  const ring = createSampleRing()
  const target = createDelayTarget(limits)
  const concealment = createConcealment()
  /** The next sample to play; null until a packet has come. `begin` is the first there is, `end` one after the last. */
  let play: number | null = null
  let waiting: { arrivalMs: number } | null = null
  let begin = 0
  let end = 0
  let lastTimestamp = 0
  let lastExtended = 0
  let held = 0
  let silent = false
  let sinceSkip = 0
  let delayMs = 0
  const counted = { late: 0, concealedSamples: 0, skipped: 0, repeated: 0 }
  const next = new Int16Array(frameSamples)

  /** Timestamps go round at 32 bits; what they mean does not. */
  function extend(timestamp: number): number {
    lastExtended += (timestamp - lastTimestamp) | 0
    lastTimestamp = timestamp
    return lastExtended
  }

  function startAt(at: number, arrivalMs: number): void {
    ring.clearAll()
    target.reset()
    play = null
    waiting = { arrivalMs }
    begin = at
    end = at
    held = 0
    silent = false
  }

  /** Where a packet stands; null when its time is over. */
  function place(timestamp: number, length: number, arrivalMs: number): number | null {
    const at = extend(timestamp)
    if (play !== null && held > 0) {
      // The time we stood still has passed for the sender too, unless this is just what we waited for.
      play += Math.min(Math.max(0, at - play), held)
      held = 0
    }
    const from = play ?? begin
    if ((play === null && waiting === null) || at > from + ring.capacity - length || at < from - ring.capacity) {
      startAt(at, arrivalMs)
    }
    target.arrived(at / samplesPerMs, arrivalMs)
    if (play === null) {
      if (at < begin) begin = at
      return at
    }
    if (at + length > play) return at
    counted.late += 1
    return null
  }

  /** The first frame waits for its delay, and begins where a packet does: frames and packets lie upon each other. */
  function begun(nowMs: number): boolean {
    if (play !== null) return true
    if (waiting === null || nowMs - waiting.arrivalMs < limits.startMs) return false
    play = begin
    waiting = null
    sinceSkip = 0
    return true
  }

  /** Every fourth sample tells: what hides between them is too high to be heard on a telephone. */
  function quiet(samples: Int16Array): boolean {
    let sum = 0
    for (let i = 0; i < samples.length; i += 4) sum += Math.abs(samples[i] as number)
    return 4 * sum < quietLevel * samples.length
  }

  /** Leaves a frame out: this one passes over into the next. */
  function skipOne(frame: Int16Array, at: number): number {
    const length = frame.length
    if (ring.read(at + length, next) < length) return 0
    for (let i = 0; i < length; i += 1) {
      const share = i / length
      frame[i] = Math.round((1 - share) * (frame[i] as number) + share * (next[i] as number))
    }
    counted.skipped += 1
    sinceSkip = 0
    return length
  }

  /** A whole frame is there. Returns how far that takes us. */
  function pace(frame: Int16Array, at: number, nowMs: number): number {
    sinceSkip += 1
    delayMs = target.delayOf(at / samplesPerMs, nowMs)
    const excess = delayMs - target.wantedMs()
    if (excess > slackMs && (quiet(frame) || (excess > urgentMs && sinceSkip >= urgentEveryFrames))) {
      return frame.length + skipOne(frame, at)
    }
    if (excess < -10 && quiet(frame)) {
      counted.repeated += 1
      return 0
    }
    return frame.length
  }

  function fillGap(frame: Int16Array, at: number, there: number): void {
    if (silent && there === 0) return
    const filler = new Int16Array(frame.length)
    if (!concealment.conceal(filler) && there === 0) return
    counted.concealedSamples += frame.length - there
    for (let i = 0; i < frame.length; i += 1) if (!ring.has(at + i)) frame[i] = filler[i] as number
  }

  return {
    put(timestamp, samples, arrivalMs) {
      if (samples.length === 0 || samples.length > ring.capacity / 2) return
      const at = place(timestamp, samples.length, arrivalMs)
      if (at === null) return
      silent = false
      const cut = play === null ? 0 : Math.max(0, play - at)
      ring.put(at + cut, cut === 0 ? samples : samples.subarray(cut))
      end = Math.max(end, at + samples.length)
    },
    putSilence(timestamp, arrivalMs) {
      const at = place(timestamp, 1, arrivalMs)
      if (at !== null && at >= end) silent = true
    },
    take(frame, nowMs) {
      if (!begun(nowMs) || play === null) {
        frame.fill(0)
        return
      }
      const there = ring.read(play, frame)
      if (there === frame.length) {
        concealment.heard(frame)
        const step = pace(frame, play, nowMs)
        ring.clear(play, step)
        play += step
        return
      }
      fillGap(frame, play, there)
      if (there === 0 && end <= play) {
        held += frame.length
        return
      }
      ring.clear(play, frame.length)
      play += frame.length
    },
    reset() {
      ring.clearAll()
      play = null
      waiting = null
    },
    figures: () => ({ ...counted, delayMs: Math.round(delayMs), wantedMs: Math.round(target.wantedMs()) }),
  }
}
