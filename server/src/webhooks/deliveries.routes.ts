import {
  DeliveryAnswer,
  DeliveryList,
  DeliveryRequest,
  DeliveryRequestQuery,
  DeliveryWithLog,
  ListDeliveriesQuery,
  RecoverAnswer,
  RecoverBody,
  RecoveryAnswer,
  RecoveryList,
} from '@parley/contract/webhooks'
import type { FastifyInstance } from 'fastify'
import { everyone, managers } from '../organisations/roles.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { pageEnd } from '../platform/http-lists.ts'
import { bodyless } from '../platform/http-schemas.ts'
import { parseInstant } from '../platform/instant.ts'
import { deliveryFilterFaults, getDelivery, listDeliveries, replayDelivery, timeFaults } from './deliveries.service.ts'
import { type DeliveryRequestDeps, requestOfDelivery } from './delivery-request.ts'
import { cancelRecovery, countRecoverable, getRecovery, listRecoveries, startRecovery } from './recoveries.service.ts'
import { attemptView, deliveryView, recoveryView } from './webhook-views.ts'

export type DeliveriesRoutesDeps = DeliveryRequestDeps & { db: Database; clock: Clock; baseUrl: string }
type OneDelivery = { Params: { delivery_id: string } }
type OneEndpoint = { Params: { endpoint_id: string } }
type OneRecovery = { Params: { recovery_id: string } }

/** The dashboard's API for what was sent, what came of it, and sending it again. */
export function deliveriesRoutes(app: FastifyInstance, deps: DeliveriesRoutesDeps): void {
  const { db, clock, baseUrl } = deps
  const read = { roles: everyone }
  const schema = (response: object, more: object = {}) => ({ hide: true, ...more, response: { '2xx': response } })
  const recoveriesOf = '/api/webhooks/endpoints/:endpoint_id/recoveries'

  app.get<{ Querystring: ListDeliveriesQuery }>('/api/webhooks/deliveries', {
    config: { ...read, check: ({ query }) => deliveryFilterFaults(query) },
    schema: schema(DeliveryList, { querystring: ListDeliveriesQuery }),
    handler: async (request, reply) => {
      const { query, signedIn } = request
      const filter = {
        endpointId: query.endpoint_id ?? null,
        eventId: query.event_id ?? null,
        callId: query.call_id ?? null,
        eventType: query.event_type ?? null,
        statuses: query.status ? [query.status] : null,
        since: query.since === undefined ? null : (parseInstant(query.since) as Date),
      }
      const page = await listDeliveries(db, signedIn.organisation.organisationId, filter, query)
      return { success: true, data: page.items.map(deliveryView), ...pageEnd(page, baseUrl, request, reply) }
    },
  })

  app.get<OneDelivery>('/api/webhooks/deliveries/:delivery_id', {
    config: read,
    schema: schema(DeliveryWithLog),
    handler: async ({ signedIn, params }) => {
      const delivery = await getDelivery(db, signedIn.organisation.organisationId, params.delivery_id)
      return { success: true, data: { ...deliveryView(delivery), log: delivery.log.map(attemptView) } }
    },
  })

  app.get<OneDelivery & { Querystring: DeliveryRequestQuery }>('/api/webhooks/deliveries/:delivery_id/request', {
    config: read,
    schema: schema(DeliveryRequest, { querystring: DeliveryRequestQuery }),
    handler: async ({ signedIn, params: { delivery_id }, query: { attempt } }) => ({
      success: true,
      data: await requestOfDelivery(deps, signedIn.organisation.organisationId, delivery_id, attempt),
    }),
  })

  app.post<OneDelivery>('/api/webhooks/deliveries/:delivery_id/replay', {
    config: { roles: managers, check: bodyless },
    schema: schema(DeliveryAnswer),
    handler: async ({ signedIn: { user, organisation }, params }, reply) => {
      const replayed = await replayDelivery(db, organisation.organisationId, params.delivery_id, user.userId)
      return reply.status(202).send({ success: true, data: deliveryView(replayed) })
    },
  })

  app.post<OneEndpoint & { Body: RecoverBody }>(recoveriesOf, {
    config: { roles: managers, check: ({ body }) => timeFaults(body, ['since', 'until']) },
    schema: schema(RecoverAnswer, { body: RecoverBody }),
    handler: async ({ signedIn: { user, organisation }, params, body }, reply) => {
      const { organisationId } = organisation
      const since = parseInstant(body.since) as Date
      const until = body.until === undefined ? clock.now() : (parseInstant(body.until) as Date)
      const range = { endpointId: params.endpoint_id, since, until }
      if (body.dry_run) {
        const total = await countRecoverable(db, organisationId, range)
        return { success: true, data: { dry_run: true, total } }
      }
      const recovery = await startRecovery(db, organisationId, range, user.userId)
      return reply.status(202).send({ success: true, data: recoveryView(recovery) })
    },
  })

  app.get<OneEndpoint>(recoveriesOf, {
    config: read,
    schema: schema(RecoveryList),
    handler: async ({ signedIn, params }) => {
      const found = await listRecoveries(db, signedIn.organisation.organisationId, params.endpoint_id)
      return { success: true, data: found.map(recoveryView) }
    },
  })

  app.get<OneRecovery>('/api/webhooks/recoveries/:recovery_id', {
    config: read,
    schema: schema(RecoveryAnswer),
    handler: async ({ signedIn, params }) => {
      const recovery = await getRecovery(db, signedIn.organisation.organisationId, params.recovery_id)
      return { success: true, data: recoveryView(recovery) }
    },
  })

  app.post<OneRecovery>('/api/webhooks/recoveries/:recovery_id/cancel', {
    config: { roles: managers, check: bodyless },
    schema: schema(RecoveryAnswer),
    handler: async ({ signedIn, params }) => {
      const { user, organisation } = signedIn
      const recovery = await cancelRecovery(db, organisation.organisationId, params.recovery_id, user.userId)
      return { success: true, data: recoveryView(recovery) }
    },
  })
}
