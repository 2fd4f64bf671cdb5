import { frameSamples } from '../../voice/audio.ts'
import { pauseFrames, pressFrames } from './digits-out.ts'

const rows = [697, 770, 852, 941]
const columns = [1_209, 1_336, 1_477, 1_633]
const layout = '123A456B789C*0#D'
const level = 8_000
const sampleRate = 8_000

/** Keys as tones in the sound itself (ITU-T Q.23), for a line on which no telephone events were agreed. */
export function dtmfTones(digits: string): Int16Array {
  const press = pressFrames * frameSamples
  const whole = press + pauseFrames * frameSamples
  const samples = new Int16Array(digits.length * whole)
  for (const [index, digit] of [...digits].entries()) {
    const place = layout.indexOf(digit)
    const low = (2 * Math.PI * (rows[place >> 2] ?? 0)) / sampleRate
    const high = (2 * Math.PI * (columns[place & 3] ?? 0)) / sampleRate
    for (let i = 0; i < press; i += 1) {
      samples[index * whole + i] = Math.round(level * (Math.sin(low * i) + Math.sin(high * i)))
    }
  }
  return samples
}
