import type { PlayBatch } from './messages.ts'

const startSamples = 16_384
/** Half a minute of sound. More in one turn is rare, and no reason to keep as much memory. */
const mostKept = 262_144

/** Gathers what the lines write in one turn of the loop and hands it over in one piece. */
export function createPlaySender(post: (batch: PlayBatch) => void): (line: number, pcm: Int16Array) => void {
  let lines: number[] = []
  let room = startSamples
  let samples = new Int16Array(room)
  let used = 0

  function send(): void {
    const batch = { lines: Int32Array.from(lines), samples }
    lines = []
    samples = new Int16Array(room)
    used = 0
    post(batch)
  }

  function makeRoom(length: number): void {
    if (used + length <= samples.length) return
    const bigger = new Int16Array(2 * (used + length))
    bigger.set(samples)
    samples = bigger
    room = Math.min(bigger.length, mostKept)
  }

  return (line, pcm) => {
    if (lines.length === 0) setImmediate(send)
    makeRoom(pcm.length)
    // Copied: the writer may use its array again at once.
    samples.set(pcm, used)
    used += pcm.length
    lines.push(line, pcm.length)
  }
}
