import { HomeAnswer, LiveCalls } from '@parley/contract/home'
import type { FastifyInstance } from 'fastify'
import { everyone } from '../organisations/roles.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/db.ts'
import { readHome, readLiveCalls } from './home.ts'

export type HomeRoutesDeps = { db: Queryable; clock: Clock }

/** The day at a glance, and, apart from it because it is read at every change, what is in the air. */
export function homeRoutes(app: FastifyInstance, deps: HomeRoutesDeps): void {
  const config = { roles: everyone }

  app.get('/api/home', {
    config,
    schema: { hide: true, response: { 200: HomeAnswer } },
    handler: async ({ signedIn }) => ({ success: true, data: await readHome(deps, signedIn.organisation) }),
  })

  app.get('/api/home/live', {
    config,
    schema: { hide: true, response: { 200: LiveCalls } },
    handler: async ({ signedIn }) => ({
      success: true,
      data: await readLiveCalls(deps.db, signedIn.organisation.organisationId),
    }),
  })
}
