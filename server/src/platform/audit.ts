import type { Queryable } from './db.ts'
import { newId } from './ids.ts'

export type AuditEntry = { organisationId: string; actor: string; action: string; resourceId: string }

/** What was done to whom by whom: ids only, never personal data. */
export async function recordAudit(tx: Queryable, entry: AuditEntry): Promise<void> {
  await tx.query(
    'insert into audit_log (audit_id, organisation_id, actor, action, resource_id) values ($1, $2, $3, $4, $5)',
    [newId('auditEntry'), entry.organisationId, entry.actor, entry.action, entry.resourceId],
  )
}
