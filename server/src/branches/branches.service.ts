import { decodeUuidCursor, type Page, toPage } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import { isUuid, newUuid } from '../platform/ids.ts'
import type { Branch, NewBranch, NewService, Service } from './branch.ts'
import {
  insertBranch,
  insertService,
  selectBranches,
  selectBranchNames,
  selectServiceNames,
  selectServices,
} from './branches.store.ts'

export async function createBranch(tx: Queryable, organisationId: string, branch: NewBranch): Promise<string> {
  const branchId = newUuid()
  await insertBranch(tx, organisationId, branchId, branch)
  return branchId
}

export async function createService(tx: Queryable, organisationId: string, service: NewService): Promise<string> {
  const serviceId = newUuid()
  await insertService(tx, organisationId, serviceId, service)
  return serviceId
}

/** Names to ids. */
export const listBranchNames = selectBranchNames
export const listServiceNames = selectServiceNames

export async function findBranch(db: Queryable, organisationId: string, branchId: string): Promise<Branch | null> {
  if (!isUuid(branchId)) return null
  const [branch] = await selectBranches(db, organisationId, { branchIds: [branchId], after: null, limit: 1 })
  return branch ?? null
}

export async function branchesById(
  db: Queryable,
  organisationId: string,
  branchIds: string[],
): Promise<Map<string, Branch>> {
  const wanted = [...new Set(branchIds)]
  const found = await selectBranches(db, organisationId, { branchIds: wanted, after: null, limit: wanted.length })
  return new Map(found.map((each) => [each.branchId, each]))
}

export async function findService(db: Queryable, organisationId: string, serviceId: string): Promise<Service | null> {
  if (!isUuid(serviceId)) return null
  const filter = { serviceId, branchId: null, after: null, limit: 1 }
  const [service] = await selectServices(db, organisationId, filter)
  return service ?? null
}

/** Oldest first, so that "the first service" stays the same one. */
export async function servicesAt(db: Queryable, organisationId: string, branchId: string): Promise<Service[]> {
  const filter = { serviceId: null, branchId, after: null, limit: 1_000 }
  return (await selectServices(db, organisationId, filter)).toReversed()
}

type PageQuery = { limit?: number; cursor?: string }

export async function listBranches(db: Queryable, organisationId: string, query: PageQuery): Promise<Page<Branch>> {
  const limit = query.limit ?? 20
  const after = query.cursor === undefined ? null : decodeUuidCursor(query.cursor)
  const rows = await selectBranches(db, organisationId, { branchIds: null, after, limit: limit + 1 })
  return toPage(rows, limit, (each) => ({ at: each.createdAt, id: each.branchId }))
}

export async function listServices(
  db: Queryable,
  organisationId: string,
  query: PageQuery & { branch_id?: string },
): Promise<Page<Service>> {
  const limit = query.limit ?? 20
  const after = query.cursor === undefined ? null : decodeUuidCursor(query.cursor)
  const filter = { serviceId: null, branchId: query.branch_id ?? null, after, limit: limit + 1 }
  const rows = await selectServices(db, organisationId, filter)
  return toPage(rows, limit, (each) => ({ at: each.createdAt, id: each.appointmentTypeId }))
}
