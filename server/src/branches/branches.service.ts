import type { Queryable } from '../platform/db.ts'
import { newUuid } from '../platform/ids.ts'
import type { NewBranch, NewService } from './branch.ts'
import { insertBranch, insertService, selectBranchNames, selectServiceNames } from './branches.store.ts'

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
