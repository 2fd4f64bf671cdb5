import { expect, it } from 'vitest'
import { createRateLimiter } from './rate-limit.ts'

function limiterAt(perMinute: number) {
  let nowMs = 0
  const limiter = createRateLimiter(perMinute, { now: () => new Date(nowMs) })
  const advance = (ms: number) => {
    nowMs += ms
  }
  return { limiter, advance }
}

it('allows the whole minute at once, then one per refill', () => {
  const { limiter, advance } = limiterAt(60)
  expect(Array.from({ length: 61 }, () => limiter.take('a').allowed).filter(Boolean)).toHaveLength(60)
  advance(999)
  expect(limiter.take('a').allowed).toBe(false)
  advance(1)
  expect(limiter.take('a').allowed).toBe(true)
  expect(limiter.take('a')).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 1 })
})

it('never holds more than the limit, however long it rested, and a clock set back gives nothing away', () => {
  const { limiter, advance } = limiterAt(2)
  advance(86_400_000)
  expect([1, 2, 3].map(() => limiter.take('a').allowed)).toEqual([true, true, false])
  advance(-3_600_000)
  expect(limiter.take('a').allowed).toBe(false)
})
