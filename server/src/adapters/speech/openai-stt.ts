import { writeMonoWav } from '../../media/wav.ts'
import type { SpeechToText } from '../../voice/ports.ts'
import { primaryLanguage } from './languages.ts'
import { exchangeWithin, malformed, postSpeech } from './openai-request.ts'
import { joined } from './samples.ts'
import type { SpeechEndpoint } from './speech-failed.ts'

const longestSamples = 120 * 8_000
const quietest = 40
const longestAnswerBytes = 1024 * 1024

/** An OpenAI-compatible `/audio/transcriptions`: a whole stretch of speech at a time. */
export function createOpenAiRecogniser(endpoint: SpeechEndpoint, { timeoutMs = 10_000 } = {}): SpeechToText {
  return {
    understands: (language) => language.trim() !== '',
    async *transcribe(audio, language, signal) {
      const samples = await joined(audio, longestSamples, signal)
      // Models of this kind invent words for silence.
      const isSilent = samples.every((sample) => Math.abs(sample) < quietest)
      const text = isSilent ? '' : await ask(endpoint, samples, language, timeoutMs, signal)
      yield { text, final: true }
    },
  }
}

async function ask(
  endpoint: SpeechEndpoint,
  samples: Int16Array,
  language: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(writeMonoWav(samples))], { type: 'audio/wav' }), 'speech.wav')
  form.set('model', endpoint.model)
  form.set('response_format', 'json')
  const primary = primaryLanguage(language)
  if (/^[a-z]{2,3}$/.test(primary)) form.set('language', primary)
  const exchange = exchangeWithin(timeoutMs, signal)
  try {
    const response = await postSpeech(endpoint, '/audio/transcriptions', form, exchange.signal)
    return textIn(await wholeBody(response))
  } catch (error) {
    exchange.signal.throwIfAborted()
    throw error
  } finally {
    exchange.close()
  }
}

async function wholeBody(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > longestAnswerBytes) throw malformed()
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function textIn(body: string): string {
  try {
    const { text } = JSON.parse(body) as { text?: unknown }
    if (typeof text === 'string') return text.trim()
  } catch {}
  throw malformed()
}
