import { describe, expect, it } from 'vitest'
import { longestRecordingSeconds, type RecordingVoice, renderRecording } from './render-recording.ts'

const never = new AbortController().signal
const level = 10_000

/** Says everything in one second, in two pieces, and keeps what it was asked. */
function fakeVoice(languages: string[], asked: unknown[] = []): RecordingVoice {
  return {
    speaks: (language) => languages.includes(language),
    async *say(text, voice) {
      asked.push([text, voice.language, voice.speaker])
      yield new Int16Array(4_000).fill(level)
      yield new Int16Array(4_000).fill(level)
    },
  }
}

/** Root mean square of a channel (0 left, 1 right) between two seconds. */
function rms(wav: Buffer, channel: 0 | 1, from: number, to: number): number {
  let sum = 0
  for (let frame = from * 8_000; frame < to * 8_000; frame += 1)
    sum += wav.readInt16LE(44 + 4 * frame + 2 * channel) ** 2
  return Math.sqrt(sum / ((to - from) * 8_000))
}
const secondsOf = (wav: Buffer) => (wav.length - 44) / 32_000

const transcript = [
  { speaker: 'agent', text: 'Hello?', timestamp: 1 },
  { speaker: 'user', text: 'Yes.', timestamp: 3.5 },
] as const

describe('rendering a recording', () => {
  it('puts each line at its time into its channel, with silence elsewhere', async () => {
    const wav = await renderRecording({ transcript, durationSeconds: 10, language: 'en' }, fakeVoice(['en']), never)
    expect(secondsOf(wav)).toBe(10)
    expect([rms(wav, 0, 0, 1), rms(wav, 0, 1, 2), rms(wav, 0, 2, 10)]).toEqual([0, level, 0])
    expect([rms(wav, 1, 0, 3.5), rms(wav, 1, 3.5, 4.5), rms(wav, 1, 4.5, 10)]).toEqual([0, level, 0])
  })

  it('is as long as the last word when that comes after the end', async () => {
    const wav = await renderRecording({ transcript, durationSeconds: 2, language: 'en' }, fakeVoice(['en']), never)
    expect(secondsOf(wav)).toBe(4.5)
  })

  it('lets a speaker finish before the next line', async () => {
    const lines = [...transcript, { speaker: 'agent', text: 'Are you there?', timestamp: 1.25 } as const]
    const wav = await renderRecording(
      { transcript: lines, durationSeconds: 5, language: 'en' },
      fakeVoice(['en']),
      never,
    )
    expect([rms(wav, 0, 1, 3), rms(wav, 0, 3, 5)]).toEqual([level, 0])
  })

  it("speaks the call's language, or English where nobody can", async () => {
    const asked: unknown[] = []
    const voice = fakeVoice(['en', 'hi'], asked)
    await renderRecording({ transcript, durationSeconds: 5, language: 'hi' }, voice, never)
    await renderRecording({ transcript: transcript.slice(1), durationSeconds: 5, language: 'ta' }, voice, never)
    expect(asked).toEqual([
      ['Hello?', 'hi', 'agent'],
      ['Yes.', 'hi', 'callee'],
      ['Yes.', 'en', 'callee'],
    ])
  })

  const silent: RecordingVoice = { speaks: () => true, async *say() {} }
  it.each([
    ['no voice at all', null],
    ['no voice for the language and none for English', fakeVoice(['fr'])],
    ['a voice without a sound for this script', silent],
  ])('still has sound in both channels with %s', async (_, speech) => {
    const wav = await renderRecording({ transcript, durationSeconds: 10, language: 'hi' }, speech, never)
    expect(secondsOf(wav)).toBe(10)
    expect(rms(wav, 0, 1, 1.3)).toBeGreaterThan(500)
    expect(rms(wav, 1, 3.5, 3.8)).toBeGreaterThan(500)
    expect([rms(wav, 0, 0, 1), rms(wav, 0, 3, 10), rms(wav, 1, 0, 3.5)]).toEqual([0, 0, 0])
  })

  it('passes on that the voice failed', async () => {
    const broken: RecordingVoice = {
      speaks: () => true,
      async *say() {
        yield new Int16Array(10)
        throw new Error('the worker died')
      },
    }
    const rendering = renderRecording({ transcript, durationSeconds: 5, language: 'en' }, broken, never)
    await expect(rendering).rejects.toThrow('the worker died')
  })

  it('stops when it is told to', async () => {
    const stopping = new AbortController()
    const asked: unknown[] = []
    const voice = fakeVoice(['en'], asked)
    const stopper: RecordingVoice = {
      ...voice,
      say: (...args) => {
        stopping.abort(new Error('enough'))
        return voice.say(...args)
      },
    }
    const rendering = renderRecording({ transcript, durationSeconds: 5, language: 'en' }, stopper, stopping.signal)
    await expect(rendering).rejects.toThrow('enough')
    expect(asked).toHaveLength(1)
  })

  it('takes odd times and empty lines', async () => {
    const times = [Number.NaN, -5, Number.POSITIVE_INFINITY, longestRecordingSeconds + 1]
    const lines = times.map((timestamp) => ({ speaker: 'agent', text: 'Hello?', timestamp }) as const)
    const empty = { speaker: 'user', text: ' ', timestamp: 0 } as const
    const wav = await renderRecording(
      { transcript: [...lines, empty], durationSeconds: -1, language: 'en' },
      null,
      never,
    )
    expect(secondsOf(wav)).toBeLessThan(2)
    expect(rms(wav, 1, 0, 0.5)).toBe(0)
  })

  it('caps an endless one at two hours, and lets others work meanwhile', async () => {
    const minutes = new Int16Array(4_000_000).fill(1)
    const endless: RecordingVoice = {
      speaks: () => true,
      async *say() {
        for (;;) yield minutes
      },
    }
    let turns = 0
    const others = setInterval(() => {
      turns += 1
    }, 1)
    const talk = { transcript: transcript.slice(0, 1), durationSeconds: 1e9, language: 'en' }
    const wav = await renderRecording(talk, endless, never)
    clearInterval(others)
    expect(secondsOf(wav)).toBe(longestRecordingSeconds)
    expect(turns).toBeGreaterThan(20)
  })
})
