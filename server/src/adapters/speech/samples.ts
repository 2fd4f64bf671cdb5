import os from 'node:os'
import { setImmediate as breathe } from 'node:timers/promises'
import { unlessAborted } from '../../platform/unless-aborted.ts'
import { sampleRate } from '../../voice/ports.ts'

const halfWidth = 10
const keptBand = 0.94

/** The samples of a 16-bit mono WAV, at the rate of a telephone line. */
export async function telephoneSamples(wav: Uint8Array): Promise<Int16Array> {
  const { rate, samples } = readMonoWav(wav)
  return resample(samples, rate)
}

export function readMonoWav(bytes: Uint8Array): { rate: number; samples: Int16Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const nameAt = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
  let rate = 0
  for (let at = 12; nameAt(0) === 'RIFF' && at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true)
    const content = at + 8
    if (nameAt(at) === 'fmt ' && content + 16 <= bytes.length) {
      const expected = view.getUint16(content, true) === 1 && view.getUint16(content + 2, true) === 1
      if (expected && view.getUint16(content + 14, true) === 16) rate = view.getUint32(content + 4, true)
    }
    if (nameAt(at) === 'data' && rate > 0) {
      // A program that writes into a pipe does not know the size beforehand and tells too much.
      const count = Math.floor(Math.min(size, bytes.length - content) / 2)
      return { rate, samples: samplesIn(bytes.subarray(content, content + 2 * count)) }
    }
    at = content + size + (size % 2)
  }
  throw new Error('The speech program did not answer with 16-bit mono sound')
}

function samplesIn(bytes: Uint8Array): Int16Array {
  const { buffer } = new Uint8Array(bytes)
  if (os.endianness() === 'BE') Buffer.from(buffer).swap16()
  return new Int16Array(buffer)
}

/** To 8 kHz, without what lies above 4 kHz: that would come back as noise. */
export async function resample(samples: Int16Array, rate: number): Promise<Int16Array> {
  if (rate === sampleRate) return samples
  const divisor = gcd(rate, sampleRate)
  const [up, down] = [sampleRate / divisor, rate / divisor]
  const { phases, half } = filterOf(up, down)
  // Silence around it, so that the filter never reaches beyond an end.
  const padded = new Float32Array(samples.length + 2 * half)
  padded.set(samples, half)
  const result = new Int16Array(Math.floor((samples.length * up) / down))
  for (let index = 0; index < result.length; index += 1) {
    // A second at a time, then others get their turn.
    if (index % sampleRate === 0) await breathe()
    const taps = phases[(index * down) % up] ?? phases[0]
    const first = Math.floor((index * down) / up) + 1
    result[index] = Math.max(-32_768, Math.min(32_767, Math.round(weigh(padded, first, taps))))
  }
  return result
}

function weigh(samples: Float32Array, first: number, taps: Float32Array = new Float32Array()): number {
  let sum = 0
  for (let tap = 0; tap < taps.length; tap += 1) sum += (samples[first + tap] as number) * (taps[tap] as number)
  return sum
}

const filters = new Map<string, { phases: Float32Array[]; half: number }>()

/** A windowed sinc for each place an output sample can have between two input samples. */
function filterOf(up: number, down: number) {
  const known = filters.get(`${up}/${down}`)
  if (known) return known
  const cutoff = Math.min(1, up / down) * keptBand
  const half = Math.ceil(halfWidth / cutoff)
  const phases = Array.from({ length: up }, (_, phase) => {
    const taps = Float32Array.from({ length: 2 * half }, (_tap, tap) => {
      const distance = tap - half + 1 - phase / up
      const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / half)
      return sinc(cutoff * distance) * window
    })
    const sum = taps.reduce((total, tap) => total + tap, 0)
    return taps.map((tap) => tap / sum)
  })
  const filter = { phases, half }
  filters.set(`${up}/${down}`, filter)
  return filter
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** All of it in one piece; what is beyond the longest is left out. */
export async function joined(
  audio: AsyncIterable<Int16Array>,
  longest: number,
  signal: AbortSignal,
): Promise<Int16Array> {
  const pieces: Int16Array[] = []
  let length = 0
  const reading = (async () => {
    for await (const piece of audio) {
      if (signal.aborted) return
      if (length < longest) pieces.push(piece.subarray(0, longest - length))
      length = Math.min(longest, length + piece.length)
    }
  })()
  await unlessAborted(reading, signal)
  const samples = new Int16Array(length)
  let at = 0
  for (const piece of pieces) {
    samples.set(piece, at)
    at += piece.length
  }
  return samples
}
