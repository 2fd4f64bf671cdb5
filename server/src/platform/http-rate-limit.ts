import type { FastifyReply, FastifyRequest } from 'fastify'
import { ParleyError } from './errors.ts'
import type { RateLimiter, RateVerdict } from './rate-limit.ts'

/** Takes one from the bucket of `key`; the answer says what is left, and 429 when nothing was. */
export function enforceRate(reply: FastifyReply, limit: RateLimiter, key: string): void {
  const verdict = limit.take(key)
  tell(reply, limit.policy, verdict)
  if (verdict.allowed) return
  throw new ParleyError('RATE_LIMITED', `Too many requests. Try again in ${verdict.retryAfterSeconds} s.`, {
    headers: { 'retry-after': String(verdict.retryAfterSeconds) },
  })
}

/** Every answer of the API says how much is left, also one given before anybody was counted (decisions 2). */
export function tellRate(request: FastifyRequest, reply: FastifyReply, limit: RateLimiter): void {
  if (!/^\/v1(?:[/?]|$)/.test(request.raw.url ?? '') || reply.hasHeader('ratelimit')) return
  tell(reply, limit.policy, limit.peek(request.ip))
}

function tell(reply: FastifyReply, policy: string, { remaining, resetSeconds }: RateVerdict): void {
  reply.header('ratelimit-policy', policy)
  reply.header('ratelimit', `"default";r=${remaining};t=${resetSeconds}`)
}
