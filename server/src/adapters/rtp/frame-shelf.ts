import { frameSamples } from '../../voice/audio.ts'

const framesPerShelf = 100

/**
 * Copies frames out of a batch into memory of one line: who keeps a frame keeps a second of that line and nothing of the
 * others. One piece of memory for many frames, because the collector counts pieces.
 */
export function createFrameShelf(): (batch: Int16Array, at: number) => Int16Array {
  let shelf = new Int16Array(0)
  let used = 0

  return (batch, at) => {
    if (used === shelf.length) {
      shelf = new Int16Array(framesPerShelf * frameSamples)
      used = 0
    }
    const frame = shelf.subarray(used, used + frameSamples)
    used += frameSamples
    for (let i = 0; i < frameSamples; i += 1) frame[i] = batch[at + i] as number
    return frame
  }
}
