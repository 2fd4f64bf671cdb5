import type { Role } from '@parley/contract/common'
import { eventExamples } from '@parley/contract/event-examples'
import type { EventType } from '@parley/contract/events'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { ApplyFile } from '../src/cli/apply-file.ts'
import { randomToken } from '../src/platform/secrets.ts'
import { recordEvents } from '../src/webhooks/events.service.ts'
import type { Organisation, TestApp } from './app.ts'
import { caFile } from './receiver.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
/** A request as somebody who is signed in. */
export type As = (
  method: Method,
  url: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<LightMyRequestResponse>
export type Signed = Organisation & { as: Record<Role, As>; cookies: Record<Role, string> }

const password = 'correct horse battery'

/** Deliveries to receivers on this machine, with a ladder that is soon over. */
export const webhookSettings = async (): Promise<Record<string, string>> => ({
  PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
  PARLEY_WEBHOOK_CA_FILE: await caFile(),
  PARLEY_WEBHOOK_RETRY_DELAYS: '20ms,20ms,20ms,20ms',
})

export const requestAs =
  (t: TestApp, cookie: string): As =>
  (method, url, body, headers) =>
    askAs(t, cookie)(method, `/api/webhooks${url}`, body, headers)

/** A request to any address as whoever has this cookie. */
export const askAs =
  ({ app }: TestApp, cookie: string): As =>
  (method, url, body, headers = {}) => {
    const request: InjectOptions = { method, url, headers: { cookie, ...headers } }
    if (body !== undefined) request.payload = body as object
    return app.inject(request)
  }

/** What was written down about something: action and actor, oldest first. */
export async function auditOf({ db }: TestApp, { organisationId }: Organisation, resourceId: string) {
  const rows = await db.query<{ action: string; actor: string }>(
    'select action, actor from audit_log where organisation_id = $1 and resource_id = $2 order by at, audit_id',
    [organisationId, resourceId],
  )
  return rows.map(({ action, actor }) => [action, actor] as const)
}
/** The same for the dashboard's own API. */
export const apiAs =
  (t: TestApp, cookie: string): As =>
  (method, url, body, headers) =>
    askAs(t, cookie)(method, `/api${url}`, body, headers)

/** An organisation with users of these roles, signed in to it. An address has few tries a minute. */
export async function signedOrganisation(
  t: TestApp,
  file: Partial<ApplyFile> = {},
  roles: readonly Role[] = ['owner'],
): Promise<Signed> {
  const domain = `${randomToken(8).toLowerCase()}.test`
  const users = roles.map((role) => ({ email: `${role}@${domain}`, password, role }))
  const made = await t.organisation({ users, ...file })
  const cookies = await Promise.all(
    users.map(async ({ email, role }) => {
      const answer = await t.app.inject({ method: 'POST', url: '/api/session', payload: { email, password } })
      return [role, String(answer.headers['set-cookie']).split(';')[0] ?? ''] as const
    }),
  )
  return {
    ...made,
    cookies: Object.fromEntries(cookies) as Signed['cookies'],
    as: Object.fromEntries(cookies.map(([role, cookie]) => [role, requestAs(t, cookie)])) as Signed['as'],
  }
}

/** Events that count, as a fact would record them; `triggerEvent` makes those that do not. */
export const makeEvents = ({ db }: TestApp, organisationId: string, count = 1, type: EventType = 'call.completed') =>
  db.transaction((tx) => {
    const event = { organisationId, type, callId: null, data: eventExamples[type].data }
    return recordEvents(
      tx,
      Array.from({ length: count }, () => event),
    )
  })
