import { sampleRate } from '../../voice/ports.ts'

const low = [697, 770, 852, 941]
const high = [1_209, 1_336, 1_477, 1_633]
const layout = ['123A', '456B', '789C', '*0#D']
const toneSamples = 0.12 * sampleRate
const gapSamples = 0.08 * sampleRate
const level = 6_000

/** Keys as the two tones each of them has. */
export function dtmfSound(keys: string): Int16Array {
  const pressed = [...keys].flatMap((key) => {
    const row = layout.findIndex((each) => each.includes(key))
    return row < 0 ? [] : [[low[row] ?? 0, high[layout[row]?.indexOf(key) ?? 0] ?? 0] as const]
  })
  const sound = new Int16Array(pressed.length * (toneSamples + gapSamples))
  for (const [index, hertz] of pressed.entries()) {
    const start = index * (toneSamples + gapSamples)
    for (let at = 0; at < toneSamples; at += 1)
      sound[start + at] = hertz.reduce((sum, each) => sum + level * Math.sin((2 * Math.PI * each * at) / sampleRate), 0)
  }
  return sound
}
