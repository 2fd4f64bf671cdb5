import {
  CallAnswer,
  CallList,
  CancelledCall,
  CreateCallBody,
  CreatedCall,
  ListCallsQuery,
} from '@parley/contract/calls'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { pageEnd } from '../platform/http-lists.ts'
import { bodyless, refusals } from '../platform/http-schemas.ts'
import { claimFor } from '../platform/idempotency.ts'
import { callView } from './call-view.ts'
import { cancelCall, getCall, listCalls, listCallsFaults } from './calls.service.ts'
import { type CreateCallDeps, createCall } from './create-call.ts'
import { newCallFaults, toNewCall } from './new-call.ts'

export type CallsRoutesDeps = CreateCallDeps & { baseUrl: string }

const CallParams = Type.Object({ call_id: Type.String() })
const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'Makes a repeat safe: the same key and body within 24 h answer the first answer.' }),
  ),
})
type OneCall = { Params: { call_id: string } }

export function callsRoutes(app: FastifyInstance, deps: CallsRoutesDeps): void {
  const { db } = deps

  app.post<{ Body: CreateCallBody }>('/v1/calls', {
    config: { scope: 'calls:create', check: ({ body }, now) => newCallFaults(body, now) },
    schema: {
      operationId: 'createCall',
      summary: 'Create a call',
      description: 'Places a call now (in about 15 seconds) or at `scheduled_time`. Answered once the call is stored.',
      tags: ['Calls'],
      headers: IdempotencyHeader,
      body: CreateCallBody,
      response: { 201: CreatedCall, ...refusals(400, 401, 403, 413, 415, 422, 429, 503) },
    },
    handler: async (request, reply) => {
      const call = toNewCall(request.body, 'api')
      const { organisationId } = request.caller
      const scope = { organisationId, route: 'POST /v1/calls' }
      const claim = claimFor(scope, request.headers['idempotency-key'], request.rawBody)
      const { answer, replayed } = await createCall(deps, organisationId, call, claim)
      if (replayed) reply.header('idempotent-replayed', 'true')
      return reply.status(201).type('application/json; charset=utf-8').serializer(String).send(answer)
    },
  })

  app.get<{ Querystring: ListCallsQuery }>('/v1/calls', {
    config: { scope: 'calls:read', check: ({ query }) => listCallsFaults(query) },
    schema: {
      operationId: 'listCalls',
      summary: 'List calls',
      tags: ['Calls'],
      querystring: ListCallsQuery,
      response: { 200: CallList, ...refusals(400, 401, 403, 429, 503) },
    },
    handler: async (request, reply) => {
      const page = await listCalls(db, request.caller.organisationId, request.query)
      return { data: page.items.map(callView), ...pageEnd(page, deps.baseUrl, request, reply) }
    },
  })

  app.get<OneCall>('/v1/calls/:call_id', {
    config: { scope: 'calls:read' },
    schema: {
      operationId: 'getCall',
      summary: 'Get a call',
      tags: ['Calls'],
      params: CallParams,
      response: { 200: CallAnswer, ...refusals(401, 403, 404, 429, 503) },
    },
    handler: async (request) => ({
      data: callView(await getCall(db, request.caller.organisationId, request.params.call_id)),
    }),
  })

  app.post<OneCall>('/v1/calls/:call_id/cancel', {
    config: { scope: 'calls:cancel', check: bodyless },
    schema: {
      operationId: 'cancelCall',
      summary: 'Cancel a call',
      description: 'While it is scheduled or queued. Safe to repeat.',
      tags: ['Calls'],
      params: CallParams,
      response: { 200: CancelledCall, ...refusals(400, 401, 403, 404, 409, 429, 503) },
    },
    handler: async (request) => {
      const callId = request.params.call_id
      const cancelledAt = await cancelCall(db, request.caller.organisationId, callId)
      return { data: { call_id: callId, status: 'cancelled', cancelled_at: cancelledAt.toISOString() } }
    },
  })
}
