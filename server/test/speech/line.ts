import { setImmediate as breathe } from 'node:timers/promises'
import { type AudioFrame, type AudioLink, frameMs, frameSamples } from '../../src/voice/audio.ts'
import type { SpeechToText, TextToSpeech, VoiceDetector } from '../../src/voice/ports.ts'

export type TestLine = ReturnType<typeof createTestLine>

/**
 * A line in memory whose time is its frames: nothing passes while somebody is at work, so a call has the same log every
 * time. The callee's sound is laid onto it beforehand, or as the call goes on.
 */
export function createTestLine() {
  let nowMs = 0
  let ended = false
  let queue: number[] = []
  const sounds: { startsMs: number; samples: Int16Array }[] = []
  const plans: { atMs: number; run: () => void }[] = []
  const keys: string[] = []
  let keyWaiting = () => {}
  const working = new Set<Promise<unknown>>()
  /** Everything that was played, in order; silence left out. */
  const played: number[] = []

  async function* frames(): AsyncGenerator<AudioFrame> {
    for (;;) {
      // Promises of this moment are settled before the next one comes.
      for (let turn = 0; turn < 3; turn += 1) await breathe()
      while (working.size > 0) {
        await Promise.allSettled(working)
        for (let turn = 0; turn < 3; turn += 1) await breathe()
      }
      for (const plan of plans.filter(({ atMs }) => atMs <= nowMs)) {
        plans.splice(plans.indexOf(plan), 1)
        plan.run()
      }
      await breathe()
      if (ended) return
      const out = queue.splice(0, frameSamples)
      played.push(...out)
      const frame = { heard: heardAt(nowMs), played: out.length > 0 ? Int16Array.from(out) : null }
      nowMs += frameMs
      yield frame
    }
  }
  const heardAt = (ms: number): Int16Array => {
    const frame = new Int16Array(frameSamples)
    for (const { startsMs, samples } of sounds) {
      const from = (ms - startsMs) * 8
      if (from > -frameSamples && from < samples.length)
        for (let at = 0; at < frameSamples; at += 1) frame[at] = (frame[at] ?? 0) + (samples[from + at] ?? 0)
    }
    return frame
  }
  async function* digits(): AsyncGenerator<string> {
    while (!ended) {
      const key = keys.shift()
      if (key) yield key
      else
        await new Promise<void>((resolve) => {
          keyWaiting = resolve
        })
    }
  }
  const audio: AudioLink = {
    frames: frames(),
    digits: digits(),
    write: (pcm) => {
      queue.push(...pcm)
    },
    flush: () => {
      const ms = queue.length / 8
      queue = []
      return ms
    },
    queuedMs: () => queue.length / 8,
    sendDigits: () => {},
  }
  const at = (atMs: number, run: () => void) => void plans.push({ atMs, run })
  return {
    audio,
    played,
    nowMs: () => nowMs,
    /** Time stands still meanwhile: for what takes real time. */
    during: async <T>(work: Promise<T>): Promise<T> => {
      working.add(work)
      try {
        return await work
      } finally {
        working.delete(work)
      }
    },
    at,
    after: (ms: number) => new Promise<void>((resolve) => at(nowMs + ms, resolve)),
    sound: (startsMs: number, samples: Int16Array) => void sounds.push({ startsMs, samples }),
    press: (atMs: number, key: string) =>
      at(atMs, () => {
        keys.push(key)
        keyWaiting()
      }),
    hangUp: (atMs: number) =>
      at(atMs, () => {
        ended = true
        keyWaiting()
      }),
  }
}

/** Words as levels: number n is spoken at level 2000 + n. Whoever reads the level knows the words. */
export function createWordBook(line: TestLine) {
  const book: string[] = []
  const level = 2_000
  return {
    /** The callee says this, for so long. */
    says: (startsMs: number, text: string, ms = 800) => {
      book.push(text)
      line.sound(startsMs, new Int16Array(ms * 8).fill(level + book.length - 1))
    },
    /** Takes so long for its answer; tells words early when asked to. */
    recogniser: ({ takesMs = 0, early = false } = {}): SpeechToText => ({
      understands: () => true,
      async *transcribe(audio) {
        const heard = new Set<string>()
        for await (const frame of audio) {
          const words = book[(frame[0] ?? 0) - level]
          if (words === undefined || heard.has(words)) continue
          heard.add(words)
          if (early) yield { text: [...heard].join(' '), final: false }
        }
        if (takesMs > 0) await line.after(takesMs)
        yield { text: [...heard].join(' '), final: true }
      },
    }),
  }
}

export const anySound: VoiceDetector = {
  open: () => ({ isVoice: (frame) => frame.some((sample) => sample !== 0), close: () => {} }),
}

export const msPerWord = 300
/** Three words a second or so, the nth of them at level -100 - n; begins after so long. */
export const wordVoice = (line: TestLine, { takesMs = 0 } = {}): TextToSpeech => ({
  speaks: () => true,
  async *say(text, _voice, signal) {
    if (takesMs > 0) await line.after(takesMs)
    for (const [index] of text.split(/\s+/).entries()) {
      signal.throwIfAborted()
      yield new Int16Array(msPerWord * 8).fill(-100 - index)
    }
  },
})

/** The words of `wordVoice` that were really played, each once or more. */
export const wordsIn = (played: readonly number[]): number[] => {
  const words: number[] = []
  for (let at = 0; at < played.length; at += 1) {
    const word = -100 - (played[at] ?? 0)
    if (words.at(-1) !== word) words.push(word)
  }
  return words
}

/** A real recogniser and a real voice on the line's own time. */
export const recogniserOn = (line: TestLine, stt: SpeechToText): SpeechToText => ({
  understands: stt.understands,
  async *transcribe(audio, language, signal) {
    const frames: Int16Array[] = []
    for await (const frame of audio) frames.push(frame)
    const all = async () => {
      const transcripts = []
      for await (const each of stt.transcribe(replay(frames), language, signal)) transcripts.push(each)
      return transcripts
    }
    yield* await line.during(all())
  },
})
async function* replay(frames: readonly Int16Array[]): AsyncGenerator<Int16Array> {
  yield* frames
}
export const voiceOn = (line: TestLine, tts: TextToSpeech): TextToSpeech => ({
  speaks: tts.speaks,
  async *say(text, voice, signal) {
    const sound = tts.say(text, voice, signal)[Symbol.asyncIterator]()
    for (;;) {
      const next = await line.during(sound.next())
      if (next.done) return
      yield next.value
    }
  },
})
