import type { CreateCallBody } from '@parley/contract/calls'
import { uncallableAgentFaults } from '../agents/callable-agent.ts'
import type { Queryable } from '../platform/db.ts'
import { type Fault, fault, ParleyError } from '../platform/errors.ts'
import { type PhoneFault, phoneFault } from '../platform/phone.ts'

// All that a request which is refused anyway is told besides: nothing here is asked of one that becomes a call.

/** The first of the faults is the agent's. */
export const agentNotCallable = (details: Fault[]): ParleyError =>
  new ParleyError('AGENT_NOT_CALLABLE', `The agent cannot place calls: ${details[0]?.message}`, { details })

/** Beside a faulty field: whether agent and number would have done. */
export async function refusedCallFaults(
  db: Queryable,
  organisationId: string,
  body: Record<string, unknown>,
): Promise<Fault[]> {
  const number = body.user_number ?? body.contact_number
  const problem = typeof number === 'string' ? phoneFault(number) : null
  return [
    ...(await uncallableAgentFaults(db, organisationId, body.agent_id)),
    ...(problem ? [numberFault(body, problem)] : []),
  ]
}

/** A bad number alone is told by its own code; beside a bad agent, 400 wins (decisions 1). */
export async function refuseNumber(
  db: Queryable,
  organisationId: string,
  body: CreateCallBody,
  problem: PhoneFault,
): Promise<never> {
  const ofNumber = numberFault(body, problem)
  const ofAgent = await uncallableAgentFaults(db, organisationId, body.agent_id)
  if (ofAgent.length > 0) throw agentNotCallable([...ofAgent, ofNumber])
  throw new ParleyError(problem.code, problem.message, { details: [ofNumber] })
}

const numberFault = (body: Record<string, unknown>, { code, message }: PhoneFault): Fault =>
  fault(body.user_number === undefined ? 'contact_number' : 'user_number', code.toLowerCase(), message)
