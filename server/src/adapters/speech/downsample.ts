import { sampleRate } from '../../voice/ports.ts'

const halfTaps = 30

/** From a multiple of 8 kHz down to it, piece by piece as it comes, without what a line cannot carry. */
export function createDownsampler(rate: number): (samples: Int16Array) => Int16Array {
  const factor = rate / sampleRate
  if (!Number.isInteger(factor) || factor < 1) throw new Error(`${rate} Hz is no multiple of 8 kHz`)
  const taps = lowPass(factor)
  /** Silence before the first sample, then what the filter still reaches back to. */
  let kept = new Int16Array(taps.length - 1)
  return (samples) => {
    if (factor === 1) return samples
    const all = new Int16Array(kept.length + samples.length)
    all.set(kept)
    all.set(samples, kept.length)
    const count = Math.max(0, Math.floor((all.length - taps.length) / factor) + 1)
    const result = new Int16Array(count)
    for (let index = 0; index < count; index += 1) {
      let sum = 0
      for (let tap = 0; tap < taps.length; tap += 1)
        sum += (all[index * factor + tap] as number) * (taps[tap] as number)
      result[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)))
    }
    kept = all.slice(count * factor)
    return result
  }
}

function lowPass(factor: number): number[] {
  const cutoff = 0.92 / factor
  const taps = Array.from({ length: 2 * halfTaps + 1 }, (_, tap) => {
    const distance = tap - halfTaps
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (halfTaps + 1))
    return distance === 0 ? cutoff : (Math.sin(Math.PI * cutoff * distance) / (Math.PI * distance)) * window
  })
  const sum = taps.reduce((total, tap) => total + tap, 0)
  return taps.map((tap) => tap / sum)
}
