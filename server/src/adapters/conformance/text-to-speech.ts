import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TextToSpeech, Voice } from '../../voice/ports.ts'

export type VoiceUnderTest = { tts: TextToSpeech; language: string; close?(): Promise<void> }

const never = new AbortController().signal

async function samplesOf(sound: AsyncIterable<Int16Array>): Promise<Int16Array> {
  const pieces: Int16Array[] = []
  for await (const piece of sound) pieces.push(piece)
  const samples = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    samples.set(piece, at)
    at += piece.length
  }
  return samples
}
const loudness = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length))

/** What every adapter behind `TextToSpeech` promises. */
export function describeTextToSpeech(name: string, create: () => Promise<VoiceUnderTest>): void {
  describe(`${name} keeps the promises of TextToSpeech`, () => {
    let under: VoiceUnderTest
    beforeEach(async () => {
      under = await create()
    })
    afterEach(() => under.close?.())
    const voice = (): Voice => ({ language: under.language, speaker: 'agent' })
    const say = (text: string, signal = never) => samplesOf(under.tts.say(text, voice(), signal))

    it('speaks its language, and makes sound of words at the pace of a person', async () => {
      expect(under.tts.speaks(under.language)).toBe(true)
      const samples = await say('Would tomorrow morning at ten suit you?')
      expect(samples.length / 8_000).toBeGreaterThan(1)
      expect(samples.length / 8_000).toBeLessThan(8)
      expect(loudness(samples)).toBeGreaterThan(200)
    })

    it('says nothing of what has no words, and does not hang over it', async () => {
      for (const text of ['', '  ', '…', '?!']) expect((await say(text)).length).toBe(0)
    })

    it('takes any text: control characters, markup, other scripts, half characters', async () => {
      await say('\u0000\u0007 <speak>&amp; "x" [[ \\ 你好 \ud800 ok')
    })

    it('two at the same time are two', async () => {
      const [short, long] = await Promise.all([say('Yes.'), say('I am calling about your appointment on Monday.')])
      expect(short.length).toBeGreaterThan(0)
      expect(long.length).toBeGreaterThan(short.length)
      expect((await say('Yes.')).length).toBe(short.length)
    })

    it('makes no sound for whoever has left, and stops when they leave', async () => {
      await expect(say('Hello there.', AbortSignal.abort(new Error('left')))).rejects.toThrow()
      const leaving = new AbortController()
      const heard = async () => {
        for await (const _ of under.tts.say('Hello there. '.repeat(200), voice(), leaving.signal)) leaving.abort()
      }
      await heard().catch(() => {})
      expect((await say('Yes.')).length).toBeGreaterThan(0)
    })

    it('whoever stops listening stops it', async () => {
      for await (const _ of under.tts.say('Hello there. '.repeat(200), voice(), never)) break
      expect((await say('Yes.')).length).toBeGreaterThan(0)
    })
  })
}
