import { CreateSlotBody, ListSlotsQuery, PatchSlotBody, SlotAnswer, SlotList } from '@parley/contract/appointment-slots'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { pageEnd } from '../platform/http-lists.ts'
import { bodyless, IdempotencyHeader, refusals } from '../platform/http-schemas.ts'
import { sendReplay } from '../platform/http-validation.ts'
import { answerOnce, claimFor, rememberedAnswer } from '../platform/idempotency.ts'
import { findForWindow, findNamed } from './named-ids.ts'
import { newWindowFaults } from './window.ts'
import { changeWindow, createWindow, disableWindow, getWindow, listWindows } from './windows.service.ts'

export type SlotsRoutesDeps = { db: Database; clock: Clock; baseUrl: string }

const base = '/v1/appointment-slots'
const tags = ['Appointment slots']
const SlotParams = Type.Object({
  slot_id: Type.String({ description: 'Any form of a slot_id; only the part before `||` is used.' }),
})
const fixed = ['branch_id', 'calendar_id', 'parent_calendar_id', 'appointment_type', 'appointment_type_id']
type OneSlot = { Params: { slot_id: string } }
const claimOf = ({ caller, headers, rawBody }: FastifyRequest) =>
  claimFor({ organisationId: caller.organisationId, route: `POST ${base}` }, headers['idempotency-key'], rawBody)

/** Weekly windows (§4.6–4.8). There is no delete. */
export function slotsRoutes(app: FastifyInstance, deps: SlotsRoutesDeps): void {
  const { db, baseUrl } = deps
  app.post<{ Body: CreateSlotBody }>(base, {
    config: {
      scope: 'slots:write',
      check: ({ body }) => newWindowFaults(body),
      whenRefused: async ({ body }, { caller }) => (await findForWindow(db, caller.organisationId, body)).faults,
      replay: (request) => rememberedAnswer(db, claimOf(request)),
    },
    schema: {
      operationId: 'createSlot',
      summary: 'Create a window',
      description: 'A weekly window of a branch: how many can be booked, and how many of those by the AI agent.',
      tags,
      headers: IdempotencyHeader,
      body: CreateSlotBody,
      response: { 201: SlotAnswer, ...refusals(400, 401, 403, 413, 415, 422, 429, 503) },
    },
    handler: async (request, reply) => {
      const { answer, replayed } = await answerOnce(db, claimOf(request), async (tx) => {
        const data = await createWindow(tx, request.caller.organisationId, request.body)
        return JSON.stringify({ success: true, data })
      })
      if (replayed) return sendReplay(reply, answer)
      return reply.status(201).type('application/json; charset=utf-8').serializer(String).send(answer)
    },
  })

  app.get<{ Querystring: ListSlotsQuery }>(base, {
    config: {
      scope: 'slots:read',
      whenRefused: async ({ query }, { caller }) => (await findNamed(db, caller.organisationId, query)).faults,
    },
    schema: {
      operationId: 'listSlots',
      summary: 'List windows',
      tags,
      querystring: ListSlotsQuery,
      response: { 200: SlotList, ...refusals(400, 401, 403, 415, 429, 503) },
    },
    handler: async (request, reply) => {
      const page = await listWindows(db, request.caller.organisationId, request.query)
      return { success: true, data: page.items, ...pageEnd(page, baseUrl, request, reply) }
    },
  })

  app.get<OneSlot>(`${base}/:slot_id`, {
    config: { scope: 'slots:read' },
    schema: {
      operationId: 'getSlot',
      summary: 'Get a window',
      tags,
      params: SlotParams,
      response: { 200: SlotAnswer, ...refusals(400, 401, 403, 404, 415, 429, 503) },
    },
    handler: async ({ caller, params }) => ({
      success: true,
      data: await getWindow(db, caller.organisationId, params.slot_id),
    }),
  })

  app.patch<OneSlot & { Body: PatchSlotBody }>(`${base}/:slot_id`, {
    config: { scope: 'slots:write', fixed },
    schema: {
      operationId: 'updateSlot',
      summary: 'Change a window',
      description:
        'Dates that are booked already keep their capacity; nothing booked is ever dropped. Less than is booked on a ' +
        'date from today on: 409.',
      tags,
      params: SlotParams,
      body: PatchSlotBody,
      response: { 200: SlotAnswer, ...refusals(400, 401, 403, 404, 409, 413, 415, 429, 503) },
    },
    handler: async ({ caller, params, body }) => ({
      success: true,
      data: await changeWindow(deps, caller.organisationId, params.slot_id, body),
    }),
  })

  app.post<OneSlot>(`${base}/:slot_id/disable`, {
    config: { scope: 'slots:write', check: bodyless },
    schema: {
      operationId: 'disableSlot',
      summary: 'Disable a window',
      description:
        'Nothing new can be booked into it; what is booked stays. PATCH `status` to `OPEN` to enable it again.',
      tags,
      params: SlotParams,
      response: { 200: SlotAnswer, ...refusals(400, 401, 403, 404, 413, 415, 429, 503) },
    },
    handler: async ({ caller, params }) => ({
      success: true,
      data: await disableWindow(deps, caller.organisationId, params.slot_id),
    }),
  })
}
