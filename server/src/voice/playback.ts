import { type AudioLink, frameMs } from './audio.ts'
import { sampleRate } from './ports.ts'

const samplesPerMs = sampleRate / 1_000
const sliceSamples = 5 * frameMs * samplesPerMs
/** The line is kept so far ahead, and the voice so far ahead of the line. */
const lineAheadMs = 600
const voiceAheadMs = 4_000

export type Playback = ReturnType<typeof startPlayback>

/** One saying on its way from the voice to the line. It can be halted at once and goes on at the very sample. */
export function startPlayback(audio: AudioLink, voice: AsyncIterable<Int16Array>, onFirstWrite: () => void) {
  const waiting: Int16Array[] = []
  let waitingSamples = 0
  /** Written, and perhaps not played yet. */
  let written: Int16Array[] = []
  let writtenSamples = 0
  let state: 'running' | 'halted' | 'stopped' = 'running'
  let ended = false
  let failure: unknown = null
  let makeRoom = () => {}

  const pump = () => {
    while (state === 'running' && waiting.length > 0 && audio.queuedMs() < lineAheadMs) {
      const slice = waiting.shift() as Int16Array
      waitingSamples -= slice.length
      if (writtenSamples === 0) onFirstWrite()
      audio.write(slice)
      writtenSamples += slice.length
      written.push(slice)
      if (written.length > 100) written = written.slice(-50)
    }
    if (waitingSamples < voiceAheadMs * samplesPerMs) makeRoom()
  }
  const pull = async () => {
    for await (const sound of voice) {
      for (let at = 0; at < sound.length; at += sliceSamples) waiting.push(sound.subarray(at, at + sliceSamples))
      waitingSamples += sound.length
      pump()
      if (state === 'stopped') return
      if (waitingSamples >= voiceAheadMs * samplesPerMs) {
        await new Promise<void>((resolve) => {
          makeRoom = resolve
        })
      }
    }
  }
  void pull()
    .catch((error: unknown) => {
      failure = error
    })
    .finally(() => {
      ended = true
    })

  /** What the line gives back is to be said again, should it go on. */
  const takeBack = (ms: number) => {
    let samples = Math.min(writtenSamples, Math.round(ms * samplesPerMs))
    writtenSamples -= samples
    waitingSamples += samples
    while (samples > 0) {
      const slice = written.pop()
      if (!slice) return
      const back = Math.min(samples, slice.length)
      waiting.unshift(slice.subarray(slice.length - back))
      if (back < slice.length) written.push(slice.subarray(0, slice.length - back))
      samples -= back
    }
  }
  const playedMs = () => Math.max(0, writtenSamples / samplesPerMs - audio.queuedMs())
  const knownMs = () => (writtenSamples + waitingSamples) / samplesPerMs

  return {
    pump,
    halt: () => {
      if (state !== 'running') return
      state = 'halted'
      takeBack(audio.flush())
    },
    resume: () => {
      if (state === 'halted') state = 'running'
      pump()
    },
    /** For good: nothing more is played. */
    stop: () => {
      if (state === 'running') takeBack(audio.flush())
      state = 'stopped'
      makeRoom()
    },
    playedMs,
    /** Of the whole saying; null while the voice is still at it. */
    wholeMs: () => (ended ? knownMs() : null),
    knownMs,
    leftMs: () => (ended ? knownMs() - playedMs() : Number.POSITIVE_INFINITY),
    isOver: () => ended && state === 'running' && waiting.length === 0 && audio.queuedMs() === 0,
    failure: () => failure,
  }
}

const usualMsPerCharacter = 65

/** The words that were played of a saying; all of them when it was played to its end. */
export function wordsPlayed(text: string, { playedMs, wholeMs, knownMs }: PlayedPart): string {
  if (wholeMs !== null && playedMs >= wholeMs - frameMs) return playedMs > 0 ? text : ''
  const expectedMs = wholeMs ?? Math.max(knownMs, text.length * usualMsPerCharacter)
  const words = [...text.matchAll(/\S+/g)]
  const last = words[Math.floor((words.length * playedMs) / expectedMs) - 1]
  return last ? text.slice(0, last.index + last[0].length) : ''
}
type PlayedPart = { playedMs: number; wholeMs: number | null; knownMs: number }
