import { frameSamples } from '../../voice/audio.ts'
import type { FrameBatch } from './messages.ts'

/** Gathers the frames of a turn, to be handed over in one piece. */
export type FrameCollector = {
  /** Room for what was heard and what was played. */
  room(): { heard: Int16Array; played: Int16Array }
  /** Keeps what was put into the room. */
  keep(line: number, didPlay: boolean): void
  digit(line: number, key: string): void
  /** Null when there is nothing to tell. */
  handOver(): FrameBatch | null
}

const startLines = 32

export function createFrameCollector(): FrameCollector {
  let most = startLines
  let batch = emptyBatch(most)
  let count = 0
  let used = 0

  function grow(): void {
    most *= 2
    const bigger = emptyBatch(most)
    bigger.lines.set(batch.lines)
    bigger.played.set(batch.played)
    bigger.samples.set(batch.samples)
    bigger.digits.push(...batch.digits)
    batch = bigger
  }

  return {
    room() {
      if (count === most) grow()
      const middle = used + frameSamples
      return {
        heard: batch.samples.subarray(used, middle),
        played: batch.samples.subarray(middle, middle + frameSamples),
      }
    },
    keep(line, didPlay) {
      batch.lines[count] = line
      batch.played[count] = didPlay ? 1 : 0
      count += 1
      used += didPlay ? 2 * frameSamples : frameSamples
    },
    digit: (line, key) => void batch.digits.push({ line, key }),
    handOver() {
      if (count === 0 && batch.digits.length === 0) return null
      const full = { ...batch, lines: batch.lines.subarray(0, count) }
      batch = emptyBatch(most)
      count = 0
      used = 0
      return full
    },
  }
}

const emptyBatch = (most: number): FrameBatch => ({
  lines: new Int32Array(most),
  played: new Uint8Array(most),
  samples: new Int16Array(2 * most * frameSamples),
  digits: [],
})
