import { execFile } from 'node:child_process'
import type { TextToSpeech } from '../../voice/ports.ts'
import { primaryLanguage } from './languages.ts'
import { piecesForTalk } from './pieces.ts'
import { createQueue } from './queue.ts'
import { telephoneSamples } from './samples.ts'

/** Variants that come with every espeak-ng: a woman's and a man's throat. */
const variants = { agent: 'f3', callee: 'm3' } as const
const timeLimitMs = 60_000
const longestAnswerBytes = 16 * 1024 * 1024
const never = new AbortController().signal

/** Many languages, by a separate program (GPL: it is run, never linked). Null when it is not installed. */
export async function createEspeakSpeech({ program = 'espeak-ng' } = {}): Promise<TextToSpeech | null> {
  const listing = await run(program, ['--voices'], '', never).catch(() => null)
  if (!listing) return null
  const files = voicesIn(listing.toString())
  // What is passed on as an argument is always a word of the program's own list.
  const find = (language: string) => files.get(language.trim().toLowerCase()) ?? files.get(primaryLanguage(language))
  const queue = createQueue({ lanes: 2, longest: 64 })
  return {
    speaks: (language) => find(language) !== undefined,
    async *say(text, voice, signal) {
      const file = find(voice.language)
      if (!file) throw new Error('espeak-ng does not speak this language')
      const args = ['-v', `${file}+${variants[voice.speaker]}`, '--stdin', '--stdout']
      // Two brackets would begin phonemes.
      for (const piece of piecesForTalk(text.replaceAll('[[', '[ ['))) {
        yield await telephoneSamples(await queue.run(() => run(program, args, piece, signal), signal))
      }
    },
  }
}

/**
 * Languages and the voice file of each. Rows of `5  cmn  --/M  Chinese_(Mandarin)  sit/cmn  (zh-cmn 5)(zh 5)`: a lower
 * number goes first. Only by its file does a voice take a variant; `zh+f3` fails, and `en-gb+f3` has no effect.
 */
function voicesIn(listing: string): Map<string, string> {
  const found = new Map<string, { file: string; priority: number }>()
  const add = (language: string, file: string, priority: number) => {
    const known = found.get(language.toLowerCase())
    if (!known || priority < known.priority) found.set(language.toLowerCase(), { file, priority })
  }
  for (const row of listing.split('\n').slice(1)) {
    const [, own, file, others = ''] = /^\s*\d+\s+(\S+)\s+\S+\s+\S+\s+(\S+)(.*)/.exec(row) ?? []
    if (!own || !file) continue
    add(own, file, 0)
    for (const [, other = '', priority] of others.matchAll(/\((\S+) (\d+)\)/g)) add(other, file, Number(priority))
  }
  return new Map([...found].map(([language, { file }]) => [language, file]))
}

/** No shell; the text goes through a pipe, so that no list of processes shows what was said. */
function run(program: string, args: string[], input: string, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: timeLimitMs, killSignal: 'SIGKILL', maxBuffer: longestAnswerBytes } as const
    const options = { ...limits, encoding: 'buffer', signal, windowsHide: true } as const
    const child = execFile(program, args, options, (error, output) => {
      if (!error) resolve(output)
      else reject(signal.aborted ? signal.reason : new Error(`espeak-ng failed (${error.code ?? error.signal})`))
    })
    // It may end before it has read everything; its exit tells why.
    child.stdin?.on('error', () => {}).end(input)
  })
}
