import { CallTurnList } from '@parley/contract/call-turns'
import type { FastifyInstance } from 'fastify'
import { everyone } from '../organisations/roles.ts'
import type { Queryable } from '../platform/db.ts'
import { selectTurns } from './call-turns.store.ts'
import { getCall } from './calls.service.ts'

export type CallTurnsRoutesDeps = { db: Queryable }

/** How long the other side of a real call waited for the agent, turn by turn: for the dashboard. */
export function callTurnsRoutes(app: FastifyInstance, { db }: CallTurnsRoutesDeps): void {
  app.get<{ Params: { call_id: string } }>('/api/calls/:call_id/turns', {
    config: { roles: everyone },
    schema: { hide: true, response: { '2xx': CallTurnList } },
    handler: async ({ signedIn, params }) => {
      const call = await getCall(db, signedIn.organisation.organisationId, params.call_id)
      const turns = await selectTurns(db, call.callId)
      return { success: true, data: turns.map((turn) => ({ ...turn, seconds: Number(turn.seconds) })) }
    },
  })
}
