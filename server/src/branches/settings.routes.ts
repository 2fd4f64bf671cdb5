import {
  AddHolidaysBody,
  BranchSettingsAnswer,
  BranchSettingsList,
  ChangedBranch,
  CreateBranchBody,
  CreateServiceBody,
  DeletedBranch,
  DeletedHoliday,
  DeletedService,
  HolidaySettingsList,
  PatchBranchBody,
  PatchServiceBody,
  ServiceSettingsAnswer,
  ServiceSettingsList,
} from '@parley/contract/branch-settings'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { everyone, managers } from '../organisations/roles.ts'
import { bodyless } from '../platform/http-schemas.ts'
import {
  type Actor,
  addBranch,
  type BranchSettingsDeps,
  branchBodyFaults,
  changeBranch,
  listBranchSettings,
  removeBranch,
} from './branch-settings.service.ts'
import { addHolidays, addHolidaysFaults, dropHoliday, listHolidaySettings } from './holiday-settings.ts'
import { addService, changeService, listServiceSettings, removeService } from './service-settings.service.ts'
import { branchSettingsView, holidaySettingsView, serviceSettingsView } from './settings-views.ts'

export type BranchSettingsRoutesDeps = BranchSettingsDeps

type One<Name extends string> = { Params: Record<Name, string> }
const read = { roles: everyone }
const writeNothing = { roles: managers, check: bodyless }
const schema = (response: object, body?: object) => ({
  hide: true,
  ...(body ? { body } : {}),
  response: { '2xx': response },
})
const actorOf = ({ signedIn: { user, organisation } }: FastifyRequest): Actor => ({
  organisationId: organisation.organisationId,
  actor: user.userId,
})
const organisationOf = ({ signedIn }: FastifyRequest): string => signedIn.organisation.organisationId

/** The dashboard's API for branches, services and holidays. */
export function branchSettingsRoutes(app: FastifyInstance, deps: BranchSettingsRoutesDeps): void {
  branchRoutes(app, deps)
  serviceRoutes(app, deps)
  holidayRoutes(app, deps)
}

function branchRoutes(app: FastifyInstance, deps: BranchSettingsRoutesDeps): void {
  const { db } = deps
  const base = '/api/branches'
  const write = { roles: managers, check: ({ body }: { body: Record<string, unknown> }) => branchBodyFaults(body) }

  app.get(base, { config: read, schema: schema(BranchSettingsList) }, async (request) => ({
    success: true,
    data: (await listBranchSettings(db, organisationOf(request))).map(branchSettingsView),
  }))

  app.post<{ Body: CreateBranchBody }>(base, {
    config: write,
    schema: schema(BranchSettingsAnswer, CreateBranchBody),
    handler: async (request, reply) => {
      const branch = await addBranch(deps, actorOf(request), request.body)
      return reply.status(201).send({ success: true, data: branchSettingsView(branch) })
    },
  })

  app.patch<One<'branch_id'> & { Body: PatchBranchBody }>(`${base}/:branch_id`, {
    config: write,
    schema: schema(ChangedBranch, PatchBranchBody),
    handler: async (request) => {
      const { branch, moved } = await changeBranch(deps, actorOf(request), request.params.branch_id, request.body)
      return { success: true, data: { ...branchSettingsView(branch), moved_appointments: moved } }
    },
  })

  app.delete<One<'branch_id'>>(`${base}/:branch_id`, {
    config: writeNothing,
    schema: schema(DeletedBranch),
    handler: async (request) => {
      await removeBranch(db, actorOf(request), request.params.branch_id)
      return { success: true, data: { branch_id: request.params.branch_id, deleted: true } }
    },
  })
}

function serviceRoutes(app: FastifyInstance, { db }: BranchSettingsRoutesDeps): void {
  const base = '/api/services'
  const write = { roles: managers }

  app.get(base, { config: read, schema: schema(ServiceSettingsList) }, async (request) => ({
    success: true,
    data: (await listServiceSettings(db, organisationOf(request))).map(serviceSettingsView),
  }))

  app.post<{ Body: CreateServiceBody }>(base, {
    config: write,
    schema: schema(ServiceSettingsAnswer, CreateServiceBody),
    handler: async (request, reply) => {
      const service = await addService(db, actorOf(request), request.body)
      return reply.status(201).send({ success: true, data: serviceSettingsView(service) })
    },
  })

  app.patch<One<'service_id'> & { Body: PatchServiceBody }>(`${base}/:service_id`, {
    config: write,
    schema: schema(ServiceSettingsAnswer, PatchServiceBody),
    handler: async (request) => ({
      success: true,
      data: serviceSettingsView(await changeService(db, actorOf(request), request.params.service_id, request.body)),
    }),
  })

  app.delete<One<'service_id'>>(`${base}/:service_id`, {
    config: writeNothing,
    schema: schema(DeletedService),
    handler: async (request) => {
      await removeService(db, actorOf(request), request.params.service_id)
      return { success: true, data: { appointment_type_id: request.params.service_id, deleted: true } }
    },
  })
}

function holidayRoutes(app: FastifyInstance, { db }: BranchSettingsRoutesDeps): void {
  const base = '/api/holidays'

  app.get(base, { config: read, schema: schema(HolidaySettingsList) }, async (request) => ({
    success: true,
    data: (await listHolidaySettings(db, organisationOf(request))).map(holidaySettingsView),
  }))

  app.post<{ Body: AddHolidaysBody }>(base, {
    config: { roles: managers, check: ({ body }) => addHolidaysFaults(body) },
    schema: schema(HolidaySettingsList, AddHolidaysBody),
    handler: async (request, reply) => {
      const added = await addHolidays(db, actorOf(request), request.body)
      return reply.status(201).send({ success: true, data: added.map(holidaySettingsView) })
    },
  })

  app.delete<One<'holiday_id'>>(`${base}/:holiday_id`, {
    config: writeNothing,
    schema: schema(DeletedHoliday),
    handler: async (request) => {
      const { holidayId } = await dropHoliday(db, actorOf(request), request.params.holiday_id)
      return { success: true, data: { holiday_id: holidayId, deleted: true } }
    },
  })
}
