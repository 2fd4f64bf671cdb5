import { describe, expect, it } from 'vitest'
import { decode, encode, type Law, silentCode } from './g711.ts'

const expand = (law: Law, code: number): number => {
  const samples = new Int16Array(1)
  decode(law, Uint8Array.of(code), samples)
  return samples[0] ?? Number.NaN
}
const compress = (law: Law, sample: number): number => {
  const codes = new Uint8Array(1)
  encode(law, Int16Array.of(sample), codes)
  return codes[0] ?? Number.NaN
}
const everyCode = Array.from({ length: 256 }, (_, code) => code)

describe('G.711', () => {
  // ITU-T G.711 tables 1a and 2a: character signals and the values at the decoder's output, on our 16-bit scale.
  it.each([
    ['PCMU', 0x80, 32_124],
    ['PCMU', 0x8f, 16_764],
    ['PCMU', 0x9f, 8_316],
    ['PCMU', 0xaf, 4_092],
    ['PCMU', 0xbf, 1_980],
    ['PCMU', 0xcf, 924],
    ['PCMU', 0xdf, 396],
    ['PCMU', 0xef, 132],
    ['PCMU', 0xfe, 8],
    ['PCMU', 0xff, 0],
    ['PCMU', 0x00, -32_124],
    ['PCMA', 0xaa, 32_256],
    ['PCMA', 0xa5, 16_896],
    ['PCMA', 0xb5, 8_448],
    ['PCMA', 0x85, 4_224],
    ['PCMA', 0x95, 2_112],
    ['PCMA', 0xe5, 1_056],
    ['PCMA', 0xf5, 528],
    ['PCMA', 0xd5, 8],
    ['PCMA', 0x55, -8],
    ['PCMA', 0x2a, -32_256],
  ] as const)('%s: the code %i means %i', (law, code, value) => {
    expect(expand(law, code)).toBe(value)
  })

  // The decision values at the ends of the segments, table 2a (14 bits) and table 1a (13 bits).
  it('PCMU: the segments begin at the decision values of the standard', () => {
    for (const [number, decision] of [
      [16, 31],
      [32, 95],
      [48, 223],
      [64, 479],
      [80, 991],
      [96, 2_015],
      [112, 4_063],
    ] as const) {
      expect(0xff - compress('PCMU', 4 * decision)).toBe(number)
      expect(0xff - compress('PCMU', 4 * decision - 1)).toBe(number - 1)
    }
  })

  it('PCMA: the segments begin at the decision values of the standard', () => {
    for (const [number, decision] of [
      [32, 64],
      [48, 128],
      [64, 256],
      [80, 512],
      [96, 1_024],
      [112, 2_048],
    ] as const) {
      expect((compress('PCMA', 8 * decision) ^ 0xd5) & 0x7f).toBe(number)
      expect((compress('PCMA', 8 * decision - 1) ^ 0xd5) & 0x7f).toBe(number - 1)
    }
  })

  it.each(['PCMU', 'PCMA'] as const)('%s: what was decoded is encoded to the same sample again', (law) => {
    for (const code of everyCode) expect(expand(law, compress(law, expand(law, code)))).toBe(expand(law, code))
  })

  it.each(['PCMU', 'PCMA'] as const)('%s: every sample comes back within a thirty-second of its size', (law) => {
    for (let sample = -32_768; sample <= 32_767; sample += 7) {
      const allowed = 4 + (Math.abs(sample) + 132) / 32 + (Math.abs(sample) > 32_000 ? 700 : 0)
      expect(Math.abs(expand(law, compress(law, sample)) - sample)).toBeLessThanOrEqual(allowed)
    }
  })

  it('the silent code is the code of zero', () => {
    expect(compress('PCMU', 0)).toBe(silentCode.PCMU)
    expect(compress('PCMA', 0)).toBe(silentCode.PCMA)
  })
})
