import { CallableAgentsAnswer } from '@parley/contract/dashboard-calls'
import type { FastifyInstance } from 'fastify'
import { everyone } from '../organisations/roles.ts'
import type { Queryable } from '../platform/db.ts'
import { selectAgentsToCallWith } from './agents.store.ts'
import { placeholdersIn } from './placeholders.ts'

/** Whom a call can be placed with, and what each of them wants to know. */
export function callableAgentsRoutes(app: FastifyInstance, { db }: { db: Queryable }): void {
  app.get('/api/agents/callable', {
    config: { roles: everyone },
    schema: { hide: true, response: { 200: CallableAgentsAnswer } },
    handler: async ({ signedIn }) => {
      const agents = await selectAgentsToCallWith(db, signedIn.organisation.organisationId)
      const data = agents.map(({ prompt, greeting, ...agent }) => ({
        ...agent,
        placeholders: placeholdersIn(greeting, prompt),
      }))
      return { success: true, data }
    },
  })
}
