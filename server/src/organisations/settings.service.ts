import { recordAudit } from '../platform/audit.ts'
import type { Database } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import type { Organisation } from './organisation.ts'
import { updateOrganisation } from './organisations.store.ts'

/** Branches keep the zones they have; a new one counts for what has none of its own. */
export const changeOrganisation = (
  db: Database,
  organisationId: string,
  change: { name?: string; timezone?: string },
  actor: string,
): Promise<Organisation> =>
  db.transaction(async (tx) => {
    const changed = await updateOrganisation(tx, organisationId, change)
    if (!changed) throw new ParleyError('NOT_FOUND', 'There is no such organisation.')
    await recordAudit(tx, { organisationId, actor, action: 'organisation.changed', resourceId: organisationId })
    return changed
  })
