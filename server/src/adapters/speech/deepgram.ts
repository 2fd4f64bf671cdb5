import { setTimeout as sleep } from 'node:timers/promises'
import { unlessAborted } from '../../platform/unless-aborted.ts'
import type { SpeechToText, Transcript } from '../../voice/ports.ts'
import { openSocket, type Socket } from './socket.ts'
import { type SpeechEndpoint, SpeechFailed } from './speech-failed.ts'

const service = 'Deepgram'
const batchSamples = 5 * 160
export type DeepgramLimits = { connectMs: number; finalMs: number; keepAliveMs: number }
const usualLimits: DeepgramLimits = { connectMs: 5_000, finalMs: 5_000, keepAliveMs: 5_000 }

/** Words while they are spoken. One connection per stretch of speech, made while its first sounds are heard. */
export function createDeepgramRecogniser(endpoint: SpeechEndpoint, limits = usualLimits): SpeechToText {
  return {
    understands: (language) => language.trim() !== '',
    async *transcribe(audio, language, signal) {
      signal.throwIfAborted()
      const frames = audio[Symbol.asyncIterator]()
      const first = await unlessAborted(frames.next(), signal)
      if (first.done) return yield { text: '', final: true }
      const url = listenUrl(endpoint, language)
      const headers = { authorization: `Token ${endpoint.key ?? ''}` }
      const socket = await openSocket({ service, url, headers, connectMs: limits.connectMs, signal })
      try {
        const feeding = feed(socket, first.value, frames, limits.keepAliveMs)
        yield* words(socket, feeding, limits.finalMs, signal)
      } finally {
        socket.close()
      }
    },
  }
}

function listenUrl({ url, model }: SpeechEndpoint, language: string): URL {
  const listen = new URL(`${url.replace(/^http/, 'ws').replace(/\/+$/, '')}/listen`)
  const wanted = {
    model,
    language: /^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i.test(language) ? language.replaceAll('_', '-') : 'multi',
    encoding: 'linear16',
    sample_rate: '8000',
    channels: '1',
    interim_results: 'true',
    punctuate: 'true',
    smart_format: 'true',
    // Where a stretch ends is decided on our side.
    endpointing: 'false',
  }
  for (const [name, value] of Object.entries(wanted)) listen.searchParams.set(name, value)
  return listen
}

/** In steps of 100 ms; a connection that gets nothing for a while is told that somebody is still there. */
async function feed(socket: Socket, first: Int16Array, rest: AsyncIterator<Int16Array>, keepAliveMs: number) {
  const keepAlive = setInterval(() => socket.send(JSON.stringify({ type: 'KeepAlive' })), keepAliveMs)
  let waiting: number[] = []
  const send = () => {
    if (waiting.length > 0) socket.send(Buffer.from(Int16Array.from(waiting).buffer))
    waiting = []
  }
  try {
    for (
      let frame: IteratorResult<Int16Array> = { done: false, value: first };
      !frame.done;
      frame = await rest.next()
    ) {
      waiting.push(...frame.value)
      if (waiting.length < batchSamples) continue
      send()
      keepAlive.refresh()
    }
    send()
    socket.send(JSON.stringify({ type: 'CloseStream' }))
  } finally {
    clearInterval(keepAlive)
  }
}

/** What is final stays; what is not is replaced by what comes next. It is over when the service says so. */
async function* words(
  socket: Socket,
  feeding: Promise<void>,
  finalMs: number,
  signal: AbortSignal,
): AsyncGenerator<Transcript> {
  const settled = new AbortController()
  const overdue = feeding
    .then(() => sleep(finalMs, undefined, { signal: settled.signal }))
    .then(() => Promise.reject(new SpeechFailed(service, 'timeout')))
  overdue.catch(() => {})
  const finals: string[] = []
  try {
    for (;;) {
      const message = await unlessAborted(Promise.race([socket.next(), overdue]), signal)
      const result = message === null ? null : resultIn(message)
      if (result === null) throw new SpeechFailed(service, 'closed')
      if (result.type === 'over') return yield { text: finals.join(' '), final: true }
      if (result.type !== 'words') continue
      if (result.final && result.text !== '') finals.push(result.text)
      const text = [...finals, ...(result.final ? [] : [result.text])].join(' ').trim()
      if (text !== '') yield { text, final: false }
    }
  } finally {
    settled.abort()
  }
}

type Result = { type: 'words'; text: string; final: boolean } | { type: 'over' } | { type: 'other' }
type Message = {
  type?: unknown
  is_final?: unknown
  channel?: { alternatives?: { transcript?: unknown }[] }
}

function resultIn(message: string): Result {
  let parsed: Message
  try {
    parsed = JSON.parse(message) as Message
  } catch {
    throw new SpeechFailed(service, 'malformed')
  }
  if (parsed?.type === 'Metadata') return { type: 'over' }
  if (parsed?.type === 'Error') throw new SpeechFailed(service, 'refused')
  if (parsed?.type !== 'Results') return { type: 'other' }
  const text = parsed.channel?.alternatives?.[0]?.transcript
  if (typeof text !== 'string') throw new SpeechFailed(service, 'malformed')
  return { type: 'words', text: text.trim(), final: parsed.is_final === true }
}
