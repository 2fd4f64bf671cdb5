import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { renderRecording } from '../../media/render-recording.ts'
import type { TextToSpeech, Voice } from '../../voice/ports.ts'
import { createEspeakSpeech } from './espeak.ts'

const never = new AbortController().signal
const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-espeak-'))
afterAll(() => rm(folder, { recursive: true }))

async function samplesOf(speech: TextToSpeech, text: string, voice: Voice, signal = never): Promise<Int16Array> {
  const chunks: number[] = []
  for await (const chunk of speech.say(text, voice, signal)) for (const sample of chunk) chunks.push(sample)
  return Int16Array.from(chunks)
}
const rms = (samples: Int16Array) => Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length)

it('is nobody when the program is not there', async () => {
  expect(await createEspeakSpeech({ program: 'no-such-espeak' })).toBeNull()
  expect(await createEspeakSpeech({ program: '/etc' })).toBeNull()
})

describe.skipIf(process.platform === 'win32')('a program in its place', () => {
  async function played(script: string): Promise<TextToSpeech> {
    const program = path.join(folder, `play-${script.length}.sh`)
    const listing = `if [ "$1" = --voices ]; then printf 'Pty Language\\n 5  hi  --/M  Hindi  inc/hi  (hi-x 5)\\n'; exit 0; fi`
    await writeFile(program, `#!/bin/sh\n${listing}\n${script}\n`)
    await chmod(program, 0o755)
    return (await createEspeakSpeech({ program })) as TextToSpeech
  }
  const hindi: Voice = { language: 'hi', speaker: 'agent' }

  it('speaks what the program lists', async () => {
    const speech = await played('exit 1')
    expect(['hi', 'hi-IN', 'HI', 'hi-x'].map(speech.speaks)).toEqual([true, true, true, true])
    expect(['ta', '', '--help', 'language'].map(speech.speaks)).toEqual([false, false, false, false])
    await expect(samplesOf(speech, 'x', { language: '-x', speaker: 'agent' })).rejects.toThrow('does not speak')
  })

  it('gets the text through its input and never as an argument', async () => {
    const seen = path.join(folder, 'seen')
    const speech = await played(`echo "$@" > ${seen}.args; cat > ${seen}.input; exit 3`)
    await expect(samplesOf(speech, '$(id) `id` "secret" [[x', hindi)).rejects.toThrow('espeak-ng failed (3)')
    expect(await readFile(`${seen}.args`, 'utf8')).toBe('-v inc/hi+f3 --stdin --stdout\n')
    expect(await readFile(`${seen}.input`, 'utf8')).toBe('$(id) `id` "secret" [ [x')
  })

  it('passes on that it answered with something else', async () => {
    await expect(samplesOf(await played('echo hello'), 'x', hindi)).rejects.toThrow('16-bit mono')
  })

  it('is ended when it is not wanted any more', async () => {
    const stopping = new AbortController()
    const speaking = samplesOf(await played('exec sleep 60'), 'x', hindi, stopping.signal)
    setTimeout(() => stopping.abort(new Error('enough')), 50)
    await expect(speaking).rejects.toThrow('enough')
  })
})

const speech = await createEspeakSpeech()
const skipped = speech ? '' : ' (skipped: the program espeak-ng is not installed)'
describe.skipIf(!speech)(`espeak-ng${skipped}`, () => {
  const espeak = speech as TextToSpeech

  it.each([
    ['hi', 'नमस्ते, क्या मैं आपके लिए समय तय करूँ?'],
    ['ta', 'வணக்கம், நாளை வரலாமா?'],
    ['te', 'నమస్కారం, రేపు రాగలరా?'],
    ['es-MX', '¿Le parece bien mañana?'],
    ['en-GB', 'Would tomorrow suit you?'],
    ['en-IN', 'Would tomorrow suit you?'],
    ['zh', '你好，明天可以吗？'],
  ])('speaks %s with two different voices', async (language, text) => {
    expect(espeak.speaks(language)).toBe(true)
    const agent = await samplesOf(espeak, text, { language, speaker: 'agent' })
    const callee = await samplesOf(espeak, text, { language, speaker: 'callee' })
    for (const samples of [agent, callee]) {
      expect(samples.length / 8_000).toBeGreaterThan(0.8)
      expect(rms(samples)).toBeGreaterThan(300)
    }
    expect(agent).not.toEqual(callee)
  })

  it('fills the right channel of a Hindi recording at the right time', async () => {
    const transcript = [
      { speaker: 'agent', text: 'नमस्ते, मैं आशा बोल रही हूँ।', timestamp: 0.5 },
      { speaker: 'user', text: 'जी, बताइए।', timestamp: 5 },
    ] as const
    const wav = await renderRecording({ transcript, durationSeconds: 8, language: 'hi-IN' }, espeak, never)
    const level = (channel: number, from: number, to: number) =>
      rms(
        Int16Array.from({ length: (to - from) * 8_000 }, (_, i) =>
          wav.readInt16LE(44 + 4 * (from * 8_000 + i) + 2 * channel),
        ),
      )
    expect([level(0, 0, 0.5), level(0, 5, 8), level(1, 0, 5)]).toEqual([0, 0, 0])
    expect(Math.min(level(0, 0.5, 2), level(1, 5, 6))).toBeGreaterThan(300)
  })
})
