import { TryAgentBody } from '@parley/contract/agents'
import { CreatedCall } from '@parley/contract/calls'
import type { FastifyInstance } from 'fastify'
import { workers } from '../organisations/roles.ts'
import type { CreateCallDeps } from './create-call.ts'
import { tryAgent } from './try-agent.ts'

export function tryAgentRoutes(app: FastifyInstance, deps: CreateCallDeps): void {
  app.post<{ Params: { agent_id: string }; Body: TryAgentBody }>('/api/agents/:agent_id/try', {
    config: { roles: workers },
    schema: { hide: true, body: TryAgentBody, response: { 201: CreatedCall } },
    handler: async ({ signedIn: { organisation }, params, body }, reply) => {
      const answer = await tryAgent(deps, organisation.organisationId, params.agent_id, body)
      return reply.status(201).type('application/json; charset=utf-8').serializer(String).send(answer)
    },
  })
}
