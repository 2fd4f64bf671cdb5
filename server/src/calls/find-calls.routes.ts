import {
  CallCountsAnswer,
  CallDetailAnswer,
  CallLines,
  CallNewsAnswer,
  CountCallsQuery,
  FindCallsQuery,
} from '@parley/contract/dashboard-calls'
import { RecordingPeaks } from '@parley/contract/sharing'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { MediaKind } from '../media/media-links.ts'
import { peaksOf } from '../media/peaks.ts'
import type { MediaObject, MediaSource } from '../media/ports.ts'
import { everyone } from '../organisations/roles.ts'
import { ParleyError } from '../platform/errors.ts'
import { pageEnd } from '../platform/http-lists.ts'
import { sendObject } from '../platform/http-object.ts'
import { newsOfCall } from '../webhooks/call-news.ts'
import { callDetail } from './call-detail.ts'
import type { CallMediaDeps } from './call-media.ts'
import { getCall } from './calls.service.ts'
import { countCalls, findCalls, findCallsFaults } from './find-calls.ts'

export type FindCallsRoutesDeps = CallMediaDeps & {
  baseUrl: string
  mediaSources: Record<MediaKind, MediaSource>
}
type OneCall = { Params: { call_id: string } }

/** The dashboard's API for finding calls and looking at one. */
export function findCallsRoutes(app: FastifyInstance, deps: FindCallsRoutesDeps): void {
  const { db, baseUrl, mediaSources } = deps
  const read = { roles: everyone }
  const schema = (response: object, more: object = {}) => ({ hide: true, ...more, response: { '2xx': response } })
  const one = '/api/calls/:call_id'

  app.get<{ Querystring: FindCallsQuery }>('/api/calls', {
    config: { ...read, check: ({ query }) => findCallsFaults(query) },
    schema: schema(CallLines, { querystring: FindCallsQuery }),
    handler: async (request, reply) => {
      const page = await findCalls(db, request.signedIn.organisation.organisationId, request.query)
      return { success: true, data: page.items, ...pageEnd(page, baseUrl, request, reply) }
    },
  })

  app.get<{ Querystring: CountCallsQuery }>('/api/calls/counts', {
    config: { ...read, check: ({ query }) => findCallsFaults(query) },
    schema: schema(CallCountsAnswer, { querystring: CountCallsQuery }),
    handler: async ({ signedIn, query }) => ({
      success: true,
      data: await countCalls(db, signedIn.organisation.organisationId, query),
    }),
  })

  app.get<OneCall>(one, { config: read, schema: schema(CallDetailAnswer) }, async ({ signedIn, params }) => ({
    success: true,
    data: await callDetail(deps, signedIn.organisation.organisationId, params.call_id),
  }))

  app.get<OneCall>(`${one}/deliveries`, { config: read, schema: schema(CallNewsAnswer) }, async (request) => {
    const { organisationId } = request.signedIn.organisation
    const { callId } = await getCall(db, organisationId, request.params.call_id)
    return { success: true, data: await newsOfCall(db, organisationId, callId) }
  })

  const recordingOf = async ({ signedIn, params }: FastifyRequest<OneCall>): Promise<MediaObject> => {
    const { callId } = await getCall(db, signedIn.organisation.organisationId, params.call_id)
    const object = await mediaSources.recordings.open(callId)
    if (!object) throw new ParleyError('NOT_FOUND', 'This call has no recording.')
    return object
  }
  // By session, not by a signed link: a page that stays open all day can still play it.
  app.get<OneCall>(`${one}/recording`, { config: read, schema: { hide: true } }, async (request, reply) =>
    sendObject(request, reply, await recordingOf(request)),
  )

  const Peaks = Type.Object({ success: Type.Literal(true), data: RecordingPeaks })
  app.get<OneCall>(`${one}/peaks`, { config: read, schema: schema(Peaks) }, async (request) => {
    const peaks = await peaksOf(await recordingOf(request))
    if (!peaks) throw new ParleyError('NOT_FOUND', 'This recording cannot be drawn.')
    return { success: true, data: peaks }
  })
}
