import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SpeechToText, Transcript } from '../../voice/ports.ts'

export type RecogniserUnderTest = {
  stt: SpeechToText
  language: string
  /** Two stretches of speech at 8 kHz, and a word that must be understood of each. */
  spoken: readonly [{ samples: Int16Array; word: RegExp }, { samples: Int16Array; word: RegExp }]
  close?(): Promise<void>
}

const never = new AbortController().signal

/** As a line gives it: frame by frame. */
async function* framesOf(samples: Int16Array): AsyncGenerator<Int16Array> {
  for (let at = 0; at < samples.length; at += 160) yield samples.subarray(at, at + 160)
}
async function* unending(): AsyncGenerator<Int16Array> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    yield new Int16Array(160)
  }
}

/** What every adapter behind `SpeechToText` promises. */
export function describeSpeechToText(name: string, create: () => Promise<RecogniserUnderTest>): void {
  describe(`${name} keeps the promises of SpeechToText`, () => {
    let under: RecogniserUnderTest
    beforeEach(async () => {
      under = await create()
    })
    afterEach(() => under.close?.())
    const transcribe = async (samples: Int16Array, signal = never) => {
      const transcripts: Transcript[] = []
      for await (const each of under.stt.transcribe(framesOf(samples), under.language, signal)) transcripts.push(each)
      return transcripts
    }

    it('understands its language; the last transcript is final, and the only one that is', async () => {
      expect(under.stt.understands(under.language)).toBe(true)
      const transcripts = await transcribe(under.spoken[0].samples)
      expect(transcripts.at(-1)?.text).toMatch(under.spoken[0].word)
      expect(transcripts.filter(({ final }) => final)).toHaveLength(1)
      expect(transcripts.at(-1)?.final).toBe(true)
    })

    it('silence and nothing have no words', async () => {
      expect((await transcribe(new Int16Array(8_000))).at(-1)).toEqual({ text: '', final: true })
      expect((await transcribe(new Int16Array(0))).at(-1)).toEqual({ text: '', final: true })
    })

    it('two at the same time are two, and one after the other too', async () => {
      const [one, two] = under.spoken
      const [first, second] = await Promise.all([transcribe(one.samples), transcribe(two.samples)])
      expect(first.at(-1)?.text).toMatch(one.word)
      expect(second.at(-1)?.text).toMatch(two.word)
      expect((await transcribe(two.samples)).at(-1)?.text).toMatch(two.word)
    })

    it('whoever leaves is not kept waiting, and others are served', async () => {
      await expect(transcribe(under.spoken[0].samples, AbortSignal.abort(new Error('left')))).rejects.toThrow()
      const leaving = new AbortController()
      const waiting = (async () => {
        for await (const _ of under.stt.transcribe(unending(), under.language, leaving.signal));
      })()
      setTimeout(() => leaving.abort(new Error('left')), 30)
      await expect(waiting).rejects.toThrow()
      expect((await transcribe(under.spoken[1].samples)).at(-1)?.text).toMatch(under.spoken[1].word)
    })
  })
}
