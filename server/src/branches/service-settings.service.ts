import type { CreateServiceBody, PatchServiceBody } from '@parley/contract/branch-settings'
import { recordAudit } from '../platform/audit.ts'
import { announceChange } from '../platform/changes.ts'
import { brokenUniqueness, type Database, type Queryable } from '../platform/db.ts'
import { fault, ParleyError, validationError } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { NewService, Service } from './branch.ts'
import type { Actor } from './branch-settings.service.ts'
import { branchesById, createService, findService } from './branches.service.ts'
import { selectServices } from './branches.store.ts'
import { inUse } from './in-use.ts'
import {
  deleteService,
  lockService,
  type ServiceUse,
  selectBranchesInNeed,
  selectServiceUse,
  updateService,
} from './service-settings.store.ts'

export type ServiceInUse = Service & ServiceUse

const noSuchService = () => new ParleyError('NOT_FOUND', 'There is no service with this id.')
const mostServices = 1_000

/** By name. */
export async function listServiceSettings(db: Queryable, organisationId: string): Promise<ServiceInUse[]> {
  const filter = { serviceId: null, branchId: null, after: null, limit: mostServices }
  const services = await selectServices(db, organisationId, filter)
  const uses = await selectServiceUse(db, organisationId, null)
  return services.map((each) => withUse(each, uses)).sort((a, b) => a.name.localeCompare(b.name))
}

const withUse = (service: Service, uses: Map<string, ServiceUse>): ServiceInUse => ({
  ...service,
  ...(uses.get(service.appointmentTypeId) ?? { windows: 0, appointments: 0 }),
})

async function serviceWithUse(db: Queryable, organisationId: string, serviceId: string): Promise<ServiceInUse> {
  const service = await findService(db, organisationId, serviceId)
  if (!service) throw noSuchService()
  return withUse(service, await selectServiceUse(db, organisationId, service.appointmentTypeId))
}

export function addService(
  db: Database,
  { organisationId, actor }: Actor,
  { name, duration_minutes: durationMinutes, branch_ids: branchIds = [] }: CreateServiceBody,
): Promise<ServiceInUse> {
  return db.transaction(async (tx) => {
    const service = {
      name: name.trim(),
      durationMinutes,
      branchIds: await ownBranches(tx, organisationId, branchIds),
    }
    const serviceId = await createService(tx, organisationId, service).catch(refuseTakenName)
    await recordAudit(tx, { organisationId, actor, action: 'service.created', resourceId: serviceId })
    announceChange(tx, organisationId, 'slots')
    return serviceWithUse(tx, organisationId, serviceId)
  })
}

/** What is booked keeps the name it was booked with. */
export function changeService(
  db: Database,
  { organisationId, actor }: Actor,
  serviceId: string,
  patch: PatchServiceBody,
): Promise<ServiceInUse> {
  return db.transaction(async (tx) => {
    if (!isUuid(serviceId) || !(await lockService(tx, organisationId, serviceId))) throw noSuchService()
    const before = await serviceWithUse(tx, organisationId, serviceId)
    const next: NewService = {
      name: patch.name?.trim() ?? before.name,
      durationMinutes: patch.duration_minutes ?? before.durationMinutes,
      branchIds: patch.branch_ids ? await ownBranches(tx, organisationId, patch.branch_ids) : before.branchIds,
    }
    if (textOf(before) === textOf(next)) return before
    await refuseNeeded(tx, organisationId, before.appointmentTypeId, next.branchIds)
    await updateService(tx, organisationId, before.appointmentTypeId, next).catch(refuseTakenName)
    const resourceId = before.appointmentTypeId
    await recordAudit(tx, { organisationId, actor, action: 'service.changed', resourceId })
    announceChange(tx, organisationId, 'slots')
    return { ...before, ...next }
  })
}

const textOf = ({ name, durationMinutes, branchIds }: NewService): string =>
  JSON.stringify([name, durationMinutes, branchIds.toSorted()])

/** An id of another organisation is one that does not exist (decisions 1). */
async function ownBranches(db: Queryable, organisationId: string, branchIds: string[]): Promise<string[]> {
  const wanted = [...new Set(branchIds.map((each) => each.toLowerCase()))]
  if (wanted.length === 0) return []
  const found = await branchesById(db, organisationId, wanted)
  if (wanted.some((each) => !found.has(each)))
    throw validationError([fault('branch_ids', 'not_found', 'There is no branch with this id.')])
  return wanted
}

/** A window for one service alone would be left without it. Empty: offered everywhere, so nobody is. */
async function refuseNeeded(
  db: Queryable,
  organisationId: string,
  serviceId: string,
  branchIds: string[],
): Promise<void> {
  const names = branchIds.length === 0 ? [] : await selectBranchesInNeed(db, organisationId, serviceId, branchIds)
  if (names.length === 0) return
  const message = `There are windows for this service alone at ${names.join(', ')}: it stays offered there.`
  throw validationError([fault('branch_ids', 'in_use', message)])
}

/** Only while no window and no appointment refers to it. */
export function removeService(db: Database, { organisationId, actor }: Actor, serviceId: string): Promise<void> {
  return db.transaction(async (tx) => {
    if (!isUuid(serviceId) || !(await lockService(tx, organisationId, serviceId))) throw noSuchService()
    const { windows, appointments, appointmentTypeId } = await serviceWithUse(tx, organisationId, serviceId)
    if (windows + appointments > 0) throw inUse('This service', { window: windows, appointment: appointments })
    await deleteService(tx, organisationId, appointmentTypeId)
    await recordAudit(tx, { organisationId, actor, action: 'service.deleted', resourceId: appointmentTypeId })
    announceChange(tx, organisationId, 'slots')
  })
}

function refuseTakenName(error: unknown): never {
  throw brokenUniqueness(error) === null
    ? error
    : validationError([fault('name', 'exists', 'There is a service of this name already.')])
}
