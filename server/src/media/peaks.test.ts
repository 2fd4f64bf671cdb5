import { describe, expect, it } from 'vitest'
import { peaksOf } from './peaks.ts'
import { recordingRate, writeStereoWav } from './wav.ts'

const tone = (length: number, level: number) => Int16Array.from({ length }, (_, i) => (i % 2 ? level : -level))
/** As a store would give it: in pieces that split samples. */
const inPieces = (content: Buffer, piece = 1_001) => ({
  size: content.length,
  contentType: 'audio/wav',
  read: async function* (start: number, end: number) {
    for (let at = start; at <= end; at += piece) yield content.subarray(at, Math.min(at + piece, end + 1))
  },
})

describe('peaks', () => {
  it('are the loudest of each step and channel, by the measure of the loudest of all', async () => {
    const agent = [{ at: 0, samples: tone(recordingRate, 8_000) }]
    const callee = [{ at: recordingRate, samples: tone(recordingRate, 4_000) }]
    const wav = await writeStereoWav({ agent, callee }, 2 * recordingRate)
    const peaks = await peaksOf(inPieces(wav), 4)
    expect(peaks).toEqual({ duration_seconds: 2, agent: [1, 1, 0, 0], user: [0, 0, 0.5, 0.5] })
    expect(await peaksOf(inPieces(wav, wav.length), 4)).toEqual(peaks)
  })

  it('of silence and of nothing are flat', async () => {
    const silence = await writeStereoWav({ agent: [], callee: [] }, 100)
    expect(await peaksOf(inPieces(silence), 2)).toMatchObject({ agent: [0, 0], user: [0, 0] })
    const nothing = await writeStereoWav({ agent: [], callee: [] }, 0)
    expect(await peaksOf(inPieces(nothing), 2)).toEqual({ duration_seconds: 0, agent: [0, 0], user: [0, 0] })
  })

  it('take the loudest sample there is', async () => {
    const agent = [{ at: 0, samples: Int16Array.of(-32_768, 32_767) }]
    const wav = await writeStereoWav({ agent, callee: [] }, 2)
    expect((await peaksOf(inPieces(wav), 2))?.agent).toEqual([1, 1])
  })

  it('there are none of anything but a stereo WAV', async () => {
    for (const content of [Buffer.alloc(0), Buffer.alloc(44), Buffer.from('ID3'.repeat(50))]) {
      expect(await peaksOf(inPieces(content))).toBeNull()
    }
  })
})
