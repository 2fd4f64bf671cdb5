import { frameSamples } from '../../voice/audio.ts'
import { keys } from './digits-in.ts'

/** Presses keys (RFC 4733): five growing packets, the last of them three times, then a pause. One step per frame. */
export type DigitWriter = {
  press(digits: string): void
  /** What to send instead of sound in this frame; null when no key is pressed. */
  next(timestamp: number): DigitStep | null
}
export type DigitStep = { type: 'event'; payload: Buffer; timestamp: number; marker: boolean } | { type: 'pause' }

export const pressFrames = 5
export const pauseFrames = 4
const endPackets = 3
const volume = 10
const endFlag = 0x80

export function createDigitWriter(): DigitWriter {
  const waiting: number[] = []
  let current: { key: number; timestamp: number; step: number } | null = null

  function start(timestamp: number): typeof current {
    const key = waiting.shift()
    return key === undefined ? null : { key, timestamp, step: 0 }
  }

  return {
    press(digits) {
      for (const digit of digits) waiting.push(keys.indexOf(digit))
    },
    next(timestamp) {
      current ??= start(timestamp)
      if (current === null) return null
      const { key, step } = current
      current.step += 1
      const eventSteps = pressFrames + endPackets - 1
      if (step >= eventSteps) {
        if (current.step === eventSteps + pauseFrames) current = null
        return { type: 'pause' }
      }
      const payload = Buffer.from([key, volume, 0, 0])
      if (step >= pressFrames - 1) payload[1] = volume | endFlag
      payload.writeUInt16BE(Math.min(step + 1, pressFrames) * frameSamples, 2)
      return { type: 'event', payload, timestamp: current.timestamp, marker: step === 0 }
    },
  }
}
