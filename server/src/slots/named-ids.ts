import { type Branch, isOfferedAt, type Service } from '../branches/branch.ts'
import { findBranch, findService } from '../branches/branches.service.ts'
import type { Queryable } from '../platform/db.ts'
import { type Fault, fault } from '../platform/errors.ts'

export const noSuchBranch = fault('branch_id', 'not_found', 'There is no branch with this id.')
export const noSuchService = fault('appointment_type_id', 'not_found', 'There is no service with this id.')
const notOffered = fault('appointment_type_id', 'not_offered', 'This service is not offered at this branch.')

/** As a body or query came: whatever is missing or odd is told by the schema. */
type Given = { branch_id?: unknown; appointment_type_id?: unknown }
type Named = { branch: Branch | null; service: Service | null; faults: Fault[] }

/** The branch and service a request names must be the organisation's own. */
export async function findNamed(db: Queryable, organisationId: string, given: Given): Promise<Named> {
  const { branch_id: branchId, appointment_type_id: serviceId } = given
  const branch = typeof branchId === 'string' ? await findBranch(db, organisationId, branchId) : null
  const service = typeof serviceId === 'string' ? await findService(db, organisationId, serviceId) : null
  const faults: Fault[] = []
  if (typeof branchId === 'string' && !branch) faults.push(noSuchBranch)
  if (typeof serviceId === 'string' && !service) faults.push(noSuchService)
  return { branch, service, faults }
}

/** A window for one service: the branch must offer it. */
export async function findForWindow(db: Queryable, organisationId: string, given: Given): Promise<Named> {
  const named = await findNamed(db, organisationId, given)
  const { branch, service } = named
  return branch && service && !isOfferedAt(service, branch.branchId) ? { ...named, faults: [notOffered] } : named
}
