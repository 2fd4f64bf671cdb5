import type { FastifyReply } from 'fastify'
import { ParleyError } from './errors.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Takes one from the bucket of `key`; the answer says what is left, and 429 when nothing was. */
export function enforceRate(reply: FastifyReply, limit: RateLimiter, key: string): void {
  const verdict = limit.take(key)
  reply.header('ratelimit-policy', limit.policy)
  reply.header('ratelimit', `"default";r=${verdict.remaining};t=${verdict.resetSeconds}`)
  if (verdict.allowed) return
  throw new ParleyError('RATE_LIMITED', `Too many requests. Try again in ${verdict.retryAfterSeconds} s.`, {
    headers: { 'retry-after': String(verdict.retryAfterSeconds) },
  })
}
