import {
  AvailabilityAnswer,
  AvailabilityQuery,
  availabilityDays,
  PatchTrackingBody,
  RegenerateAnswer,
  RegenerateBody,
  TrackingAnswer,
  TrackingList,
  TrackingQuery,
} from '@parley/contract/slot-dates'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { refusals } from '../platform/http-schemas.ts'
import { listAvailability } from './availability.ts'
import { changeDay, patchTrackingFaults } from './change-day.ts'
import { dateFaults } from './date-range.ts'
import { findNamed } from './named-ids.ts'
import { findWhere, regenerate, regenerateFaults } from './regenerate.ts'
import { slotsOnDatesJson } from './slots-json.ts'
import { listTracking } from './tracking.ts'

export type SlotDatesRoutesDeps = { db: Database; clock: Clock }

const base = '/v1/appointment-slots'
const tags = ['Appointment slots']
const SlotParams = Type.Object({
  slot_id: Type.String({ description: '`<calendar_id>||<date>`, with or without the service.' }),
})
type OneSlot = { Params: { slot_id: string } }

/** Windows on dates: what is free, how full it is, and what holds for one date only (decisions 7). */
export function slotDatesRoutes(app: FastifyInstance, deps: SlotDatesRoutesDeps): void {
  const { db } = deps
  const reads: FastifyContextConfig = {
    scope: 'slots:read',
    check: ({ query }) => dateFaults(query, availabilityDays),
    whenRefused: async ({ query }, { caller }) => (await findNamed(db, caller.organisationId, query)).faults,
  }

  app.get<{ Querystring: AvailabilityQuery }>(`${base}/availability`, {
    config: reads,
    schema: {
      operationId: 'listSlotAvailability',
      summary: 'What is free',
      description: 'In time order. Full and closed slots are left out unless asked for.',
      tags,
      querystring: AvailabilityQuery,
      response: { 200: AvailabilityAnswer, ...refusals(400, 401, 403, 415, 429, 503) },
    },
    handler: async ({ caller, query }, reply) => {
      const days = await listAvailability(deps, caller.organisationId, query)
      const answer = `{"success":true,"data":${slotsOnDatesJson(days)}}`
      return reply.type('application/json; charset=utf-8').serializer(String).send(answer)
    },
  })

  app.get<{ Querystring: TrackingQuery }>(`${base}/schedule-tracking`, {
    config: reads,
    schema: {
      operationId: 'listSlotTracking',
      summary: 'How full it is',
      description: 'One record per window, date and service, in time order; full, closed and past ones too.',
      tags,
      querystring: TrackingQuery,
      response: { 200: TrackingList, ...refusals(400, 401, 403, 415, 429, 503) },
    },
    handler: async ({ caller, query }, reply) => {
      const data = await listTracking(deps, caller.organisationId, query)
      return reply.serializer(JSON.stringify).send({ success: true, data })
    },
  })

  app.patch<OneSlot & { Body: PatchTrackingBody }>(`${base}/schedule-tracking/:slot_id`, {
    config: { scope: 'slots:write', check: ({ body }) => patchTrackingFaults(body) },
    schema: {
      operationId: 'updateSlotTracking',
      summary: 'Change one date',
      description: 'For that date only. It wins over holidays and over the weekly rule, but not over a closed window.',
      tags,
      params: SlotParams,
      body: PatchTrackingBody,
      response: { 200: TrackingAnswer, ...refusals(400, 401, 403, 404, 409, 413, 415, 429, 503) },
    },
    handler: async ({ caller, params, body }) => ({
      success: true,
      data: await changeDay(deps, caller.organisationId, params.slot_id, body),
    }),
  })

  app.post<{ Body: RegenerateBody }>(`${base}/schedule-tracking/regenerate`, {
    config: {
      scope: 'slots:write',
      check: ({ body }) => regenerateFaults(body),
      whenRefused: async ({ body }, { caller }) => (await findWhere(db, caller.organisationId, body)).faults,
    },
    schema: {
      operationId: 'regenerateSlotTracking',
      summary: 'Bring dates in line with the rules',
      description: 'Makes missing dates, gives them the rule’s capacity and counts again. Never drops a booking.',
      tags,
      body: RegenerateBody,
      response: { 200: RegenerateAnswer, ...refusals(400, 401, 403, 413, 415, 429, 503) },
    },
    handler: async ({ caller, body }) => ({
      success: true,
      data: await regenerate(db, caller.organisationId, body),
    }),
  })
}
