import { type AudioLink, frameMs } from './audio.ts'
import { sampleRate } from './ports.ts'
import { createSoundQueue } from './sound-queue.ts'

const samplesPerMs = sampleRate / 1_000
/** The line is kept so far ahead, and the voice so far ahead of the line. */
const lineAheadMs = 600
const voiceAheadMs = 4_000

export type Playback = ReturnType<typeof startPlayback>

/** One saying on its way from the voice to the line. It can be halted at once and goes on at the very sample. */
export function startPlayback(audio: AudioLink, voice: AsyncIterable<Int16Array>, onFirstWrite: () => void) {
  const queue = createSoundQueue()
  let state: 'running' | 'halted' | 'stopped' = 'running'
  let ended = false
  let failure: unknown = null
  let makeRoom = () => {}
  const isFull = () => queue.waitingSamples() >= voiceAheadMs * samplesPerMs

  const pump = () => {
    while (state === 'running' && queue.waitingSamples() > 0 && audio.queuedMs() < lineAheadMs) {
      if (queue.passedSamples() === 0) onFirstWrite()
      audio.write(queue.passOn() as Int16Array)
    }
    if (!isFull()) makeRoom()
  }
  const pull = async () => {
    for await (const sound of voice) {
      queue.add(sound)
      pump()
      if (isFull() && state !== 'stopped')
        await new Promise<void>((resolve) => {
          makeRoom = resolve
        })
      if (state === 'stopped') return
    }
  }
  const takeBack = () => queue.takeBack(Math.round(audio.flush() * samplesPerMs))
  void pull()
    .catch((error: unknown) => {
      failure = error
    })
    .finally(() => {
      ended = true
    })

  const playedMs = () => Math.max(0, queue.passedSamples() / samplesPerMs - audio.queuedMs())
  const knownMs = () => (queue.passedSamples() + queue.waitingSamples()) / samplesPerMs
  return {
    pump,
    halt: () => {
      if (state !== 'running') return
      state = 'halted'
      takeBack()
    },
    resume: () => {
      if (state === 'halted') state = 'running'
      pump()
    },
    /** For good: nothing more is played. */
    stop: () => {
      if (state === 'running') takeBack()
      state = 'stopped'
      makeRoom()
    },
    /** Infinite while the voice is still at it. */
    leftMs: () => (ended ? knownMs() - playedMs() : Number.POSITIVE_INFINITY),
    isOver: () => ended && state === 'running' && queue.waitingSamples() === 0 && audio.queuedMs() === 0,
    failure: () => failure,
    part: (): PlayedPart => ({ playedMs: playedMs(), knownMs: knownMs(), wholeMs: ended ? knownMs() : null }),
  }
}

/** `wholeMs` is null while the voice is still at it. */
export type PlayedPart = { playedMs: number; knownMs: number; wholeMs: number | null }

const usualMsPerCharacter = 65

/** The words that were played of a saying; all of them when it was played to its end. */
export function wordsPlayed(text: string, { playedMs, wholeMs, knownMs }: PlayedPart): string {
  if (wholeMs !== null && playedMs >= wholeMs - frameMs) return playedMs > 0 ? text : ''
  const expectedMs = wholeMs ?? Math.max(knownMs, text.length * usualMsPerCharacter)
  const words = [...text.matchAll(/\S+/g)]
  const last = words[Math.floor((words.length * playedMs) / expectedMs) - 1]
  return last ? text.slice(0, last.index + last[0].length) : ''
}
