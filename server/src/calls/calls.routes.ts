import {
  CallAnswer,
  CallList,
  CancelledCall,
  CreateCallBody,
  CreatedCall,
  DeletedCall,
  ListCallsQuery,
} from '@parley/contract/calls'
import { ErrorBody } from '@parley/contract/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { pageEnd } from '../platform/http-lists.ts'
import { bodyless, IdempotencyHeader, refusals } from '../platform/http-schemas.ts'
import { sendReplay } from '../platform/http-validation.ts'
import { claimFor, rememberedAnswer } from '../platform/idempotency.ts'
import { type CallMediaDeps, mediaOf } from './call-media.ts'
import { callView } from './call-view.ts'
import { cancelCall, getCall, listCalls, listCallsFaults } from './calls.service.ts'
import type { CallCreator, CreateCallDeps } from './create-call.ts'
import { type EraseCallDeps, eraseCall } from './erase-call.ts'
import { newCallFaults } from './new-call.ts'
import { refusedCallFaults } from './refuse-call.ts'
import { requestCall } from './request-call.ts'

export type CallsRoutesDeps = CreateCallDeps & CallMediaDeps & EraseCallDeps & { baseUrl: string }

const CallParams = Type.Object({ call_id: Type.String() })
const claimOf = ({ caller, headers, rawBody }: FastifyRequest) =>
  claimFor({ organisationId: caller.organisationId, route: 'POST /v1/calls' }, headers['idempotency-key'], rawBody)
const callerOf = ({ caller, isRecalled }: FastifyRequest): CallCreator => ({
  organisationId: caller.organisationId,
  uncheckedKeyId: isRecalled ? caller.keyId : null,
})
type OneCall = { Params: { call_id: string } }

export function callsRoutes(app: FastifyInstance, deps: CallsRoutesDeps): void {
  const { db } = deps

  app.post<{ Body: CreateCallBody }>('/v1/calls', {
    config: {
      scope: 'calls:create',
      asksForKey: true,
      check: ({ body }, now) => newCallFaults(body, now),
      whenRefused: ({ body }, { caller }) => refusedCallFaults(db, caller.organisationId, body),
      replay: (request) => rememberedAnswer(db, claimOf(request)),
    },
    schema: {
      operationId: 'createCall',
      summary: 'Create a call',
      description: 'Places a call now (in about 15 seconds) or at `scheduled_time`. Answered once the call is stored.',
      tags: ['Calls'],
      headers: IdempotencyHeader,
      body: CreateCallBody,
      response: {
        201: CreatedCall,
        ...refusals(400, 401, 403, 404, 413, 415, 422, 429, 503),
        404: { ...ErrorBody, description: 'A repeat: the call made with this Idempotency-Key has been erased.' },
      },
    },
    handler: async (request, reply) => {
      // Before the number is judged: a key that is none is a 400, a number that is none a 422 (decisions 1).
      const claim = claimOf(request)
      const asked = { body: request.body, source: request.signedIn ? 'dashboard' : 'api' } as const
      const { answer, replayed } = await requestCall(deps, callerOf(request), asked, claim)
      if (replayed) return sendReplay(reply, answer)
      reply.status(201).type('application/json; charset=utf-8')
      return answer
    },
  })

  app.get<{ Querystring: ListCallsQuery }>('/v1/calls', {
    config: { scope: 'calls:read', check: ({ query }) => listCallsFaults(query) },
    schema: {
      operationId: 'listCalls',
      summary: 'List calls',
      tags: ['Calls'],
      querystring: ListCallsQuery,
      response: { 200: CallList, ...refusals(400, 401, 403, 415, 429, 503) },
    },
    handler: async (request, reply) => {
      const page = await listCalls(db, request.caller.organisationId, request.query)
      const media = await mediaOf(deps, page.items)
      const data = page.items.map((call) => callView(call, media(call)))
      return { data, ...pageEnd(page, deps.baseUrl, request, reply) }
    },
  })

  app.get<OneCall>('/v1/calls/:call_id', {
    config: { scope: 'calls:read' },
    schema: {
      operationId: 'getCall',
      summary: 'Get a call',
      tags: ['Calls'],
      params: CallParams,
      response: { 200: CallAnswer, ...refusals(400, 401, 403, 404, 415, 429, 503) },
    },
    handler: async (request) => {
      const call = await getCall(db, request.caller.organisationId, request.params.call_id)
      const media = await mediaOf(deps, [call])
      return { data: callView(call, media(call)) }
    },
  })

  app.post<OneCall>('/v1/calls/:call_id/cancel', {
    config: { scope: 'calls:cancel', check: bodyless },
    schema: {
      operationId: 'cancelCall',
      summary: 'Cancel a call',
      description: 'While it is scheduled or queued. Safe to repeat.',
      tags: ['Calls'],
      params: CallParams,
      response: { 200: CancelledCall, ...refusals(400, 401, 403, 404, 409, 413, 415, 429, 503) },
    },
    handler: async (request) => {
      const callId = request.params.call_id
      const cancelledAt = await cancelCall(db, request.caller.organisationId, callId)
      return { data: { call_id: callId, status: 'cancelled', cancelled_at: cancelledAt.toISOString() } }
    },
  })

  app.delete<OneCall>('/v1/calls/:call_id', {
    config: { scope: 'calls:delete', check: bodyless },
    schema: {
      operationId: 'deleteCall',
      summary: 'Erase a call',
      description:
        'Permanently erases a completed call that was answered: transcript, contact details, additional_info, analytics, ' +
        'recording and event payloads.',
      tags: ['Calls'],
      params: CallParams,
      response: { 200: DeletedCall, ...refusals(400, 401, 403, 404, 413, 415, 429, 503) },
    },
    handler: async (request) => {
      const callId = request.params.call_id
      await eraseCall(deps, request.caller.organisationId, callId, request.caller.keyId)
      return { data: { call_id: callId, deleted: true } }
    },
  })
}
