import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCallClock } from './call-clock.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('a wait really takes its length divided by the speed', async () => {
  const clock = createCallClock(100)
  const minute = clock.waitUntil(60_000)
  await vi.advanceTimersByTimeAsync(599)
  expect(clock.now()).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(await minute).toBe(true)
  expect(clock.now()).toBe(60_000)
})

it('a late timer does not make the call longer', async () => {
  const clock = createCallClock(1)
  const wait = clock.waitUntil(1_000)
  await vi.advanceTimersByTimeAsync(5_000)
  await wait
  expect(clock.now()).toBe(1_000)
})

it('waits below a millisecond cost no timer each, but are not forgotten', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const clock = createCallClock(1_000)
  for (let at = 400; at <= 4_000; at += 400) {
    const wait = clock.waitUntil(at)
    await vi.advanceTimersToNextTimerAsync()
    await wait
  }
  expect(clock.now()).toBe(4_000)
  // Ten waits of 0.4 ms; a fraction may be left for the next one. Somebody else's timers are longer.
  const own = timers.mock.calls.filter(([, ms]) => ms === 1).length
  expect([3, 4]).toContain(own)
})

it('a wait cut short moves the clock by what has passed', async () => {
  const clock = createCallClock(10)
  const cutting = new AbortController()
  const wait = clock.waitUntil(10_000, cutting.signal)
  await vi.advanceTimersByTimeAsync(300)
  cutting.abort()
  expect(await wait).toBe(false)
  expect(clock.now()).toBe(3_000)
  expect(vi.getTimerCount()).toBe(0)
})

it('two waits at once end at their own moments', async () => {
  const clock = createCallClock(1)
  const ends: number[] = []
  const waits = [3_000, 2_000].map((at) => clock.waitUntil(at).then(() => ends.push(clock.now())))
  await vi.advanceTimersByTimeAsync(3_000)
  await Promise.all(waits)
  expect(ends).toEqual([2_000, 3_000])
})

it('stopping ends every wait, and no new one begins', async () => {
  const clock = createCallClock(1)
  const waits = [clock.waitUntil(3_000), clock.waitUntil(2_000)]
  clock.stop()
  expect(await Promise.all(waits)).toEqual([false, false])
  expect(await clock.waitUntil(1_000)).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

it('waits beyond the longest timer do not fire at once', async () => {
  const clock = createCallClock(0.001)
  const wait = clock.waitUntil(60 * 60 * 1_000)
  await vi.advanceTimersByTimeAsync(1_000_000)
  expect(clock.now()).toBe(0)
  clock.stop()
  expect(await wait).toBe(false)
})
