import { unlessAborted } from '../../platform/unless-aborted.ts'
import { hasWords } from '../../voice/interruption.ts'
import { fromMuLaw } from '../../voice/mu-law.ts'
import type { TextToSpeech } from '../../voice/ports.ts'
import { primaryLanguage } from './languages.ts'
import { openSocket } from './socket.ts'
import { type SpeechEndpoint, SpeechFailed } from './speech-failed.ts'
import { spokenText } from './spoken-text.ts'
import { withinMs } from './within-ms.ts'

const service = 'ElevenLabs'
export type ElevenLabsLimits = { connectMs: number; soundMs: number }
const usualLimits: ElevenLabsLimits = { connectMs: 5_000, soundMs: 8_000 }

/** Sound while it is made, as mu-law: what a telephone line carries anyway. */
export function createElevenLabsVoice(endpoint: SpeechEndpoint, limits = usualLimits): TextToSpeech {
  return {
    speaks: (language) => language.trim() !== '',
    async *say(text, voice, signal) {
      signal.throwIfAborted()
      if (!hasWords(text)) return
      const url = streamUrl(endpoint, voice.language)
      const headers = { 'xi-api-key': endpoint.key ?? '' }
      const socket = await openSocket({ service, url, headers, connectMs: limits.connectMs, signal })
      try {
        socket.send(JSON.stringify({ text: ' ' }))
        // A space ends the last word; an empty text ends the whole.
        socket.send(JSON.stringify({ text: `${spokenText(text)} `, flush: true }))
        socket.send(JSON.stringify({ text: '' }))
        for (;;) {
          const next = withinMs(socket.next(), limits.soundMs, () => new SpeechFailed(service, 'timeout'))
          const message = await unlessAborted(next, signal)
          if (message === null) throw new SpeechFailed(service, 'closed')
          const { sound, over } = soundIn(message)
          if (sound.length > 0) yield sound
          if (over) return
        }
      } finally {
        socket.close()
      }
    },
  }
}

function streamUrl({ url, model, voice }: SpeechEndpoint, language: string): URL {
  const base = url.replace(/^http/, 'ws').replace(/\/+$/, '')
  const stream = new URL(`${base}/text-to-speech/${encodeURIComponent(voice ?? '')}/stream-input`)
  stream.searchParams.set('model_id', model)
  stream.searchParams.set('output_format', 'ulaw_8000')
  const primary = primaryLanguage(language)
  // Only the quick models take a language; the others hear it from the text.
  if (/(flash|turbo)_v2_5/.test(model) && /^[a-z]{2}$/.test(primary)) stream.searchParams.set('language_code', primary)
  return stream
}

function soundIn(message: string): { sound: Int16Array; over: boolean } {
  let parsed: { audio?: unknown; isFinal?: unknown; error?: unknown } | null
  try {
    parsed = JSON.parse(message)
  } catch {
    throw new SpeechFailed(service, 'malformed')
  }
  if (typeof parsed !== 'object' || parsed === null) throw new SpeechFailed(service, 'malformed')
  if (parsed.error !== undefined) throw new SpeechFailed(service, 'refused')
  const bytes = typeof parsed.audio === 'string' ? Buffer.from(parsed.audio, 'base64') : new Uint8Array()
  return { sound: fromMuLaw(bytes), over: parsed.isFinal === true }
}
