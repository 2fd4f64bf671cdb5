import { describe, expect, it } from 'vitest'
import { writeStereoWav } from './wav.ts'

const samples = (...values: number[]) => Int16Array.from(values)

describe('writing a WAV', () => {
  it('has a header that says what follows', async () => {
    const wav = await writeStereoWav({ agent: [], callee: [] }, 8_000)
    expect(wav.toString('latin1', 0, 4)).toBe('RIFF')
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8)
    expect(wav.toString('latin1', 8, 16)).toBe('WAVEfmt ')
    expect(wav.readUInt32LE(16)).toBe(16)
    expect([20, 22, 32, 34].map((at) => wav.readUInt16LE(at))).toEqual([1, 2, 4, 16])
    expect(wav.readUInt32LE(24)).toBe(8_000)
    expect(wav.readUInt32LE(28)).toBe(32_000)
    expect(wav.toString('latin1', 36, 40)).toBe('data')
    expect(wav.readUInt32LE(40)).toBe(32_000)
    expect(wav).toHaveLength(44 + 32_000)
  })

  it('has the agent left, the callee right, each where it belongs, and silence elsewhere', async () => {
    const agent = [
      { at: 0, samples: samples(1, -2) },
      { at: 3, samples: samples(32_767) },
    ]
    const wav = await writeStereoWav({ agent, callee: [{ at: 1, samples: samples(-32_768) }] }, 4)
    const frames = Array.from({ length: 4 }, (_, index) => [44, 46].map((at) => wav.readInt16LE(at + 4 * index)))
    expect(frames).toEqual([
      [1, 0],
      [-2, -32_768],
      [0, 0],
      [32_767, 0],
    ])
  })

  it('cuts off what reaches beyond the end', async () => {
    const wav = await writeStereoWav(
      { agent: [{ at: 1, samples: samples(5, 6, 7) }], callee: [{ at: 9, samples: samples(8) }] },
      2,
    )
    expect(wav).toHaveLength(44 + 8)
    expect(wav.readInt16LE(48)).toBe(5)
  })

  it('may be empty', async () => {
    expect(await writeStereoWav({ agent: [], callee: [] }, 0)).toHaveLength(44)
  })
})
