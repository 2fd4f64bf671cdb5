import type { FastifyInstance } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import { ParleyError } from '../platform/errors.ts'
import { sendObject } from '../platform/http-object.ts'
import { type MediaKind, type MediaLinks, mediaKinds } from './media-links.ts'
import type { MediaSource } from './ports.ts'

export type MediaRoutesDeps = { clock: Clock; mediaLinks: MediaLinks; mediaSources: Record<MediaKind, MediaSource> }

type MediaRequest = {
  Params: { kind: string; call_id: string }
  Querystring: { expires?: unknown; signature?: unknown }
}

/** GET /media/…: no key, the link itself is the permission. Players ask for ranges. */
export function mediaRoutes(app: FastifyInstance, { clock, mediaLinks, mediaSources }: MediaRoutesDeps): void {
  app.get<MediaRequest>('/media/:kind/:call_id', { schema: { hide: true } }, async (request, reply) => {
    const { kind, call_id: callId } = request.params
    const isKind = mediaKinds.includes(kind as MediaKind)
    if (!isKind || !mediaLinks.isGood(kind, callId, request.query, clock.now())) {
      throw new ParleyError(
        'FORBIDDEN',
        'This link is not valid, or no longer. Links to media are good for five minutes.',
      )
    }
    const source = mediaSources[kind as MediaKind]
    const object = await source.open(callId)
    if (!object) throw new ParleyError('NOT_FOUND', 'There is nothing behind this link any more.')
    return sendObject(request, reply, object)
  })
}
