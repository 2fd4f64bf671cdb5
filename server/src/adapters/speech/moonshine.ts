import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { unlessAborted } from '../../platform/unless-aborted.ts'
import type { SpeechToText } from '../../voice/ports.ts'
import { primaryLanguage } from './languages.ts'
import { type MoonshineFiles, type MoonshineRequest, moonshineWorkerCode } from './moonshine-worker.ts'
import { createQueue } from './queue.ts'
import { joined } from './samples.ts'
import { whenInstalled } from './when-installed.ts'
import { createThread } from './worker-thread.ts'

const timeLimitMs = 30_000
const longestQueue = 64
/** Each takes about 150 MB and keeps up with ten people who speak at the same time. */
const mostThreads = 4
/** The model knows nothing longer than half a minute. */
const longestSamples = 30 * 8_000

const never = new AbortController().signal

export type MoonshineOptions = {
  /** Where the packages lie; throws when one is not installed. */
  locate?: () => MoonshineFiles
  workerCode?: string
}

/** English, recognised on this machine in a worker thread. Null when the optional packages are missing. */
export async function createMoonshineRecogniser(options: MoonshineOptions = {}): Promise<SpeechToText | null> {
  const { locate = locatePackages, workerCode = moonshineWorkerCode } = options
  const files = whenInstalled(locate)
  if (files === null) return null
  const lanes = Math.max(1, Math.min(mostThreads, os.availableParallelism() - 1))
  // The one that was used last is used first: the others are started only when several people speak at once.
  const idle = Array.from({ length: lanes }, () =>
    createThread<MoonshineRequest, string>({ code: workerCode, data: files, timeLimitMs }),
  )
  const queue = createQueue({ lanes, longest: longestQueue })
  const recognise = async (samples: Int16Array): Promise<string> => {
    const thread = idle.pop()
    if (!thread) throw new Error('There are fewer threads than lanes')
    try {
      return await thread.ask({ samples }, never)
    } finally {
      idle.push(thread)
    }
  }
  return {
    understands: (language) => primaryLanguage(language) === 'en',
    async *transcribe(audio, _language, signal) {
      const samples = await joined(audio, longestSamples, signal)
      // Whoever leaves does not take the loaded model with them: the thread finishes what it has begun.
      const text = await unlessAborted(
        queue.run(() => recognise(samples), signal),
        signal,
      )
      yield { text, final: true }
    },
  }
}

function locatePackages(): MoonshineFiles {
  const { resolve } = createRequire(import.meta.url)
  const models = path.join(packageFolder(resolve, '@moonshine-ai/moonshine-js'), 'dist/model/tiny/quantized')
  return {
    runtime: resolve('onnxruntime-node'),
    tokenizer: pathToFileURL(resolve('llama-tokenizer-js')).href,
    encoder: path.join(models, 'encoder_model.onnx'),
    decoder: path.join(models, 'decoder_model_merged.onnx'),
  }
}

/** A package for browsers has no entry that Node's require would find. */
function packageFolder(resolve: NodeJS.RequireResolve, name: string): string {
  for (const folder of resolve.paths(name) ?? []) {
    const found = path.join(folder, name)
    if (existsSync(path.join(found, 'package.json'))) return found
  }
  throw Object.assign(new Error(`${name} is not installed`), { code: 'MODULE_NOT_FOUND' })
}
