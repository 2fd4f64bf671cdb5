import { days, sessions } from '@parley/contract/appointment-slots'
import {
  AppointmentConfiguration,
  appointmentStatuses,
  type Branch,
  BranchList,
  type Holiday,
  ListBranchesQuery,
  ListServicesQuery,
  type Service,
  ServiceList,
} from '@parley/contract/appointments'
import {
  AvailabilityAnswer,
  AvailabilityQuery,
  availabilityDays,
  bookers,
  regenerateDays,
} from '@parley/contract/slot-dates'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { Branch as BranchRecord, Service as ServiceRecord } from '../branches/branch.ts'
import { listBranches, listServices } from '../branches/branches.service.ts'
import type { Holiday as HolidayRecord } from '../branches/holiday.ts'
import { listHolidays } from '../branches/holidays.service.ts'
import { findOrganisation } from '../organisations/organisations.service.ts'
import { validationError } from '../platform/errors.ts'
import { pageEnd } from '../platform/http-lists.ts'
import { refusals } from '../platform/http-schemas.ts'
import { todayIn } from '../platform/local-time.ts'
import { listAvailability } from '../slots/availability.ts'
import { dateFaults } from '../slots/date-range.ts'
import { findNamed } from '../slots/named-ids.ts'
import { slotsOnDatesJson } from '../slots/slots-json.ts'
import { appointmentMoves } from './appointment.ts'
import type { AppointmentsRoutesDeps } from './appointments.routes.ts'

const base = '/v1/appointments'
const tags = ['Appointments']
const mostHolidays = 100

/** What a booking form needs to know, for keys that only have to do with appointments. */
export function appointmentConfigurationRoutes(app: FastifyInstance, deps: AppointmentsRoutesDeps): void {
  const { db, clock, baseUrl } = deps
  const config: FastifyContextConfig = { scope: 'appointments:read' }
  const whenRefused: FastifyContextConfig['whenRefused'] = async ({ query }, { caller }) =>
    (await findNamed(db, caller.organisationId, query)).faults
  const answers = (schema: object) => ({ 200: schema, ...refusals(400, 401, 403, 415, 429, 503) })

  app.get(`${base}/configuration`, {
    config,
    schema: {
      operationId: 'getAppointmentConfiguration',
      summary: 'What appointments can be',
      tags,
      response: answers(AppointmentConfiguration),
    },
    handler: async ({ caller }) => {
      const organisation = await findOrganisation(db, caller.organisationId)
      return {
        success: true,
        data: {
          timezone: organisation?.timezone ?? 'UTC',
          days,
          sessions,
          statuses: appointmentStatuses,
          moves: appointmentMoves,
          booked_by: bookers,
          availability_days: availabilityDays,
          regenerate_days: regenerateDays,
        },
      }
    },
  })

  app.get<{ Querystring: ListServicesQuery }>(`${base}/services`, {
    config: { ...config, whenRefused },
    schema: {
      operationId: 'listServices',
      summary: 'List services',
      tags,
      querystring: ListServicesQuery,
      response: answers(ServiceList),
    },
    handler: async (request, reply) => {
      const { organisationId } = request.caller
      const { faults } = await findNamed(db, organisationId, request.query)
      if (faults.length > 0) throw validationError(faults)
      const page = await listServices(db, organisationId, request.query)
      return { success: true, data: page.items.map(serviceView), ...pageEnd(page, baseUrl, request, reply) }
    },
  })

  app.get<{ Querystring: ListBranchesQuery }>(`${base}/branches`, {
    config,
    schema: {
      operationId: 'listBranches',
      summary: 'List branches',
      tags,
      querystring: ListBranchesQuery,
      response: answers(BranchList),
    },
    handler: async (request, reply) => {
      const { organisationId } = request.caller
      const page = await listBranches(db, organisationId, request.query)
      const ids = page.items.map((each) => each.branchId)
      // The earliest today there is: each branch then leaves out what is over where it stands.
      const holidays = await listHolidays(db, organisationId, ids, { from: todayIn('Etc/GMT+12', clock.now()) })
      const data = page.items.map((each) => branchView(each, holidays, todayIn(each.timezone, clock.now())))
      return { success: true, data, ...pageEnd(page, baseUrl, request, reply) }
    },
  })

  app.get<{ Querystring: AvailabilityQuery }>(`${base}/availability`, {
    config: { ...config, check: ({ query }) => dateFaults(query, availabilityDays), whenRefused },
    schema: {
      operationId: 'listAppointmentAvailability',
      summary: 'What is free to book',
      description: 'The same as /v1/appointment-slots/availability.',
      tags,
      querystring: AvailabilityQuery,
      response: answers(AvailabilityAnswer),
    },
    handler: async ({ caller, query }, reply) => {
      const found = await listAvailability(deps, caller.organisationId, query)
      const answer = `{"success":true,"data":${slotsOnDatesJson(found)}}`
      return reply.type('application/json; charset=utf-8').serializer(String).send(answer)
    },
  })
}

const serviceView = (service: ServiceRecord): Service => ({
  appointment_type_id: service.appointmentTypeId,
  name: service.name,
  duration_minutes: service.durationMinutes,
  branch_ids: service.branchIds,
  created_at: service.createdAt.toISOString(),
})

const branchView = (branch: BranchRecord, holidays: HolidayRecord[], today: string): Branch => ({
  branch_id: branch.branchId,
  name: branch.name,
  timezone: branch.timezone,
  session_hours: branch.sessionHours,
  holidays: holidays
    .filter((each) => each.branchId === branch.branchId && each.endDate >= today)
    .toSorted((a, b) => (a.startDate < b.startDate ? -1 : 1))
    .slice(0, mostHolidays)
    .map(holidayView),
  created_at: branch.createdAt.toISOString(),
})

const holidayView = (holiday: HolidayRecord): Holiday => ({
  holiday_id: holiday.holidayId,
  start_date: holiday.startDate,
  end_date: holiday.endDate,
  reason: holiday.reason,
  closed: holiday.hours === null,
  hours: holiday.hours,
})
