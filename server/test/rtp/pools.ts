import { afterAll } from 'vitest'
import type { MediaSession } from '../../src/adapters/rtp/media-line.ts'
import type { OpenParameters } from '../../src/adapters/rtp/media-parameters.ts'
import { createMediaPool, type MediaPool, type MediaPoolOptions } from '../../src/adapters/rtp/pool.ts'
import type { AudioFrame } from '../../src/voice/audio.ts'

// A machine that runs other tests may stand still for a while: nothing here is about being quick.
const jitter = { leastMs: 200, startMs: 200, mostMs: 400 }
export const host = '127.0.0.1'
const pools: MediaPool[] = []
/** A hundred ports from here on; closed after the file. */
export async function pool(from: number, more: Partial<MediaPoolOptions> = {}): Promise<MediaPool> {
  const made = await createMediaPool({ host, workers: 1, ports: [from, from + 99], ...more })
  pools.push(made)
  return made
}
afterAll(() => Promise.all(pools.map((each) => each.close())))

export const plain: OpenParameters = {
  remote: null,
  codec: 'PCMU',
  telephoneEvent: { send: 101, receive: 101 },
  jitter,
}
export const at = (port: number) => ({ address: host, port })

export async function connected(
  a: MediaPool,
  b: MediaPool,
  left: OpenParameters = plain,
  right: OpenParameters = left,
) {
  const [one, two] = [await a.open(left), await b.open(right)]
  one.update({ remote: at(two.localPort) })
  two.update({ remote: at(one.localPort) })
  return [one, two] as const
}

export const someFrames = async (session: MediaSession, count: number): Promise<AudioFrame[]> => {
  const frames: AudioFrame[] = []
  for await (const frame of session.frames) if (frames.push(frame) >= count) break
  return frames
}
export const someDigits = async (session: MediaSession, count: number): Promise<string> => {
  let digits = ''
  for await (const digit of session.digits) {
    digits += digit
    if (digits.length >= count) break
  }
  return digits
}
export const drained = async (items: AsyncIterable<unknown>): Promise<void> => {
  for await (const _item of items);
}
