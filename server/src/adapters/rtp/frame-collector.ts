import { frameSamples } from '../../voice/audio.ts'
import type { FrameBatch } from './messages.ts'

/** Gathers the frames of a turn, to be handed over in one piece. */
export type FrameCollector = {
  /** Where a line puts what was heard and what was played. */
  readonly heard: Int16Array
  readonly played: Int16Array
  /** Keeps what was put there. */
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
  const heard = new Int16Array(frameSamples)
  const played = new Int16Array(frameSamples)

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
    heard,
    played,
    keep(line, didPlay) {
      if (count === most) grow()
      batch.lines[count] = line
      batch.played[count] = didPlay ? 1 : 0
      count += 1
      batch.samples.set(heard, used)
      used += frameSamples
      if (!didPlay) return
      batch.samples.set(played, used)
      used += frameSamples
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
