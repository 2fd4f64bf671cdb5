import type { Position } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'

export type AuditRecord = {
  auditId: string
  actor: string
  actorEmail: string | null
  action: string
  resourceId: string
  at: Date
}
export type AuditFilter = {
  actor: string | null
  area: string | null
  resourceId: string | null
  after: Position | null
  limit: number
}

/** Newest first. An area is what stands before the dot. */
export const selectAuditLog = (db: Queryable, organisationId: string, filter: AuditFilter): Promise<AuditRecord[]> =>
  db.query<AuditRecord>(
    `select a.audit_id as "auditId", a.actor, u.email as "actorEmail", a.action, a.resource_id as "resourceId", a.at
     from audit_log a left join users u on u.user_id = a.actor and u.organisation_id = a.organisation_id
     where a.organisation_id = $1 and ($2::text is null or a.actor = $2)
       and ($3::text is null or split_part(a.action, '.', 1) = $3) and ($4::text is null or a.resource_id = $4)
       and ($5::timestamptz is null or (a.at, a.audit_id) < ($5, $6::text))
     order by a.at desc, a.audit_id desc limit $7`,
    [
      organisationId,
      filter.actor,
      filter.area,
      filter.resourceId,
      filter.after?.at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  )
