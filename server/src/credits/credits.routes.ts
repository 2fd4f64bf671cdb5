import { CreditEntriesQuery, CreditEntryList } from '@parley/contract/organisation'
import type { FastifyInstance } from 'fastify'
import { everyone } from '../organisations/roles.ts'
import type { Queryable } from '../platform/db.ts'
import { pageEnd } from '../platform/http-lists.ts'
import { listCreditEntries } from './credits.service.ts'

export type CreditsRoutesDeps = { db: Queryable; baseUrl: string }

export function creditsRoutes(app: FastifyInstance, { db, baseUrl }: CreditsRoutesDeps): void {
  app.get<{ Querystring: CreditEntriesQuery }>('/api/credits/entries', {
    config: { roles: everyone },
    schema: { hide: true, querystring: CreditEntriesQuery, response: { 200: CreditEntryList } },
    handler: async (request, reply) => {
      const page = await listCreditEntries(db, request.signedIn.organisation.organisationId, request.query)
      const data = page.items.map(({ entryId, kind, amount, callId, createdAt }) => ({
        entry_id: entryId,
        kind,
        amount,
        call_id: callId,
        created_at: createdAt.toISOString(),
      }))
      return { success: true, data, ...pageEnd(page, baseUrl, request, reply) }
    },
  })
}
