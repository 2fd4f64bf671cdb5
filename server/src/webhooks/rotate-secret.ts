import { recordAudit } from '../platform/audit.ts'
import { announceChange } from '../platform/changes.ts'
import type { Database } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import type { Vault } from '../platform/secrets.ts'
import { lockedEndpoint, newSecret } from './endpoints.service.ts'
import { activateSecret, stageSecret } from './endpoints.store.ts'

type RotateDeps = { db: Database; vault: Vault }

/** `staged`: shown now, tested at leisure, used once it is activated. `now`: used from the next attempt on. */
export function rotateSecret(
  { db, vault }: RotateDeps,
  organisationId: string,
  endpointId: string,
  mode: 'staged' | 'now',
  actor: string,
): Promise<{ secret: string }> {
  const secret = newSecret()
  return db.transaction(async (tx) => {
    await lockedEndpoint(tx, organisationId, endpointId)
    if (mode === 'staged') await stageSecret(tx, endpointId, vault.seal(secret))
    else await activateSecret(tx, endpointId, vault.seal(secret))
    const action = mode === 'staged' ? 'webhook_secret.staged' : 'webhook_secret.rotated'
    await recordAudit(tx, { organisationId, actor, action, resourceId: endpointId })
    announceChange(tx, organisationId, 'deliveries')
    return { secret }
  })
}

/** The staged secret takes the place of the old one, or is forgotten. */
export async function settleRotation(
  db: Database,
  organisationId: string,
  endpointId: string,
  what: 'activate' | 'discard',
  actor: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const endpoint = await lockedEndpoint(tx, organisationId, endpointId)
    if (!endpoint.hasNextSecret) throw new ParleyError('NOT_FOUND', 'No new secret is staged for this endpoint.')
    if (what === 'activate') await activateSecret(tx, endpointId, null)
    else await stageSecret(tx, endpointId, null)
    const action = what === 'activate' ? 'webhook_secret.rotated' : 'webhook_secret.discarded'
    await recordAudit(tx, { organisationId, actor, action, resourceId: endpointId })
    announceChange(tx, organisationId, 'deliveries')
  })
}
