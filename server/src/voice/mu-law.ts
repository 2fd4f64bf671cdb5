import { decode, encode } from './g711.ts'

/** Whole pieces in the law that American lines and most services speak. */
export function toMuLaw(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length)
  encode('PCMU', samples, bytes)
  return bytes
}

export function fromMuLaw(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length)
  decode('PCMU', bytes, samples)
  return samples
}
