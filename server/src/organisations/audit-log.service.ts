import type { AuditQuery } from '@parley/contract/organisation'
import { decodeCursor, type Page, toPage } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import { type AuditRecord, selectAuditLog } from './audit-log.store.ts'

export type { AuditRecord } from './audit-log.store.ts'

export async function listAuditLog(
  db: Queryable,
  organisationId: string,
  query: AuditQuery,
): Promise<Page<AuditRecord>> {
  const limit = query.limit ?? 20
  const rows = await selectAuditLog(db, organisationId, {
    actor: query.actor ?? null,
    area: query.area ?? null,
    resourceId: query.resource_id ?? null,
    after: query.cursor === undefined ? null : decodeCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit, (row) => ({ at: row.at, id: row.auditId }))
}
