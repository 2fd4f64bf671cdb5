import {
  AuditList,
  AuditQuery,
  OrganisationAnswer,
  OrganisationPatch,
  type OrganisationSettings,
} from '@parley/contract/organisation'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../platform/db.ts'
import { fault } from '../platform/errors.ts'
import { pageEnd } from '../platform/http-lists.ts'
import { isTimeZone } from '../platform/time-zone.ts'
import { listAuditLog } from './audit-log.service.ts'
import type { Organisation } from './organisation.ts'
import { everyone, managers } from './roles.ts'
import { changeOrganisation } from './settings.service.ts'

export type SettingsRoutesDeps = { db: Database; baseUrl: string }

const view = (organisation: Organisation): OrganisationSettings => ({
  organisation_id: organisation.organisationId,
  name: organisation.name,
  plan: organisation.plan,
  timezone: organisation.timezone,
})

const patchFaults = ({ name, timezone }: Record<string, unknown>) => [
  ...(typeof name === 'string' && name.trim() === ''
    ? [fault('name', 'required', 'Give the organisation a name.')]
    : []),
  ...(typeof timezone === 'string' && !isTimeZone(timezone)
    ? [fault('timezone', 'format', 'Use an IANA time zone such as Asia/Kolkata.')]
    : []),
]

export function settingsRoutes(app: FastifyInstance, { db, baseUrl }: SettingsRoutesDeps): void {
  app.get('/api/organisation', {
    config: { roles: everyone },
    schema: { hide: true, response: { 200: OrganisationAnswer } },
    handler: async ({ signedIn }) => ({ success: true, data: view(signedIn.organisation) }),
  })

  app.patch<{ Body: OrganisationPatch }>('/api/organisation', {
    config: { roles: managers, check: ({ body }) => patchFaults(body) },
    schema: { hide: true, body: OrganisationPatch, response: { 200: OrganisationAnswer } },
    handler: async ({ signedIn: { user, organisation }, body }) => ({
      success: true,
      data: view(await changeOrganisation(db, organisation.organisationId, body, user.userId)),
    }),
  })

  app.get<{ Querystring: AuditQuery }>('/api/audit-log', {
    config: { roles: managers },
    schema: { hide: true, querystring: AuditQuery, response: { 200: AuditList } },
    handler: async (request, reply) => {
      const page = await listAuditLog(db, request.signedIn.organisation.organisationId, request.query)
      const data = page.items.map((each) => ({
        audit_id: each.auditId,
        actor: each.actor,
        actor_email: each.actorEmail,
        action: each.action,
        resource_id: each.resourceId,
        at: each.at.toISOString(),
      }))
      return { success: true, data, ...pageEnd(page, baseUrl, request, reply) }
    },
  })
}
