import { CancelledCall, CreatedCall, DeletedCall } from '@parley/contract/calls'
import { ErrorBody } from '@parley/contract/errors'
import { HookBody } from '@parley/contract/hooks'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { keepBodiesRaw } from '../platform/http-body.ts'
import { refusals } from '../platform/http-schemas.ts'
import { sendReplay } from '../platform/http-validation.ts'
import { rememberedAnswer } from '../platform/idempotency.ts'
import { admit, type HookGuardDeps, identify, invalidToken, record, refuseToken, stateOf } from './guard.routes.ts'
import { actionFaults, type RunActionDeps, refusedActionFaults, runAction } from './run-action.ts'

export type HooksRoutesDeps = HookGuardDeps & RunActionDeps

const optionalHeader = (description: string) => Type.Optional(Type.String({ description }))

const schema = {
  operationId: 'hookRequest',
  summary: 'Ask for an action from a no-code tool',
  description:
    'The inbound webhook: `call.create` answers 201, `call.cancel` and `call.delete` answer 200. The token in the URL is ' +
    'the only credential unless signing is on. Counted against a daily quota: see the `RateLimit` header.',
  tags: ['Hooks'],
  security: [],
  params: Type.Object({ secret_token: Type.String() }),
  headers: Type.Object({
    'idempotency-key': optionalHeader('Makes a repeat safe; also as `data.idempotency_key`.'),
    'x-inbound-timestamp': optionalHeader('When signing is on: Unix time in whole seconds, at most 300 s off.'),
    'x-inbound-signature': optionalHeader(
      'When signing is on: the lowercase hex HMAC-SHA256 of `<timestamp>.<raw body>` under the signing secret.',
    ),
  }),
  body: HookBody,
  response: {
    200: { ...Type.Union([CancelledCall, DeletedCall]), description: '`call.cancel` or `call.delete` succeeded.' },
    201: { ...CreatedCall, description: '`call.create` succeeded.' },
    ...refusals(400, 401, 402, 404, 409, 413, 415, 422, 429, 503),
    401: { ...ErrorBody, description: 'The token is not valid, or the signature does not hold.' },
    404: {
      ...ErrorBody,
      description:
        '`call.cancel` or `call.delete`: no matching call. `call.create`: a repeat, and the call has been erased.',
    },
    409: { ...ErrorBody, description: '`call.cancel`: the call has started or ended.' },
    422: { ...ErrorBody, description: 'The idempotency key was used with another body.' },
    429: { ...ErrorBody, description: 'The quota of the day is used up: wait for Retry-After seconds.' },
  },
}

/** §4.5. Register in a context of its own: here bodies are judged by their bytes before they are read. */
export function hooksRoutes(app: FastifyInstance, deps: HooksRoutesDeps): void {
  keepBodiesRaw(app)
  app.decorateRequest('hook', null)

  app.post<{ Body: HookBody }>('/v1/hooks/:secret_token', {
    config: {
      open: true,
      hook: true,
      check: ({ body }, now) => actionFaults(body, now),
      whenRefused: ({ body }, request) =>
        refusedActionFaults(deps.db, stateOf(request).organisation.organisationId, body),
      replay: (request) => rememberedAnswer(deps.db, stateOf(request).claim),
    },
    schema,
    onRequest: identify(deps),
    preValidation: admit(deps),
    onSend: record(deps),
    handler: async (request, reply) => {
      const { organisation, claim } = stateOf(request)
      const { answer, replayed, status } = await runAction(deps, organisation.organisationId, request.body, claim)
      if (replayed) return sendReplay(reply, answer, status)
      return reply.status(status).type('application/json; charset=utf-8').serializer(String).send(answer)
    },
  })

  // A token with a slash, or none at all, is a token that is not valid.
  app.post('/v1/hooks/*', {
    config: { open: true, hook: true },
    schema: { hide: true },
    onRequest: async (request, reply) => refuseToken(deps, request, reply),
    handler: async () => {},
  })
}

/** A token that is no URL at all does not reach the router. */
export const unreadableToken = (method: string | undefined, url: string | undefined) =>
  method === 'POST' && url?.startsWith('/v1/hooks/') ? invalidToken() : null
