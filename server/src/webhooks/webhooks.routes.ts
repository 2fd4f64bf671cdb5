import {
  CreatedEndpoint,
  EndpointAnswer,
  EndpointBody,
  EndpointList,
  EndpointPatch,
  HealthAnswer,
  NewSecret,
  NoticeList,
  RotateBody,
  TestAnswer,
  TestBody,
} from '@parley/contract/webhooks'
import type { FastifyInstance } from 'fastify'
import { everyone, managers } from '../organisations/roles.ts'
import { bodyless } from '../platform/http-schemas.ts'
import {
  changeEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  getEndpoint,
  listEndpoints,
  listNotices,
  registerEndpoint,
} from './endpoints.service.ts'
import { type ExampleDeps, sendTestEvent } from './example-event.ts'
import { webhookHealthOf } from './health.ts'
import { rotateSecret, settleRotation } from './rotate-secret.ts'
import { endpointView, exchangeView, noticeView } from './webhook-views.ts'

export type WebhooksRoutesDeps = EndpointDeps & ExampleDeps

type OneEndpoint = { Params: { endpoint_id: string } }
const base = '/api/webhooks/endpoints'
const one = `${base}/:endpoint_id`

/** The dashboard's API for endpoints: register, change, rotate, test. */
export function webhooksRoutes(app: FastifyInstance, deps: WebhooksRoutesDeps): void {
  const { db } = deps
  const read = { roles: everyone }
  const write = { roles: managers }
  const writeNothing = { roles: managers, check: bodyless }
  const schema = (response: object, body?: object) => ({
    hide: true,
    ...(body ? { body } : {}),
    response: { '2xx': response },
  })

  app.get(base, { config: read, schema: schema(EndpointList) }, async ({ signedIn }) => ({
    success: true,
    data: (await listEndpoints(db, signedIn.organisation.organisationId)).map(endpointView),
  }))

  app.get('/api/webhooks/notices', { config: read, schema: schema(NoticeList) }, async ({ signedIn }) => ({
    success: true,
    data: (await listNotices(db, signedIn.organisation.organisationId)).map(noticeView),
  }))

  app.get('/api/webhooks/health', { config: read, schema: schema(HealthAnswer) }, async ({ signedIn }) => ({
    success: true,
    data: await webhookHealthOf(db, signedIn.organisation),
  }))

  app.get<OneEndpoint>(one, { config: read, schema: schema(EndpointAnswer) }, async ({ signedIn, params }) => ({
    success: true,
    data: endpointView(await getEndpoint(db, signedIn.organisation.organisationId, params.endpoint_id)),
  }))

  app.post<{ Body: EndpointBody }>(base, {
    config: write,
    schema: schema(CreatedEndpoint, EndpointBody),
    handler: async ({ signedIn: { user, organisation }, body }, reply) => {
      const { url, description = null, events = ['*'], signing = true } = body
      const made = { url, description, events, signing }
      const { endpoint, secret } = await registerEndpoint(deps, organisation.organisationId, made, user.userId)
      return reply.status(201).send({ success: true, data: { ...endpointView(endpoint), secret } })
    },
  })

  app.patch<OneEndpoint & { Body: EndpointPatch }>(one, {
    config: write,
    schema: schema(EndpointAnswer, EndpointPatch),
    handler: async ({ signedIn: { user, organisation }, params, body }) => {
      const { organisationId } = organisation
      return {
        success: true,
        data: endpointView(await changeEndpoint(deps, organisationId, params.endpoint_id, body, user.userId)),
      }
    },
  })

  app.delete<OneEndpoint>(one, { config: writeNothing, schema: { hide: true } }, async ({ signedIn, params }) => {
    await deleteEndpoint(db, signedIn.organisation.organisationId, params.endpoint_id, signedIn.user.userId)
    return { success: true, data: { endpoint_id: params.endpoint_id, deleted: true } }
  })

  app.post<OneEndpoint & { Body: RotateBody }>(`${one}/rotate`, {
    config: write,
    schema: schema(NewSecret, RotateBody),
    handler: async ({ signedIn: { user, organisation }, params: { endpoint_id }, body: { mode } }) => {
      const { secret } = await rotateSecret(deps, organisation.organisationId, endpoint_id, mode, user.userId)
      return { success: true, data: { endpoint_id, secret, active: mode === 'now' } }
    },
  })

  for (const what of ['activate', 'discard'] as const) {
    app.post<OneEndpoint>(`${one}/rotate/${what}`, {
      config: writeNothing,
      schema: schema(EndpointAnswer),
      handler: async ({ signedIn: { user, organisation }, params: { endpoint_id } }) => {
        await settleRotation(db, organisation.organisationId, endpoint_id, what, user.userId)
        return { success: true, data: endpointView(await getEndpoint(db, organisation.organisationId, endpoint_id)) }
      },
    })
  }

  app.post<OneEndpoint & { Body: TestBody }>(`${one}/test`, {
    config: write,
    schema: schema(TestAnswer, TestBody),
    handler: async ({ signedIn, params, body: { event_type: type, secret = 'current' } }) => {
      const { organisationId } = signedIn.organisation
      const sent = await sendTestEvent(deps, organisationId, params.endpoint_id, { type, secret })
      return { success: true, data: { event_id: sent.eventId, ...exchangeView(sent), request: sent.request } }
    },
  })
}
