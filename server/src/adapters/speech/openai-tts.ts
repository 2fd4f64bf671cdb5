import { hasWords } from '../../voice/interruption.ts'
import type { TextToSpeech } from '../../voice/ports.ts'
import { createDownsampler } from './downsample.ts'
import { closedEarly, exchangeWithin, malformed, postSpeech } from './openai-request.ts'
import { telephoneSamples } from './samples.ts'
import type { SpeechEndpoint } from './speech-failed.ts'
import { spokenText } from './spoken-text.ts'

/** What `response_format: pcm` means everywhere: 16-bit little-endian mono at this rate. */
const pcmRate = 24_000
const longestWavBytes = 32 * 1024 * 1024

/** An OpenAI-compatible `/audio/speech`: sound while it is made. */
export function createOpenAiVoice(endpoint: SpeechEndpoint, { soundMs = 8_000 } = {}): TextToSpeech {
  return {
    speaks: (language) => language.trim() !== '',
    async *say(text, _voice, signal) {
      signal.throwIfAborted()
      if (!hasWords(text)) return
      const exchange = exchangeWithin(soundMs, signal)
      const body = {
        model: endpoint.model,
        voice: endpoint.voice ?? 'alloy',
        input: spokenText(text),
        response_format: 'pcm',
      }
      try {
        const response = await postSpeech(endpoint, '/audio/speech', body, exchange.signal)
        if (/json|text|html/.test(response.headers.get('content-type') ?? '')) throw malformed()
        yield* soundOf(bytesOf(response, exchange.alive))
      } catch (error) {
        exchange.signal.throwIfAborted()
        throw error instanceof TypeError ? closedEarly() : error
      } finally {
        exchange.close()
      }
    },
  }
}

async function* bytesOf(response: Response, alive: () => void): AsyncGenerator<Uint8Array> {
  for await (const part of response.body ?? []) {
    alive()
    yield part
  }
}

async function* soundOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Int16Array> {
  const downsample = createDownsampler(pcmRate)
  let waiting = Buffer.alloc(0)
  let format: 'unknown' | 'pcm' | 'wav' = 'unknown'
  for await (const part of bytes) {
    waiting = Buffer.concat([waiting, part])
    if (waiting.length < 4) continue
    // Some servers answer with a WAV whatever they are asked for.
    if (format === 'unknown') format = waiting.toString('latin1', 0, 4) === 'RIFF' ? 'wav' : 'pcm'
    if (format === 'wav' && waiting.length > longestWavBytes) throw malformed()
    if (format === 'wav') continue
    const whole = waiting.length - (waiting.length % 2)
    const sound = downsample(samplesIn(waiting.subarray(0, whole)))
    waiting = waiting.subarray(whole)
    if (sound.length > 0) yield sound
  }
  if (format === 'wav') yield await telephoneSamples(waiting)
  if (format === 'unknown') throw malformed()
}

function samplesIn(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.length / 2)
  for (let at = 0; at < samples.length; at += 1) samples[at] = bytes.readInt16LE(2 * at)
  return samples
}
