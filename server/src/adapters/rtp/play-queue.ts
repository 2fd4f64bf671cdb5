/**
 * What is still to be played. Main thread and worker count samples from the beginning of the line in shared memory, so a
 * flush takes effect at the next frame without a message, and the main thread knows what is left without asking.
 */
export type PlayQueue = {
  add(samples: Int16Array): void
  /** Fills the frame, the rest with silence; false when there is nothing. */
  take(frame: Int16Array): boolean
}

/** Two counters per line: samples played, and the sample up to which everything is to be dropped. They go round at 32 bits. */
export const countersPerLine = 2
export const counterAt = { played: 0, flushed: 1 } as const

export function createPlayQueue(counters: Int32Array): PlayQueue {
  const chunks: Int16Array[] = []
  let played = Atomics.load(counters, counterAt.played)

  function drop(count: number): void {
    let left = count
    while (left > 0) {
      const chunk = chunks[0]
      // Flushed before it came: what is on its way carries older numbers than the flush.
      if (!chunk) break
      if (chunk.length > left) {
        chunks[0] = chunk.subarray(left)
        left = 0
      } else {
        chunks.shift()
        left -= chunk.length
      }
    }
    played = (played + count - left) | 0
  }

  function obeyFlush(): void {
    const ahead = (Atomics.load(counters, counterAt.flushed) - played) | 0
    if (ahead > 0) drop(ahead)
  }

  return {
    add(samples) {
      if (samples.length > 0) chunks.push(samples)
    },
    take(frame) {
      obeyFlush()
      let filled = 0
      while (filled < frame.length) {
        const chunk = chunks[0]
        if (!chunk) break
        const room = frame.length - filled
        const part = chunk.length > room ? chunk.subarray(0, room) : chunk
        frame.set(part, filled)
        filled += part.length
        if (part === chunk) chunks.shift()
        else chunks[0] = chunk.subarray(room)
      }
      if (filled < frame.length) frame.fill(0, filled)
      played = (played + filled) | 0
      Atomics.store(counters, counterAt.played, played)
      return filled > 0
    },
  }
}
