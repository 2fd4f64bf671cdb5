import { setImmediate as breathe } from 'node:timers/promises'
import { recordingRate, type Segment, writeStereoWav } from './wav.ts'

// What the rendering needs of a transcript and of a voice. The types of voice/ports.ts fit, but media stands to the left
// of voice and must not import them.
export type SpokenLine = { speaker: 'agent' | 'user'; text: string; timestamp: number }
export type RecordingInput = { transcript: readonly SpokenLine[]; durationSeconds: number; language: string }
export type RecordingVoice = {
  speaks(language: string): boolean
  say(
    text: string,
    voice: { language: string; speaker: 'agent' | 'callee' },
    signal: AbortSignal,
  ): AsyncIterable<Int16Array>
}

/** Two hours are 230 MB of WAV. What comes later is cut off. */
export const longestRecordingSeconds = 7_200
const longestSamples = longestRecordingSeconds * recordingRate

/** The recording of a simulated call: each line of the transcript, spoken at its time in its speaker's channel. */
export async function renderRecording(
  { transcript, durationSeconds, language }: RecordingInput,
  speech: RecordingVoice | null,
  signal: AbortSignal,
): Promise<Buffer> {
  const spoken = [language, 'en'].find((one) => speech?.speaks(one))
  const tracks: Record<'agent' | 'callee', Segment[]> = { agent: [], callee: [] }
  const ends = { agent: 0, callee: 0 }
  const lines = transcript.toSorted((one, other) => one.timestamp - other.timestamp)
  for (const [index, line] of lines.entries()) {
    await breathe()
    signal.throwIfAborted()
    const speaker = line.speaker === 'agent' ? 'agent' : 'callee'
    // Nobody says two things at once: a line waits until its speaker has finished the one before.
    const start = Math.max(samplesIn(line.timestamp), ends[speaker])
    if (start >= longestSamples || !/\S/.test(line.text)) continue
    let at = start
    const add = (samples: Int16Array) => {
      tracks[speaker].push({ at, samples })
      at += samples.length
    }
    if (speech && spoken) {
      for await (const samples of speech.say(line.text, { language: spoken, speaker }, signal)) {
        add(samples)
        if (at >= longestSamples) break
      }
    }
    // No voice is installed, or it has no sound for this script: a quiet tone marks the line, a different one for each,
    // so that the recording is still a real one to play, with sound wherever somebody spoke.
    if (at === start) add(toneFor(line.text, speaker, index))
    ends[speaker] = at
  }
  signal.throwIfAborted()
  const length = Math.max(samplesIn(durationSeconds), ends.agent, ends.callee)
  return writeStereoWav(tracks, Math.min(length, longestSamples))
}

function samplesIn(seconds: number): number {
  return Number.isNaN(seconds) ? 0 : Math.round(Math.max(0, Math.min(seconds, longestRecordingSeconds)) * recordingRate)
}

const toneLevel = 1_600
const baseHertz = { agent: 440, callee: 294 } as const
const pitches = [1, 9 / 8, 5 / 4, 3 / 2, 5 / 3]
const secondsPerCharacter = 0.06
const fadeSamples = recordingRate / 50

/** About as long as the words would have taken. */
function toneFor(text: string, speaker: 'agent' | 'callee', index: number): Int16Array {
  const seconds = Math.max(0.3, Math.min(text.length * secondsPerCharacter, 8))
  const length = Math.round(seconds * recordingRate)
  const hertz = baseHertz[speaker] * (pitches[index % pitches.length] ?? 1)
  return Int16Array.from({ length }, (_, sample) => {
    const fade = Math.min(1, sample / fadeSamples, (length - sample) / fadeSamples)
    return Math.round(toneLevel * fade * Math.sin((2 * Math.PI * hertz * sample) / recordingRate))
  })
}
