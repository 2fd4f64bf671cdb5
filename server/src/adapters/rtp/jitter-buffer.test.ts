import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestMatch, join, voiceLike } from '../../../test/rtp/sound.ts'
import { createJitterBuffer, type JitterBuffer } from './jitter-buffer.ts'

type Arrival = { atMs: number; timestamp: number; samples: Int16Array }
const voice = voiceLike(8)
const start = 0xffff_ff00

/** Packets of 20 ms, the n-th sent at 20 n ms by a clock that may run fast or slow. */
function trace(count: number, lateMs: (index: number) => number | null, { first = start, clock = 1, ptime = 20 } = {}) {
  const length = 8 * ptime
  const arrivals: Arrival[] = []
  for (let index = 0; index < count; index += 1) {
    const late = lateMs(index)
    if (late === null) continue
    const samples = voice.slice((index * length) % (voice.length - length)).slice(0, length)
    arrivals.push({ atMs: index * ptime * clock + late, timestamp: (first + index * length) >>> 0, samples })
  }
  return arrivals.sort((a, b) => a.atMs - b.atMs)
}

/** Plays it all, one frame each 20 ms, a little after each packet's time. */
function playAll(arrivals: Arrival[], durationMs: number, buffer: JitterBuffer = createJitterBuffer()): Int16Array {
  const frames: Int16Array[] = []
  const waiting = [...arrivals]
  for (let now = 5; now < durationMs; now += 20) {
    while (waiting[0] && waiting[0].atMs <= now) {
      const { timestamp, samples, atMs } = waiting.shift() as Arrival
      buffer.put(timestamp, samples, atMs)
    }
    const frame = new Int16Array(160)
    buffer.take(frame, now)
    frames.push(frame)
  }
  return join(frames)
}
const heardFrom = (whole: Int16Array) => whole.subarray(whole.findIndex((sample) => sample !== 0))
const exact = (heard: Int16Array, length: number) =>
  Buffer.compare(
    Buffer.from(heardFrom(heard).slice(1, length).buffer),
    Buffer.from(voice.slice(voice.findIndex((s) => s !== 0)).slice(1, length).buffer),
  ) === 0

describe('the jitter buffer', () => {
  it('without jitter plays every sample once and in order, over the end of the timestamps', () => {
    const buffer = createJitterBuffer()
    expect(
      exact(
        playAll(
          trace(200, () => 0),
          4_100,
          buffer,
        ),
        30_000,
      ),
    ).toBe(true)
    expect(buffer.figures()).toMatchObject({ late: 0, skipped: 0, repeated: 0 })
  })

  it('packets out of order and twice are played once and in order', () => {
    const arrivals = trace(200, (index) => (index % 7 === 3 ? 25 : 0))
    const doubled = arrivals.flatMap((each) => [each, { ...each, atMs: each.atMs + 1 }])
    expect(exact(playAll(doubled, 4_100), 30_000)).toBe(true)
  })

  it.each([10, 30, 40, 60])('packets of %i ms are as good', (ptime) => {
    const limits = { leastMs: 80, startMs: 80, mostMs: 200 }
    const heard = playAll(
      trace(4_000 / ptime, () => 0, { ptime }),
      4_100,
      createJitterBuffer(limits),
    )
    expect(exact(heard, 28_000)).toBe(true)
  })

  it('a stall costs no word: what was late is played later', () => {
    const buffer = createJitterBuffer({ leastMs: 20, startMs: 40, mostMs: 200 })
    const heard = playAll(
      trace(150, (index) => (index >= 50 && index < 58 ? (58 - index) * 20 : 0)),
      3_400,
      buffer,
    )
    expect(buffer.figures().late).toBe(0)
    // The piece around the stall is there whole, after what filled the gap.
    expect(bestMatch(heard, voice.subarray(8_400, 9_400)).correlation).toBeGreaterThan(0.98)
  })

  it('the delay that a stall has added is taken back', () => {
    const buffer = createJitterBuffer()
    playAll(
      trace(300, (index) => (index >= 50 && index < 58 ? (58 - index) * 20 : 0)),
      6_000,
      buffer,
    )
    const figures = buffer.figures()
    expect(figures.delayMs).toBeLessThanOrEqual(figures.wantedMs + 80)
    expect(figures.skipped).toBeGreaterThan(0)
  })

  it('waits longer where the network is uneven, and less where it is even', () => {
    const uneven = createJitterBuffer()
    playAll(
      trace(300, (index) => (index * 37) % 90),
      6_000,
      uneven,
    )
    const even = createJitterBuffer()
    playAll(
      trace(300, () => 0),
      6_000,
      even,
    )
    expect(uneven.figures().wantedMs).toBeGreaterThanOrEqual(80)
    expect(even.figures().wantedMs).toBe(20)
  })

  it('a lost packet is filled with something like it, which fades, and nothing else moves', () => {
    const buffer = createJitterBuffer()
    const heard = heardFrom(
      playAll(
        trace(100, (index) => (index === 40 ? null : 0)),
        2_200,
        buffer,
      ),
    )
    const shift = voice.findIndex((sample) => sample !== 0)
    const lost = heard.subarray(40 * 160 - shift, 41 * 160 - shift)
    expect(bestMatch(voice.subarray(39 * 160, 42 * 160), lost).correlation).toBeGreaterThan(0.7)
    expect(
      bestMatch(voice.subarray(41 * 160 + 40, 60 * 160 + 1), heard.subarray(41 * 160 + 40 - shift, 60 * 160 - shift))
        .correlation,
    ).toBeGreaterThan(0.9999)
    expect(buffer.figures().concealedSamples).toBeGreaterThanOrEqual(160)
  })

  it('after the last packet there is silence within 80 ms', () => {
    const heard = playAll(
      trace(50, () => 0),
      1_300,
    )
    expect(heard.subarray(8 * 1_200).every((sample) => sample === 0)).toBe(true)
  })

  it('after comfort noise there is silence at once, and nothing counts as concealed', () => {
    const buffer = createJitterBuffer()
    const put = (index: number) => buffer.put(160 * index, voice.slice(160 * index, 160 * index + 160), 20 * index)
    for (let index = 0; index < 20; index += 1) put(index)
    buffer.putSilence(160 * 20, 400)
    const frames: Int16Array[] = []
    for (let now = 405; now < 1_405; now += 20) {
      const frame = new Int16Array(160)
      buffer.take(frame, now)
      frames.push(frame)
    }
    expect(frames.slice(20).every((frame) => frame.every((sample) => sample === 0))).toBe(true)
    expect(buffer.figures().concealedSamples).toBe(0)
  })

  it('a pause of the sender is a pause: what comes after it is played whole and soon', () => {
    const buffer = createJitterBuffer()
    const heard = playAll(
      trace(400, (index) => (index >= 50 && index < 300 ? null : 0)),
      8_100,
      buffer,
    )
    const at = bestMatch(heard, voice.subarray(310 * 160, 330 * 160))
    expect(at.correlation).toBeGreaterThan(0.999)
    expect(at.at - 310 * 160).toBeLessThan(8 * 150)
  })

  it.each([1.002, 0.998])('a clock that runs %d times as slow is followed for a long time', (clock) => {
    const buffer = createJitterBuffer()
    const count = 6_000
    playAll(
      trace(count, () => 0, { clock }),
      count * 20 * clock,
      buffer,
    )
    const { delayMs, wantedMs, late } = buffer.figures()
    expect(late).toBe(0)
    expect(Math.abs(delayMs - wantedMs)).toBeLessThanOrEqual(100)
  })

  it('timestamps that start anew are followed', () => {
    const buffer = createJitterBuffer()
    const later = trace(100, () => 0, { first: 77 }).map((each) => ({ ...each, atMs: each.atMs + 2_000 }))
    const heard = playAll([...trace(100, () => 0), ...later], 4_200, buffer)
    expect(bestMatch(heard.subarray(8 * 2_000), voice.subarray(1_600, 14_000)).correlation).toBeGreaterThan(0.999)
  })

  it('whatever comes whenever, it gives a frame each time and never sound from nowhere', () => {
    const arrival = fc.record({
      gapMs: fc.integer({ min: 0, max: 300 }),
      timestamp: fc.integer({ min: 0, max: 0xffff_ffff }),
      near: fc.boolean(),
      length: fc.integer({ min: 0, max: 5_000 }),
    })
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 60 }), (arrivals) => {
        const buffer = createJitterBuffer()
        const frame = new Int16Array(160)
        let now = 0
        let timestamp = 0
        for (const each of arrivals) {
          timestamp = each.near ? (timestamp + 160) >>> 0 : each.timestamp
          buffer.put(timestamp, new Int16Array(each.length).fill(1_000), now)
          for (let passed = 0; passed <= each.gapMs; passed += 20) {
            buffer.take(frame, now + passed)
            expect(frame.every((sample) => sample >= 0 && sample <= 1_001)).toBe(true)
          }
          now += each.gapMs
        }
      }),
      { numRuns: 200 },
    )
  })

  it('any order within the delay gives the same sound', () => {
    const limits = { leastMs: 100, startMs: 100, mostMs: 200 }
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 95 }), { minLength: 60, maxLength: 60 }), (lates) => {
        // The first in time: what comes before the beginning cannot be waited for.
        const arrivals = trace(60, (index) => (index === 0 ? 0 : (lates[index] ?? 0)))
        expect(exact(playAll(arrivals, 1_500, createJitterBuffer(limits)), 9_000)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})
