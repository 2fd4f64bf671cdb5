import { sampleRate } from './ports.ts'

/** The tone of a voicemail: one steady pitch and little else. Ringing, busy and key tones have two. */
export type BeepDetector = {
  /** `tone`: this frame is a pure tone, so it is nobody's voice. `beep`: the tone has just ended, and was long enough. */
  hear(frame: Int16Array): { tone: boolean; beep: boolean }
}

const lowestHertz = 400
const highestHertz = 2_200
const stepHertz = 50
const coefficients = Array.from(
  { length: (highestHertz - lowestHertz) / stepHertz + 1 },
  (_, step) => 2 * Math.cos((2 * Math.PI * (lowestHertz + step * stepHertz)) / sampleRate),
)
const shortestFrames = 9
const longestFrames = 100
/** Of all the energy, what one pitch and its two neighbours hold. A pitch between two steps is spread over both. */
const leastShare = 0.8
const quietest = 60

export function createBeepDetector(): BeepDetector {
  let steady = 0
  let pitch = -1
  return {
    hear(frame) {
      const found = pitchOf(frame)
      if (found >= 0 && (steady === 0 || Math.abs(found - pitch) <= 1)) {
        pitch = found
        steady += 1
        return { tone: steady >= 2, beep: false }
      }
      // The frame in which a tone ends holds half of it.
      const beep = found < 0 && steady >= shortestFrames && steady <= longestFrames
      steady = found >= 0 ? 1 : 0
      pitch = found
      return { tone: false, beep }
    },
  }
}

/** Which step of the scale holds nearly all of the frame; -1 when none does. */
function pitchOf(frame: Int16Array): number {
  let energy = 0
  for (const sample of frame) energy += sample * sample
  if (energy < frame.length * quietest * quietest) return -1
  let best = -1
  let most = 0
  const powers = coefficients.map((coefficient, step) => {
    const power = goertzel(frame, coefficient)
    if (power > most) [best, most] = [step, power]
    return power
  })
  const share = ((powers[best - 1] ?? 0) + most + (powers[best + 1] ?? 0)) / ((energy * frame.length) / 2)
  return share >= leastShare ? best : -1
}

function goertzel(frame: Int16Array, coefficient: number): number {
  let before = 0
  let last = 0
  for (let at = 0; at < frame.length; at += 1) {
    const next = (frame[at] as number) + coefficient * last - before
    before = last
    last = next
  }
  return last * last + before * before - coefficient * last * before
}
