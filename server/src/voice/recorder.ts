import { longestRecordingSeconds } from '../media/render-recording.ts'
import { type Segment, writeStereoWav } from '../media/wav.ts'
import { type AudioFrame, frameMs, frameSamples } from './audio.ts'
import { fromMuLaw, toMuLaw } from './mu-law.ts'

/** Five seconds a chunk. A minute of two people talking takes a megabyte at most; silence takes nothing. */
const chunkFrames = 250
const mostFrames = (longestRecordingSeconds * 1_000) / frameMs

/** What was played and what was heard, side by side, as the line carried it. What comes after two hours is cut off. */
export function createRecorder() {
  const tracks = { agent: createTrack(), callee: createTrack() }
  let frames = 0
  return {
    add: ({ played, heard }: AudioFrame) => {
      if (frames >= mostFrames) return
      tracks.agent.add(frames, played)
      tracks.callee.add(frames, heard)
      frames += 1
    },
    seconds: () => (frames * frameMs) / 1_000,
    /** Bytes held in memory. */
    size: () => tracks.agent.size() + tracks.callee.size(),
    /** The stereo WAV: the agent left, the callee right. */
    wav: (): Promise<Buffer> =>
      writeStereoWav({ agent: tracks.agent.segments(), callee: tracks.callee.segments() }, frames * frameSamples),
  }
}

type Piece = { at: number; sound: Uint8Array; samples: number }

function createTrack() {
  const pieces: Piece[] = []
  return {
    add: (frame: number, sound: Int16Array | null) => {
      if (!sound || isSilent(sound)) return
      const at = frame * frameSamples
      const last = pieces.at(-1)
      const fits = last && last.at + last.samples === at && last.samples < chunkFrames * frameSamples
      const piece = fits ? last : { at, sound: new Uint8Array(frameSamples), samples: 0 }
      if (!fits) pieces.push(piece)
      if (piece.sound.length < piece.samples + frameSamples) piece.sound = grown(piece.sound)
      // A frame is a frame, whatever a line hands over.
      const whole =
        sound.length === frameSamples ? sound : Int16Array.from({ length: frameSamples }, (_, i) => sound[i] ?? 0)
      piece.sound.set(toMuLaw(whole), piece.samples)
      piece.samples += frameSamples
    },
    size: () => pieces.reduce((sum, { sound }) => sum + sound.length, 0),
    /** Unpacked one by one, when they are read. */
    segments: (): Segment[] =>
      pieces.map(({ at, sound, samples }) => ({
        at,
        get samples() {
          return fromMuLaw(sound.subarray(0, samples))
        },
      })),
  }
}

function grown(sound: Uint8Array): Uint8Array {
  const larger = new Uint8Array(Math.min(2 * sound.length, chunkFrames * frameSamples))
  larger.set(sound)
  return larger
}

function isSilent(sound: Int16Array): boolean {
  for (let at = 0; at < sound.length; at += 1) if (sound[at] !== 0) return false
  return true
}
