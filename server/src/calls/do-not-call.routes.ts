import { AddedNumbers, DoNotCallBody, DoNotCallList, DoNotCallQuery } from '@parley/contract/do-not-call'
import type { FastifyInstance } from 'fastify'
import { everyone, managers, workers } from '../organisations/roles.ts'
import type { Database } from '../platform/db.ts'
import { pageEnd } from '../platform/http-lists.ts'
import { bodyless } from '../platform/http-schemas.ts'
import { blockNumbers, doNotCallFaults, listDoNotCall, unblockNumber } from './do-not-call.service.ts'

export type DoNotCallRoutesDeps = { db: Database; baseUrl: string }

/** Whoever works with people may take a number off the phone; putting it back is for those who answer for it. */
export function doNotCallRoutes(app: FastifyInstance, { db, baseUrl }: DoNotCallRoutesDeps): void {
  app.get<{ Querystring: DoNotCallQuery }>('/api/do-not-call', {
    config: { roles: everyone },
    schema: { hide: true, querystring: DoNotCallQuery, response: { 200: DoNotCallList } },
    handler: async (request, reply) => {
      const page = await listDoNotCall(db, request.signedIn.organisation.organisationId, request.query)
      const data = page.items.map(({ number, createdAt }) => ({ number, created_at: createdAt.toISOString() }))
      return { success: true, data, ...pageEnd(page, baseUrl, request, reply) }
    },
  })

  app.post<{ Body: DoNotCallBody }>('/api/do-not-call', {
    config: { roles: workers, check: ({ body }) => doNotCallFaults(body.numbers) },
    schema: { hide: true, body: DoNotCallBody, response: { 200: AddedNumbers } },
    handler: async ({ signedIn: { user, organisation }, body }) => {
      const done = await blockNumbers(db, organisation.organisationId, body.numbers, user.userId)
      return { success: true, data: { added: done.added, already_there: done.alreadyThere } }
    },
  })

  app.delete<{ Params: { number: string } }>('/api/do-not-call/:number', {
    config: { roles: managers, check: bodyless },
    schema: { hide: true },
    handler: async ({ signedIn: { user, organisation }, params: { number } }) => {
      await unblockNumber(db, organisation.organisationId, number, user.userId)
      return { success: true, data: { number, removed: true } }
    },
  })
}
