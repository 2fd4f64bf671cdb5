import type { Queryable } from '../platform/db.ts'
import { type Fault, fault } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import { type CallingProblem, callingProblems } from './agent.ts'
import { selectCallingProblem } from './agents.store.ts'

export const agentFault = (problem: CallingProblem): Fault => fault('agent_id', problem, callingProblems[problem])

/** For requests that are refused anyway: what the statement that inserts the call would have said of the agent. */
export async function uncallableAgentFaults(db: Queryable, organisationId: string, agentId: unknown): Promise<Fault[]> {
  if (typeof agentId !== 'string') return []
  const problem = isId('agent', agentId) ? await selectCallingProblem(db, organisationId, agentId) : 'agent_missing'
  return problem ? [agentFault(problem)] : []
}
