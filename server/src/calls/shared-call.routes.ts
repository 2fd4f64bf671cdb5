import fastifyStatic from '@fastify/static'
import { RecordingPeaks, SharedCall } from '@parley/contract/sharing'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { MediaKind } from '../media/media-links.ts'
import { peaksOf } from '../media/peaks.ts'
import type { MediaObject, MediaSource } from '../media/ports.ts'
import { ParleyError } from '../platform/errors.ts'
import { sendObject } from '../platform/http-object.ts'
import { refusals } from '../platform/http-schemas.ts'
import { nothingShared } from '../sharing/share-finder.ts'
import { openSharedCall, type SharedCallDeps } from './shared-call.ts'
import { refusalPages, sharedCallPage } from './shared-call-page.ts'

export type SharedCallRoutesDeps = SharedCallDeps & {
  mediaSources: Record<MediaKind, MediaSource>
  publicFolder: string
}

type Shared = { Params: { call_id: string }; Querystring: { token?: unknown; share_token?: unknown } }

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; media-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** GET /public/call/…: no key, the token is the permission (§4.11, decisions 8). Registered in a scope of its own. */
export async function sharedCallRoutes(app: FastifyInstance, deps: SharedCallRoutesDeps): Promise<void> {
  const { clock, shares, mediaSources } = deps
  const mediaOfShare = async (request: FastifyRequest<Shared>, kind: MediaKind): Promise<MediaObject> => {
    const { callId } = await shares.open(request.params.call_id, request.query.token, clock.now())
    const object = await mediaSources[kind].open(callId)
    if (!object) throw nothingShared()
    return object
  }
  // A faulty token is a wrong token, not a faulty field: the schemas only describe.
  const open = { validatorCompiler: () => () => true, onRequest: keepPrivate, schema: { hide: true } }
  const forPeople = { ...open, errorHandler: answerPeople }

  app.get<Shared>('/public/call/:call_id', {
    ...open,
    schema: {
      operationId: 'getSharedCall',
      summary: 'Get a shared call',
      description:
        'No API key: the `share_token` of an event is the permission. `call_details_url` is the page for people; ' +
        '`/recording` and `/transcript` below this address take the same `token`.',
      tags: ['Sharing'],
      security: [],
      params: Type.Object({ call_id: Type.String() }),
      querystring: Type.Object({ token: Type.String({ description: 'The `share_token` of an event.' }) }),
      response: { 200: SharedCall, ...refusals(400, 404, 410, 503) },
    },
    handler: async ({ params, query }) => (await openSharedCall(deps, params.call_id, query.token)).shared,
  })

  app.get<Shared>('/public/call/:call_id/details', forPeople, async ({ params, query }, reply) => {
    const opened = await openSharedCall(deps, params.call_id, query.share_token)
    return sendPage(reply, sharedCallPage(opened))
  })

  app.get<Shared>('/public/call/:call_id/recording', forPeople, async (request, reply) =>
    sendObject(request, reply, await mediaOfShare(request, 'recordings')),
  )

  app.get<Shared>('/public/call/:call_id/transcript', forPeople, async (request, reply) =>
    sendObject(request, reply, await mediaOfShare(request, 'transcripts')),
  )

  app.get<Shared>('/public/call/:call_id/peaks', {
    ...open,
    schema: { hide: true, response: { 200: RecordingPeaks } },
    handler: async (request) => {
      const peaks = await peaksOf(await mediaOfShare(request, 'recordings'))
      if (!peaks) throw nothingShared()
      return peaks
    },
  })

  await app.register(fastifyStatic, {
    root: deps.publicFolder,
    prefix: '/public/assets/',
    index: false,
    wildcard: false,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', 'no-cache'),
  })
}

/** On refusals, too. no-store is on every answer of the service. */
function keepPrivate(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('x-robots-tag', 'noindex').header('referrer-policy', 'no-referrer')
  done()
}

const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
  reply.header('content-security-policy', pagePolicy).type('text/html; charset=utf-8').send(page)

const pageStatuses = { NOT_FOUND: 404, LINK_EXPIRED: 410, UNAVAILABLE: 503 } as const

/** A browser shows a page that a person understands; programs get the usual body. */
function answerPeople(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const code = error instanceof ParleyError ? error.code : null
  const wantsPage = request.headers.accept?.includes('text/html') ?? false
  if (!wantsPage || code === null || !(code in pageStatuses)) throw error
  const known = code as keyof typeof pageStatuses
  return sendPage(reply.headers((error as ParleyError).headers).status(pageStatuses[known]), refusalPages[known])
}
