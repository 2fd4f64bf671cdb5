import {
  AppointmentAnswer,
  AppointmentList,
  CreateAppointmentBody,
  ListAppointmentsQuery,
  PatchAppointmentBody,
} from '@parley/contract/appointments'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { pageEnd } from '../platform/http-lists.ts'
import { IdempotencyHeader, refusals } from '../platform/http-schemas.ts'
import { sendReplay } from '../platform/http-validation.ts'
import { claimFor, rememberedAnswer } from '../platform/idempotency.ts'
import type { NewAppointment } from './appointment.ts'
import { appointmentView } from './appointment-view.ts'
import { getAppointment, listAppointments, listAppointmentsFaults, namedIdFaults } from './appointments.service.ts'
import { type AppointmentsDeps, createAppointment } from './book-appointment.ts'
import { nameFaults } from './booking-rules.ts'
import { changeAppointment } from './change-appointment.ts'
import { patchFaults } from './plan-change.ts'
import { bookingFaults, changeFaults } from './read-booking.ts'

export type AppointmentsRoutesDeps = AppointmentsDeps & { baseUrl: string }

const base = '/v1/appointments'
const tags = ['Appointments']
const AppointmentParams = Type.Object({ appointment_id: Type.String() })
const fixed = ['branch_id', 'calendar_id', 'booked_by', 'call_id', 'external_id', 'created_at', 'updated_at']
type OneAppointment = { Params: { appointment_id: string } }
const claimOf = ({ caller, headers, rawBody }: FastifyRequest) =>
  claimFor({ organisationId: caller.organisationId, route: `POST ${base}` }, headers['idempotency-key'], rawBody)

const toNewAppointment = (body: CreateAppointmentBody): NewAppointment => ({
  slotId: body.slot_id,
  contactName: body.contact_name,
  contactNumber: body.contact_number,
  contactEmail: body.contact_email ?? null,
  appointmentTypeId: body.appointment_type_id ?? null,
  notes: body.notes ?? null,
  bookedBy: body.booked_by ?? 'api',
  callId: body.call_id ?? null,
  externalId: body.external_id ?? null,
})

export function appointmentsRoutes(app: FastifyInstance, deps: AppointmentsRoutesDeps): void {
  const { db } = deps

  app.post<{ Body: CreateAppointmentBody }>(base, {
    config: {
      scope: 'appointments:write',
      check: ({ body }) => nameFaults(body),
      whenRefused: ({ body }, { caller }) => bookingFaults(deps, caller.organisationId, body),
      replay: (request) => rememberedAnswer(db, claimOf(request)),
    },
    schema: {
      operationId: 'createAppointment',
      summary: 'Book an appointment',
      description: 'Takes one place of a slot, never more than there are. Without a place: 409 and `alternatives`.',
      tags,
      headers: IdempotencyHeader,
      body: CreateAppointmentBody,
      response: { 201: AppointmentAnswer, ...refusals(400, 401, 403, 409, 413, 415, 422, 429, 503) },
    },
    handler: async (request, reply) => {
      const wanted = toNewAppointment(request.body)
      const { organisationId } = request.caller
      const { answer, replayed } = await createAppointment(deps, organisationId, wanted, claimOf(request))
      if (replayed) return sendReplay(reply, answer)
      return reply.status(201).type('application/json; charset=utf-8').serializer(String).send(answer)
    },
  })

  app.get<{ Querystring: ListAppointmentsQuery }>(base, {
    config: {
      scope: 'appointments:read',
      check: ({ query }) => listAppointmentsFaults(query),
      whenRefused: ({ query }, { caller }) => namedIdFaults(db, caller.organisationId, query),
    },
    schema: {
      operationId: 'listAppointments',
      summary: 'List appointments',
      tags,
      querystring: ListAppointmentsQuery,
      response: { 200: AppointmentList, ...refusals(400, 401, 403, 415, 429, 503) },
    },
    handler: async (request, reply) => {
      const page = await listAppointments(db, request.caller.organisationId, request.query)
      const data = page.items.map(appointmentView)
      return { success: true, data, ...pageEnd(page, deps.baseUrl, request, reply) }
    },
  })

  app.get<OneAppointment>(`${base}/:appointment_id`, {
    config: { scope: 'appointments:read' },
    schema: {
      operationId: 'getAppointment',
      summary: 'Get an appointment',
      tags,
      params: AppointmentParams,
      response: { 200: AppointmentAnswer, ...refusals(400, 401, 403, 404, 415, 429, 503) },
    },
    handler: async ({ caller, params }) => ({
      success: true,
      data: appointmentView(await getAppointment(db, caller.organisationId, params.appointment_id)),
    }),
  })

  app.patch<OneAppointment & { Body: PatchAppointmentBody }>(`${base}/:appointment_id`, {
    config: {
      scope: 'appointments:write',
      check: ({ body }) => [...patchFaults(body), ...nameFaults(body)],
      whenRefused: ({ body }, { caller }) => changeFaults(db, caller.organisationId, body),
      fixed,
    },
    schema: {
      operationId: 'updateAppointment',
      summary: 'Change, move, cancel or complete an appointment',
      description:
        'Confirmed becomes cancelled, completed or no_show, and those become confirmed again while there is a place. ' +
        'The same status again answers 200 and changes nothing.',
      tags,
      params: AppointmentParams,
      body: PatchAppointmentBody,
      response: { 200: AppointmentAnswer, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
    },
    handler: async ({ caller, params, body }) => ({
      success: true,
      data: appointmentView(await changeAppointment(deps, caller.organisationId, params.appointment_id, body)),
    }),
  })
}
