import { fillTemplate, sampleOf } from '@parley/contract/placeholders'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { everyone } from '../organisations/roles.ts'
import type { Queryable } from '../platform/db.ts'
import { getAgent } from './agent-setup.ts'

/** `speak` makes a WAV of what is said, in the voice of that language. */
export type AgentVoiceRoutesDeps = { db: Queryable; speak(text: string, language: string): Promise<Buffer> }

// Speaking takes time; a greeting says more than enough in this many characters.
const longest = 300

/** How an agent sounds: its greeting, with sample values, spoken as on the phone. */
export function agentVoiceRoutes(app: FastifyInstance, { db, speak }: AgentVoiceRoutesDeps): void {
  app.get<{ Params: { agent_id: string } }>('/api/agents/:agent_id/voice', {
    config: { roles: everyone },
    schema: { hide: true },
    handler: async ({ signedIn, params }, reply): Promise<FastifyReply> => {
      const agent = await getAgent(db, signedIn.organisation.organisationId, params.agent_id)
      const text = fillTemplate(agent.greeting, sampleOf).slice(0, longest)
      return reply.type('audio/wav').send(await speak(text === '' ? agent.name : text, agent.language))
    },
  })
}
