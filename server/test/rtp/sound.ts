import type { AudioFrame } from '../../src/voice/audio.ts'

/** Something like a voice: harmonics of a moving pitch, never quiet, never repeating. */
export function voiceLike(seconds: number, seed = 1): Int16Array {
  const samples = new Int16Array(8_000 * seconds)
  let phase = 0
  for (let i = 0; i < samples.length; i += 1) {
    const at = i / 8_000
    phase += (2 * Math.PI * (140 + 40 * Math.sin(2.1 * at + seed) + 15 * Math.sin(7.3 * at))) / 8_000
    const loudness = 0.6 + 0.35 * Math.sin(3.7 * at * (1 + seed / 10))
    const tone =
      Math.sin(phase) + 0.6 * Math.sin(2 * phase + 1) + 0.4 * Math.sin(5 * phase + seed) + 0.2 * Math.sin(9 * phase)
    samples[i] = Math.round(7_000 * loudness * tone)
  }
  return samples
}

export function join(frames: readonly Int16Array[]): Int16Array {
  const samples = new Int16Array(frames.reduce((sum, frame) => sum + frame.length, 0))
  let at = 0
  for (const frame of frames) {
    samples.set(frame, at)
    at += frame.length
  }
  return samples
}

/** The highest normalised correlation of a piece with any place of the whole, and where that is. */
export function bestMatch(whole: Int16Array, piece: Int16Array): { correlation: number; at: number } {
  let best = { correlation: -1, at: -1 }
  for (let at = 0; at + piece.length <= whole.length; at += 1) {
    // A look at every eighth sample first: most places are nowhere near.
    if (correlationAt(whole, piece, at, 8) < best.correlation - 0.2) continue
    const correlation = correlationAt(whole, piece, at, 1)
    if (correlation > best.correlation) best = { correlation, at }
  }
  return best
}

function correlationAt(whole: Int16Array, piece: Int16Array, at: number, stride: number): number {
  let product = 0
  let ours = 1e-9
  let theirs = 1e-9
  for (let i = 0; i < piece.length; i += stride) {
    const a = piece[i] ?? 0
    const b = whole[at + i] ?? 0
    product += a * b
    ours += a * a
    theirs += b * b
  }
  return product / Math.sqrt(ours * theirs)
}

/** Reads frames until this many samples that are not silence have been heard; gives all from the first of them on. */
export async function listenFor(frames: AsyncIterable<AudioFrame>, seconds: number): Promise<Int16Array> {
  const heard: Int16Array[] = []
  for await (const frame of frames) {
    if (heard.length > 0 || frame.heard.some((sample) => Math.abs(sample) > 50)) heard.push(frame.heard)
    if (heard.length * 160 >= seconds * 8_000) break
  }
  return join(heard)
}

/** The median over pieces of a quarter second: a peer of its own may stumble on a busy machine without being deaf. */
export function usualMatch(whole: Int16Array, heard: Int16Array): number {
  const found: number[] = []
  for (let at = 0; at + 2_000 <= heard.length; at += 2_000) {
    found.push(bestMatch(whole, heard.subarray(at, at + 2_000)).correlation)
  }
  return found.sort((a, b) => a - b)[found.length >> 1] ?? 0
}
