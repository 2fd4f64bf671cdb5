import os from 'node:os'
import { setImmediate as breathe } from 'node:timers/promises'

export const recordingRate = 8_000
export const wavHeaderBytes = 44
const channels = 2
const bytesPerFrame = 2 * channels
/** About a millisecond of work, then others get their turn. */
const samplesAtOnce = 200_000

/** 16-bit samples and where they begin, counted in samples. Silence between them takes no memory. */
export type Segment = { at: number; samples: Int16Array }
export type Tracks = { agent: readonly Segment[]; callee: readonly Segment[] }

/** A stereo WAV of so many samples: the agent left, the callee right. What reaches beyond the end is cut off. */
export async function writeStereoWav(tracks: Tracks, length: number): Promise<Buffer> {
  const wav = Buffer.alloc(wavHeaderBytes + length * bytesPerFrame)
  const frames = new Int16Array(wav.buffer, wav.byteOffset + wavHeaderBytes, length * channels)
  for (const [channel, segments] of [tracks.agent, tracks.callee].entries()) {
    for (const { at, samples } of segments) {
      const audible = samples.subarray(0, Math.max(0, length - at))
      for (let first = 0; first < audible.length; first += samplesAtOnce) {
        const last = Math.min(first + samplesAtOnce, audible.length)
        for (let index = first; index < last; index += 1)
          frames[(at + index) * channels + channel] = audible[index] ?? 0
        await breathe()
      }
    }
  }
  if (os.endianness() === 'BE') wav.subarray(wavHeaderBytes).swap16()
  writeHeader(wav, length * bytesPerFrame)
  return wav
}

/** A mono WAV, as recognisers want it. */
export function writeMonoWav(samples: Int16Array): Buffer {
  const wav = Buffer.alloc(wavHeaderBytes + samples.length * 2)
  for (let at = 0; at < samples.length; at += 1) wav.writeInt16LE(samples[at] as number, wavHeaderBytes + 2 * at)
  writeHeader(wav, samples.length * 2, 1)
  return wav
}

function writeHeader(wav: Buffer, dataBytes: number, count = channels): void {
  wav.write('RIFF', 0, 'latin1')
  wav.writeUInt32LE(wavHeaderBytes - 8 + dataBytes, 4)
  wav.write('WAVEfmt ', 8, 'latin1')
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(count, 22)
  wav.writeUInt32LE(recordingRate, 24)
  wav.writeUInt32LE(recordingRate * 2 * count, 28)
  wav.writeUInt16LE(2 * count, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36, 'latin1')
  wav.writeUInt32LE(dataBytes, 40)
}
