/** Which packet indices of a source have been here (RFC 3711 §3.3.1, §3.3.2). */
export type ReplayWindow = {
  /** The index a sequence number most likely means; null when it would lie before the beginning. */
  indexOf(sequence: number): number | null
  isNew(index: number): boolean
  take(index: number): void
}

const size = 128
const modulus = 0x1_0000

export function createReplayWindow(): ReplayWindow {
  let highest: number | null = null
  const seen = new Float64Array(size).fill(-1)

  return {
    indexOf(sequence) {
      if (highest === null) return sequence
      const ahead = (sequence - highest) & 0xffff
      const index = highest + (ahead < 0x8000 ? ahead : ahead - modulus)
      return index < 0 ? null : index
    },
    isNew: (index) => (highest === null || index > highest - size) && seen[index % size] !== index,
    take(index) {
      seen[index % size] = index
      if (highest === null || index > highest) highest = index
    },
  }
}
