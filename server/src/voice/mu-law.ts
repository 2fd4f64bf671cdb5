/** G.711 mu-law: 14 bits of a sample in 8, as telephone lines carry it. */
const bias = 0x84
const loudest = 32_635

function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const level = Math.min(Math.abs(sample), loudest) + bias
  const exponent = Math.max(0, 31 - Math.clz32(level) - 7)
  const mantissa = (level >> (exponent + 3)) & 0x0f
  return ~(sign | (exponent << 4) | mantissa) & 0xff
}

const decoded = Int16Array.from({ length: 256 }, (_, byte) => {
  const code = ~byte & 0xff
  const level = ((((code & 0x0f) << 3) + bias) << ((code & 0x70) >> 4)) - bias
  return code & 0x80 ? -level : level
})
const encoded = Uint8Array.from({ length: 65_536 }, (_, index) => encodeSample(index - 32_768))

export function toMuLaw(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length)
  for (let at = 0; at < samples.length; at += 1) bytes[at] = encoded[(samples[at] as number) + 32_768] as number
  return bytes
}

export function fromMuLaw(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length)
  for (let at = 0; at < bytes.length; at += 1) samples[at] = decoded[bytes[at] as number] as number
  return samples
}
