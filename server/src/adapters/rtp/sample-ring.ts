/** Samples by their place in time, each there or not there: order and repetition of packets take care of themselves. */
export type SampleRing = {
  readonly capacity: number
  /** `at` counts samples and never goes round. */
  put(at: number, samples: Int16Array): void
  /** How many of the samples from `at` on are there; those not there are zero in `samples`. */
  read(at: number, samples: Int16Array): number
  has(at: number): boolean
  clear(at: number, length: number): void
  clearAll(): void
}

/** About a second. */
const capacity = 8_192
const mask = capacity - 1

export function createSampleRing(): SampleRing {
  const values = new Int16Array(capacity)
  const present = new Uint8Array(capacity)

  return {
    capacity,
    put(at, samples) {
      const start = at & mask
      const first = Math.min(samples.length, capacity - start)
      values.set(first === samples.length ? samples : samples.subarray(0, first), start)
      present.fill(1, start, start + first)
      if (first === samples.length) return
      values.set(samples.subarray(first), 0)
      present.fill(1, 0, samples.length - first)
    },
    read(at, samples) {
      const start = at & mask
      const end = start + samples.length
      // As good as always: all of it is there, in one piece.
      if (end <= capacity && present[start] === 1) {
        const missing = present.indexOf(0, start)
        if (missing === -1 || missing >= end) {
          samples.set(values.subarray(start, end))
          return samples.length
        }
      }
      let count = 0
      for (let i = 0; i < samples.length; i += 1) {
        const index = (at + i) & mask
        const isThere = present[index] === 1
        samples[i] = isThere ? (values[index] as number) : 0
        if (isThere) count += 1
      }
      return count
    },
    has: (at) => present[at & mask] === 1,
    clear(at, length) {
      const start = at & mask
      const first = Math.min(length, capacity - start)
      present.fill(0, start, start + first)
      if (first < length) present.fill(0, 0, length - first)
    },
    clearAll: () => void present.fill(0),
  }
}
