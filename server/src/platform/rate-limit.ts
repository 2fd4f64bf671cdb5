import type { Clock } from './clock.ts'

export type RateVerdict = { allowed: boolean; remaining: number; resetSeconds: number; retryAfterSeconds: number }
export type RateLimiter = {
  policy: string
  take(key: string): RateVerdict
  /** What is left, for answers that cost nothing. */
  peek(key: string): RateVerdict
}

type Bucket = { tokens: number; atMs: number }

/** A token bucket per key: holds `perMinute`, refills evenly. In memory, so each node has its own (docs/decisions/0006). */
export function createRateLimiter(perMinute: number, clock: Clock): RateLimiter {
  const buckets = new Map<string, Bucket>()
  const perMs = perMinute / 60_000
  let sweptAtMs = clock.now().getTime()

  const refill = (key: string): Bucket => {
    const nowMs = clock.now().getTime()
    // A full bucket is the same as none: drop those idle for a minute, so strangers cannot fill the memory.
    if (nowMs - sweptAtMs > 60_000) {
      for (const [each, bucket] of buckets) if (nowMs - bucket.atMs > 60_000) buckets.delete(each)
      sweptAtMs = nowMs
    }
    const known = buckets.get(key)
    const bucket = known ?? { tokens: perMinute, atMs: nowMs }
    bucket.tokens = Math.min(perMinute, bucket.tokens + Math.max(0, nowMs - bucket.atMs) * perMs)
    bucket.atMs = nowMs
    if (!known) buckets.set(key, bucket)
    return bucket
  }
  const verdict = (bucket: Bucket, allowed: boolean): RateVerdict => ({
    allowed,
    remaining: Math.floor(bucket.tokens),
    resetSeconds: Math.ceil((perMinute - bucket.tokens) / perMs / 1_000),
    retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1_000)),
  })

  return {
    policy: `"default";q=${perMinute};w=60`,
    take(key) {
      const bucket = refill(key)
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= 1
      return verdict(bucket, allowed)
    },
    peek: (key) => verdict(refill(key), true),
  }
}
