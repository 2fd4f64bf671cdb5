import { describe, expect, it } from 'vitest'
import { readMonoWav, resample } from './samples.ts'

const tone = (hertz: number, rate: number) =>
  Int16Array.from({ length: rate }, (_, index) => 10_000 * Math.sin((2 * Math.PI * hertz * index) / rate))
const rms = (samples: Int16Array) => Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length)

function wavOf(samples: Int16Array, { rate = 16_000, channels = 1, dataBytes = samples.length * 2 } = {}): Buffer {
  const header = Buffer.alloc(54)
  header.write('RIFF\0\0\0\0WAVELIST', 'latin1')
  // A chunk of odd size before the others, with its filling byte.
  header.writeUInt32LE(1, 16)
  header.write('fmt ', 22, 'latin1')
  header.writeUInt32LE(16, 26)
  header.writeUInt16LE(1, 30)
  header.writeUInt16LE(channels, 32)
  header.writeUInt32LE(rate, 34)
  header.writeUInt16LE(16, 44)
  header.write('data', 46, 'latin1')
  header.writeUInt32LE(dataBytes, 50)
  return Buffer.concat([header, Buffer.from(samples.buffer)])
}

describe('reading what a voice made', () => {
  it('finds rate and samples behind other chunks', () => {
    const samples = Int16Array.of(1, -2, 32_767, -32_768)
    expect(readMonoWav(wavOf(samples))).toEqual({ rate: 16_000, samples })
    expect(readMonoWav(wavOf(samples, { dataBytes: 0x7fff_f000 })).samples).toEqual(samples)
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['half a header', wavOf(Int16Array.of(1)).subarray(0, 30)],
    ['something else', Buffer.from('<html>'.repeat(20))],
    ['two channels', wavOf(Int16Array.of(1, 2), { channels: 2 })],
  ])('refuses %s', (_, wav) => {
    expect(() => readMonoWav(wav)).toThrow('16-bit mono')
  })
})

describe('resampling to 8 kHz', () => {
  it.each([16_000, 22_050, 44_100])(
    'keeps the length and a voice from %d Hz, and drops what a line cannot carry',
    async (rate) => {
      const heard = await resample(tone(1_000, rate), rate)
      expect(heard).toHaveLength(8_000)
      expect(rms(heard.subarray(200, -200)) / rms(tone(1_000, 8_000))).toBeCloseTo(1, 2)
      expect(rms((await resample(tone(6_000, rate), rate)).subarray(200, -200))).toBeLessThan(20)
    },
  )

  it('leaves 8 kHz as it is, and never wraps around', async () => {
    const samples = tone(500, 8_000)
    expect(await resample(samples, 8_000)).toBe(samples)
    const square = Int16Array.from({ length: 16_000 }, (_, index) => (index % 64 < 32 ? 32_767 : -32_768))
    const heard = await resample(square, 16_000)
    expect(Math.min(...heard.filter((_, index) => index % 32 === 8))).toBeGreaterThan(20_000)
  })
})
