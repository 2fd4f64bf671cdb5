import type { TryAgentBody } from '@parley/contract/agents'
import { getAgent } from '../agents/agent-setup.ts'
import { fault, ParleyError } from '../platform/errors.ts'
import { type CreateCallDeps, createCall } from './create-call.ts'

/** The usual way of a call, at once, to somebody the simulator plays. A number on a real line is never dialled from here. */
export async function tryAgent(
  deps: CreateCallDeps,
  organisationId: string,
  agentId: string,
  body: TryAgentBody,
): Promise<string> {
  const agent = await getAgent(deps.db, organisationId, agentId)
  if (agent.number !== null && agent.carrier !== 'simulator') {
    const message =
      'The agent’s number is on a real line: the people of the simulator can be called from a simulator number only.'
    throw new ParleyError('AGENT_NOT_CALLABLE', message, { details: [fault('agent_id', 'real_line', message)] })
  }
  // A caller of the same country, for agents whose number is an Indian one.
  const country = agent.number?.startsWith('+91') ? '+91' : '+1'
  const { answer } = await createCall(
    deps,
    { organisationId, uncheckedKeyId: null },
    {
      agentId,
      contactNumber: `${country}500555${body.character}`,
      contactName: body.user_name ?? null,
      contactEmail: null,
      preferredLanguage: null,
      additionalInfo: body.additional_info ?? null,
      scheduledAt: deps.clock.now(),
      source: 'dashboard',
    },
    null,
  )
  return answer
}
