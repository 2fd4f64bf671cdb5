import { frameSamples } from '../../voice/audio.ts'
import { fromMuLaw } from '../../voice/mu-law.ts'

/** Frames come unevenly: so many are kept back, so that one that is a little late is still in time. */
const jitterFrames = 3
/** After a standstill they come all at once. More than this is dropped, or the talk would lag behind for good. */
const mostFrames = 25
const keptFrames = 5

/** What the callee says, evened out to a frame every 20 ms. */
export function createIncoming() {
  let waiting: Int16Array[] = []
  let filling = true
  return {
    hear: (payload: string) => {
      const sound = fromMuLaw(Buffer.from(payload, 'base64'))
      for (let at = 0; at + frameSamples <= sound.length; at += frameSamples)
        waiting.push(sound.subarray(at, at + frameSamples))
      if (waiting.length > mostFrames) waiting = waiting.slice(-keptFrames)
    },
    next: (): Int16Array => {
      if (waiting.length >= jitterFrames) filling = false
      if (waiting.length === 0) filling = true
      return (filling ? undefined : waiting.shift()) ?? new Int16Array(frameSamples)
    },
  }
}
