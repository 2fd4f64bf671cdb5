import type { Plan } from '@parley/contract/common'
import type { Database, Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { type IdempotencyClaim, recall } from '../platform/idempotency.ts'
import { countRequest, countSignature } from './hooks.store.ts'
import { refuseSeenBefore } from './signature.ts'

export type AdmissionDeps = { db: Database; hookQuotas: Record<Plan, number> }
/** `digest` is null when the request need not be signed. */
export type AskedAdmission = {
  organisationId: string
  plan: Plan
  digest: string | null
  claim: IdempotencyClaim | null
}
/** `isFirst`: this signed request had not been seen before. */
export type Admission = { isFirst: boolean; limit: number; remaining: number; resetsInSeconds: number }

/** Replay first, quota second: what is refused with 401 does not count (decisions 2). */
export async function admitRequest({ db, hookQuotas }: AdmissionDeps, asked: AskedAdmission): Promise<Admission> {
  const isFirst = await judgeReplay(db, asked)
  const limit = hookQuotas[asked.plan]
  const { used, resetsInSeconds } = await countRequest(db, asked.organisationId, limit)
  if (used === null) {
    throw new ParleyError('DAILY_QUOTA_EXCEEDED', `All ${limit} requests of today (UTC) are used up.`, {
      headers: { ...quotaHeaders({ limit, remaining: 0, resetsInSeconds }), 'retry-after': String(resetsInSeconds) },
    })
  }
  return { isFirst, limit, remaining: limit - used, resetsInSeconds }
}

/**
 * A signed request acts once. Its repeat is let through only with the very key of the first: while that one is still
 * being answered (the key lets one of them act), and afterwards when the key replays (docs/decisions/0015).
 */
async function judgeReplay(db: Queryable, { digest, claim }: AskedAdmission): Promise<boolean> {
  if (digest === null) return false
  const seen = await countSignature(db, digest, claim?.keyHash ?? null)
  if (seen.times === 1) return true
  const replays = claim && seen.sameKey && (!seen.settled || (await recall(db, claim))?.sameBody)
  return replays ? false : refuseSeenBefore()
}

export const quotaHeaders = ({ limit, remaining, resetsInSeconds }: Omit<Admission, 'isFirst'>) => ({
  'ratelimit-policy': `"daily";q=${limit};w=86400`,
  ratelimit: `"daily";r=${remaining};t=${resetsInSeconds}`,
})
