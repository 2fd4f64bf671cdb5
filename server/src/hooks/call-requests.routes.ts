import { CallRequestsAnswer } from '@parley/contract/dashboard-calls'
import type { FastifyInstance } from 'fastify'
import { getCall } from '../calls/calls.service.ts'
import { everyone } from '../organisations/roles.ts'
import type { Queryable } from '../platform/db.ts'
import { selectRequestsOfCall } from './hooks.store.ts'

type OneCall = { Params: { call_id: string } }

/** Which requests to the hook made or cancelled a call: its timeline begins with them. */
export function callRequestsRoutes(app: FastifyInstance, { db }: { db: Queryable }): void {
  app.get<OneCall>('/api/calls/:call_id/requests', {
    config: { roles: everyone },
    schema: { hide: true, response: { 200: CallRequestsAnswer } },
    handler: async ({ signedIn, params }) => {
      const { organisationId } = signedIn.organisation
      const { callId, createdAt, cancelledAt } = await getCall(db, organisationId, params.call_id)
      const found = await selectRequestsOfCall(db, organisationId, callId, [createdAt, cancelledAt ?? createdAt])
      const data = found.map(({ requestId, at, ...each }) => ({
        request_id: requestId,
        at: at.toISOString(),
        action: each.action,
        status: each.status,
      }))
      return { success: true, data }
    },
  })
}
