import { setImmediate as breathe } from 'node:timers/promises'
import type { RecordingPeaks } from '@parley/contract/sharing'
import type { MediaObject } from './ports.ts'
import { wavHeaderBytes } from './wav.ts'

const bytesPerFrame = 4
/** About a millisecond of work, then others get their turn. */
const framesAtOnce = 100_000

/** The peaks of a 16-bit stereo WAV in so many steps. Null when it is something else. */
export async function peaksOf(recording: MediaObject, steps = 240): Promise<RecordingPeaks | null> {
  const header = await bytesOf(recording.read(0, wavHeaderBytes - 1))
  const isOurs = header.length === wavHeaderBytes && header.toString('latin1', 0, 4) === 'RIFF'
  if (!isOurs || header.readUInt16LE(22) !== 2 || header.readUInt16LE(34) !== 16) return null
  const frames = Math.floor((recording.size - wavHeaderBytes) / bytesPerFrame)
  const loudest = { agent: new Uint16Array(steps), user: new Uint16Array(steps) }
  let at = 0
  let rest = Buffer.alloc(0)
  const take = async (bytes: Buffer) => {
    for (let from = 0; from + bytesPerFrame <= bytes.length; from += framesAtOnce * bytesPerFrame) {
      const last = Math.min(from + framesAtOnce * bytesPerFrame, bytes.length - (bytes.length % bytesPerFrame))
      for (let i = from; i < last; i += bytesPerFrame, at += 1) {
        const step = Math.floor((at * steps) / frames)
        loudest.agent[step] = Math.max(loudest.agent[step] ?? 0, Math.abs(bytes.readInt16LE(i)))
        loudest.user[step] = Math.max(loudest.user[step] ?? 0, Math.abs(bytes.readInt16LE(i + 2)))
      }
      await breathe()
    }
  }
  if (frames > 0) {
    for await (const chunk of recording.read(wavHeaderBytes, recording.size - 1)) {
      const bytes = Buffer.concat([rest, chunk])
      await take(bytes)
      rest = bytes.subarray(bytes.length - (bytes.length % bytesPerFrame))
    }
  }
  // Quiet recordings fill the picture, too; both channels by the same measure.
  const top = Math.max(1, ...loudest.agent, ...loudest.user)
  const shares = (channel: Uint16Array) => Array.from(channel, (each) => Math.round((each / top) * 100) / 100)
  return {
    duration_seconds: frames / header.readUInt32LE(24),
    agent: shares(loudest.agent),
    user: shares(loudest.user),
  }
}

async function bytesOf(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of parts) chunks.push(chunk)
  return Buffer.concat(chunks)
}
