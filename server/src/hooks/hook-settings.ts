import { regenerateInboundToken, setInboundSigning } from '../organisations/organisations.service.ts'
import { recordAudit } from '../platform/audit.ts'
import { announceChange } from '../platform/changes.ts'
import type { Database } from '../platform/db.ts'
import type { Vault } from '../platform/secrets.ts'

/** The old URL stops with the commit, on every node. */
export const replaceHookToken = (db: Database, organisationId: string, actor: string): Promise<string> =>
  db.transaction(async (tx) => {
    const token = await regenerateInboundToken(tx, organisationId)
    await recordAudit(tx, { organisationId, actor, action: 'hook_token.regenerated', resourceId: organisationId })
    announceChange(tx, organisationId, 'hook')
    return token
  })

export const changeHookSigning = (
  { db, vault }: { db: Database; vault: Vault },
  organisationId: string,
  change: { enabled: boolean; rotate: boolean },
  actor: string,
): Promise<{ signingSecret: string | null }> =>
  db.transaction(async (tx) => {
    const changed = await setInboundSigning({ db: tx, vault }, organisationId, change)
    const action = change.enabled ? 'hook_signing.enabled' : 'hook_signing.disabled'
    await recordAudit(tx, { organisationId, actor, action, resourceId: organisationId })
    if (change.rotate) {
      await recordAudit(tx, { organisationId, actor, action: 'hook_secret.rotated', resourceId: organisationId })
    }
    announceChange(tx, organisationId, 'hook')
    return changed
  })
