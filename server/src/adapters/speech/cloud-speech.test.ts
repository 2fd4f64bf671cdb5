import { afterEach, describe, expect, it } from 'vitest'
import { startDeepgram } from '../../../test/speech/deepgram.ts'
import { startElevenLabs } from '../../../test/speech/elevenlabs.ts'
import { startOpenAiSpeech } from '../../../test/speech/openai.ts'
import { type Mood, type SpeechService, spoken } from '../../../test/speech/service.ts'
import type { SpeechToText, TextToSpeech } from '../../voice/ports.ts'
import { describeSpeechToText } from '../conformance/speech-to-text.ts'
import { describeTextToSpeech } from '../conformance/text-to-speech.ts'
import { createDeepgramRecogniser } from './deepgram.ts'
import { createElevenLabsVoice } from './elevenlabs.ts'
import { createOpenAiRecogniser } from './openai-stt.ts'
import { createOpenAiVoice } from './openai-tts.ts'

const never = new AbortController().signal
const short = { connectMs: 1_000, finalMs: 1_000, keepAliveMs: 40, soundMs: 1_000, timeoutMs: 1_000 }
const patient = { connectMs: 20_000, finalMs: 20_000, keepAliveMs: 40, soundMs: 20_000, timeoutMs: 20_000 }
const endpointOf = ({ url, key }: SpeechService, more = {}) => ({ url, key, model: 'm-1', voice: 'asha', ...more })

const recognisers = {
  OpenAI: { start: () => startOpenAiSpeech(), create: createOpenAiRecogniser },
  Deepgram: { start: startDeepgram, create: createDeepgramRecogniser },
}
const voices = {
  OpenAI: { start: () => startOpenAiSpeech(), create: createOpenAiVoice },
  'OpenAI (answering with WAV)': { start: () => startOpenAiSpeech('wav'), create: createOpenAiVoice },
  ElevenLabs: { start: startElevenLabs, create: createElevenLabsVoice },
}

for (const [name, { start, create }] of Object.entries(recognisers))
  describeSpeechToText(name, async () => {
    const service = await start()
    return { stt: create(endpointOf(service)), language: 'en-IN', spoken, close: service.close }
  })
for (const [name, { start, create }] of Object.entries(voices))
  describeTextToSpeech(name, async () => {
    const service = await start()
    return { tts: create(endpointOf(service)), language: 'en', close: service.close }
  })

let service: SpeechService | undefined
afterEach(() => service?.close())

async function* frames(samples: Int16Array): AsyncGenerator<Int16Array> {
  for (let at = 0; at < samples.length; at += 160) yield samples.subarray(at, at + 160)
}
const hear = async (stt: SpeechToText) => {
  let text = ''
  for await (const each of stt.transcribe(frames(spoken[0].samples), 'en', never)) text = each.text
  return text
}
const speak = async (tts: TextToSpeech) => {
  let samples = 0
  for await (const sound of tts.say('Hello there, how are you?', { language: 'en', speaker: 'agent' }, never))
    samples += sound.length
  return samples
}

describe.each([
  ...Object.entries(recognisers).map(([name, { start, create }]) => ({
    name: `${name} as recogniser`,
    start,
    use: (endpoint: ReturnType<typeof endpointOf>, limits = patient) =>
      hear(create(endpoint, limits)) as Promise<unknown>,
  })),
  ...Object.entries(voices).map(([name, { start, create }]) => ({
    name: `${name} as voice`,
    start,
    use: (endpoint: ReturnType<typeof endpointOf>, limits = patient) =>
      speak(create(endpoint, limits)) as Promise<unknown>,
  })),
])('$name', ({ start, use }) => {
  it.each<Mood>(['refuses', 'hangs', 'drops', 'babbles', 'redirects'])(
    'a service that %s is a failure within its time, and works again afterwards',
    async (mood) => {
      service = await start()
      service.next(mood)
      await expect(use(endpointOf(service), short)).rejects.toThrow(/failed \(/)
      expect(await use(endpointOf(service))).toBeTruthy()
    },
  )

  it('a wrong key, and nobody there, are failures that name no key', async () => {
    service = await start()
    const failure = await use(endpointOf(service, { key: 'wrong-key' })).catch((error: Error) => error)
    expect(String(failure)).toMatch(/http 401/)
    expect(String(failure)).not.toMatch(/wrong-key/)
    await service.close()
    await expect(use(endpointOf(service))).rejects.toThrow(/connection/)
  })
})

it('a voice or a recogniser that breaks off in the middle is a failure', async () => {
  for (const { start, create } of [voices.OpenAI, voices.ElevenLabs]) {
    service = await start()
    service.next('breaks off')
    await expect(speak(create(endpointOf(service), short))).rejects.toThrow(/failed/)
    await service.close()
  }
  service = await startDeepgram()
  service.next('breaks off')
  await expect(hear(createDeepgramRecogniser(endpointOf(service), short))).rejects.toThrow(/failed/)
})

it('Deepgram gets what it needs, tells words early, and is kept alive while nothing is heard', async () => {
  service = await startDeepgram()
  const slow = async function* () {
    yield spoken[0].samples
    await new Promise((resolve) => setTimeout(resolve, 150))
    yield new Int16Array(160)
  }
  const heard: string[] = []
  for await (const { text, final } of createDeepgramRecogniser(endpointOf(service), short).transcribe(
    slow(),
    'hi-IN',
    never,
  ))
    heard.push(`${final ? 'final' : 'early'}: ${text}`)
  expect(heard[0]).toBe('early: an')
  expect(heard.at(-1)).toBe('final: an appointment on Monday')
  const [request] = service.requests
  expect(request?.path).toMatch(/^\/v1\/listen\?.*model=m-1&language=hi-IN&encoding=linear16&sample_rate=8000/)
  expect(request?.messages).toEqual(expect.arrayContaining([{ type: 'KeepAlive' }, { type: 'CloseStream' }]))
})

it('ElevenLabs is asked for telephone sound, in the language, and told where the text ends', async () => {
  service = await startElevenLabs()
  const endpoint = endpointOf(service, { model: 'eleven_flash_v2_5', voice: 'a/b' })
  for await (const _ of createElevenLabsVoice(endpoint).say('नमस्ते', { language: 'hi-IN', speaker: 'agent' }, never));
  const [request] = service.requests
  expect(request?.path).toBe(
    '/v1/text-to-speech/a%2Fb/stream-input?model_id=eleven_flash_v2_5&output_format=ulaw_8000&language_code=hi',
  )
  expect(request?.messages).toEqual([{ text: ' ' }, { text: 'नमस्ते ', flush: true }, { text: '' }])
})
