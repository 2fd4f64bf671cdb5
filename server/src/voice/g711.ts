/** G.711 by table (ITU-T G.711, G.191): 16-bit samples to one byte and back. */
export type Law = 'PCMU' | 'PCMA'

function expandMu(code: number): number {
  const turned = ~code & 0xff
  const exponent = (turned >> 4) & 7
  const step = 8 << exponent
  const size = (0x80 << exponent) + step * (turned & 15) + step / 2 - 132
  return code & 0x80 ? size : -size
}

function compressMu(sample: number): number {
  const size = Math.min(((sample < 0 ? ~sample : sample) >> 2) + 33, 0x1fff)
  const segment = 32 - Math.clz32(size >> 5)
  const code = ((8 - segment) << 4) | (15 - ((size >> segment) & 15))
  return sample < 0 ? code : code | 0x80
}

function expandA(code: number): number {
  const turned = (code ^ 0x55) & 0x7f
  const exponent = turned >> 4
  const mantissa = turned & 15
  const size = exponent === 0 ? (mantissa << 4) + 8 : ((mantissa << 4) + 0x108) << (exponent - 1)
  return code & 0x80 ? size : -size
}

function compressA(sample: number): number {
  let size = (sample < 0 ? ~sample : sample) >> 4
  if (size > 15) {
    const exponent = 28 - Math.clz32(size)
    size = ((size >> (exponent - 1)) - 16) | (exponent << 4)
  }
  return (sample < 0 ? size : size | 0x80) ^ 0x55
}

const expandTable = (expand: (code: number) => number) => Int16Array.from({ length: 256 }, (_, code) => expand(code))
const compressTable = (compress: (sample: number) => number) =>
  Uint8Array.from({ length: 16_384 }, (_, index) => compress((index << 18) >> 16))

const tables = {
  PCMU: { expand: expandTable(expandMu), compress: compressTable(compressMu) },
  PCMA: { expand: expandTable(expandA), compress: compressTable(compressA) },
}

/** The code of a sample of zero. */
export const silentCode = { PCMU: 0xff, PCMA: 0xd5 } as const

/** Fills the samples with what the codes say, from `at` on. */
export function decode(law: Law, codes: Uint8Array, samples: Int16Array, at = 0): void {
  const { expand } = tables[law]
  const { length } = samples
  for (let i = 0; i < length; i += 1) samples[i] = expand[codes[at + i] as number] as number
}

/** Writes as many codes as there are samples, from `at` on. */
export function encode(law: Law, samples: Int16Array, codes: Uint8Array, at = 0): void {
  const { compress } = tables[law]
  const { length } = samples
  for (let i = 0; i < length; i += 1) codes[at + i] = compress[((samples[i] as number) & 0xffff) >> 2] as number
}
