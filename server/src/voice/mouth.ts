import type { AudioLink } from './audio.ts'
import { type Playback, startPlayback, wordsPlayed } from './playback.ts'
import type { Said, TextToSpeech } from './ports.ts'

type Saying = { playback: Playback; finish: (how: 'whole' | 'interrupted') => void }
type MouthOptions = { audio: AudioLink; tts: TextToSpeech; onFirstSound: () => void; line: AbortSignal }
export type Mouth = ReturnType<typeof createMouth>

/** What the agent is saying at the moment, if anything. */
export function createMouth({ audio, tts, onFirstSound, line }: MouthOptions) {
  let saying: Saying | null = null

  /** Until it was played, somebody interrupted it, or the signal or the line ended it. */
  const say = async (text: string, language: string, signal: AbortSignal): Promise<Omit<Said, 'startedAt'>> => {
    const done = new AbortController()
    // Begun by whoever reads it: a voice that refuses at once fails like one that fails later.
    const voice = async function* () {
      yield* tts.say(text, { language, speaker: 'agent' }, AbortSignal.any([done.signal, line]))
    }
    const playback = startPlayback(audio, voice(), onFirstSound)
    let leave = () => {}
    const how = await new Promise<'whole' | 'interrupted'>((resolve) => {
      leave = () => resolve('whole')
      saying = { playback, finish: resolve }
      signal.addEventListener('abort', leave, { once: true })
    })
    signal.removeEventListener('abort', leave)
    saying = null
    playback.stop()
    done.abort()
    const part = playback.part()
    const failed = playback.failure() !== null && part.playedMs === 0
    if (failed && how === 'whole' && !signal.aborted && !line.aborted) throw playback.failure()
    return { heard: wordsPlayed(text, part), ...(how === 'interrupted' ? { interrupted: true } : {}) }
  }

  return {
    say,
    halt: () => saying?.playback.halt(),
    resume: () => saying?.playback.resume(),
    interrupt: () => saying?.finish('interrupted'),
    close: () => saying?.finish('whole'),
    /** What is still to be said; infinite while nobody knows. */
    leftMs: () => saying?.playback.leftMs() ?? 0,
    /** Once every frame. */
    tick: () => {
      saying?.playback.pump()
      if (saying?.playback.isOver()) saying.finish('whole')
    },
  }
}
