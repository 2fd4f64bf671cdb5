import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDigitReader, keys } from './digits-in.ts'
import { createDigitWriter, type DigitStep } from './digits-out.ts'
import { dtmfTones } from './dtmf-tones.ts'

type Event = Extract<DigitStep, { type: 'event' }>

function written(digits: string): { step: DigitStep; timestamp: number }[] {
  const writer = createDigitWriter()
  writer.press(digits)
  const steps: { step: DigitStep; timestamp: number }[] = []
  for (let timestamp = 0xffff_f000; ; timestamp = (timestamp + 160) >>> 0) {
    const step = writer.next(timestamp)
    if (step === null) return steps
    steps.push({ step, timestamp })
  }
}
const eventsOf = (digits: string): Event[] =>
  written(digits).flatMap(({ step }) => (step.type === 'event' ? [step] : []))
const read = (events: readonly Event[]): string => {
  const reader = createDigitReader()
  return events.map(({ payload, timestamp }) => reader.read(payload, timestamp) ?? '').join('')
}

describe('keys as telephone events', () => {
  it('a press is one timestamp, a marker on the first, growing durations and three ends', () => {
    const events = eventsOf('5')
    expect(events.map(({ payload }) => payload.readUInt16BE(2))).toEqual([160, 320, 480, 640, 800, 800, 800])
    expect(events.map(({ payload }) => (payload[1] ?? 0) >> 7)).toEqual([0, 0, 0, 0, 1, 1, 1])
    expect(events.map(({ marker }) => marker)).toEqual([true, false, false, false, false, false, false])
    expect(new Set(events.map(({ timestamp }) => timestamp)).size).toBe(1)
    expect(events.every(({ payload }) => payload[0] === 5)).toBe(true)
  })

  it('between two presses there is a pause', () => {
    const [first, second] = [...new Set(eventsOf('55').map(({ timestamp }) => timestamp))] as [number, number]
    expect((second - first) >>> 0).toBeGreaterThan(800 + 320)
  })

  it('every key is read once', () => {
    expect(read(eventsOf(keys))).toBe(keys)
    expect(read(eventsOf('1111'))).toBe('1111')
  })

  it('whatever is lost or repeated, a press of which one packet came is told once', () => {
    const fate = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 28, maxLength: 28 })
    fc.assert(
      fc.property(fate, fc.constantFrom('1234', '7777', '9#9#'), (copies, digits) => {
        const arrived = eventsOf(digits).flatMap((event, index) => Array<Event>(copies[index] ?? 1).fill(event))
        const presses = [...new Set(eventsOf(digits).map(({ timestamp }) => timestamp))]
        const expected = presses.flatMap((timestamp, index) =>
          arrived.some((each) => each.timestamp === timestamp) ? [digits[index]] : [],
        )
        expect(read(arrived)).toBe(expected.join(''))
      }),
    )
  })

  it('a key held for long, told in parts with timestamps of their own, is one press', () => {
    const reader = createDigitReader()
    const part = (timestamp: number, duration: number) =>
      reader.read(Buffer.from([3, 10, duration >> 8, duration & 255]), timestamp)
    expect(part(1_000, 160)).toBe('3')
    expect(part(1_000, 0xffff)).toBeNull()
    expect(part(1_000 + 0xffff, 400)).toBeNull()
  })

  it('a sender that moves the timestamp with every packet still pressed once', () => {
    const reader = createDigitReader()
    const told = [0, 1, 2, 3, 4].map((index) => reader.read(Buffer.from([8, 10, 0, 160]), 5_000 + 160 * index))
    expect(told).toEqual(['8', null, null, null, null])
  })

  it('what is no key is nothing', () => {
    const reader = createDigitReader()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), fc.integer({ min: 0, max: 0xffff_ffff }), (payload, timestamp) => {
        const key = reader.read(payload, timestamp)
        if (payload.length < 4 || (payload[0] ?? 0) > 15) expect(key).toBeNull()
      }),
    )
  })
})

describe('keys as tones', () => {
  it('each has its two frequencies and no other', () => {
    const power = (samples: Int16Array, frequency: number) => {
      let [re, im] = [0, 0]
      samples.forEach((sample, i) => {
        re += sample * Math.cos((2 * Math.PI * frequency * i) / 8_000)
        im += sample * Math.sin((2 * Math.PI * frequency * i) / 8_000)
      })
      return Math.hypot(re, im) / samples.length
    }
    const tone = dtmfTones('7').subarray(0, 800)
    expect(power(tone, 852)).toBeGreaterThan(3_500)
    expect(power(tone, 1_209)).toBeGreaterThan(3_500)
    for (const other of [697, 770, 941, 1_336, 1_477, 1_633]) expect(power(tone, other)).toBeLessThan(400)
  })
})
