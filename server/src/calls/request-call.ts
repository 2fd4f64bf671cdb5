import type { CreateCallBody } from '@parley/contract/calls'
import type { IdempotencyClaim, OnceAnswered } from '../platform/idempotency.ts'
import { phoneFault } from '../platform/phone.ts'
import type { CallSource } from './call.ts'
import { type CallCreator, type CreateCallDeps, createCall } from './create-call.ts'
import { numberOf, toNewCall } from './new-call.ts'
import { refuseNumber } from './refuse-call.ts'

/**
 * From a body without faults to a call. The number is judged last: when something else is wrong, 400 wins (decisions 1).
 * No `async`: this is the way of every request that creates a call.
 */
export function requestCall(
  deps: CreateCallDeps,
  creator: CallCreator,
  { body, source }: { body: CreateCallBody; source: CallSource },
  claim: IdempotencyClaim | null,
): Promise<OnceAnswered> {
  const problem = phoneFault(numberOf(body))
  if (problem) return refuseNumber(deps.db, creator.organisationId, body, problem)
  return createCall(deps, creator, toNewCall(body, source), claim)
}
