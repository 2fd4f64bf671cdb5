import type { Plan } from '@parley/contract/common'
import type { HookQuota, HookRequest } from '@parley/contract/hooks'
import { findOrganisation } from '../organisations/organisations.service.ts'
import { announceChange } from '../platform/changes.ts'
import { decodeCursor, type Page, toPage } from '../platform/cursor.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import {
  deleteExpiredSignatures,
  deleteOldHookRequests,
  deleteOldUsage,
  deleteSurplusHookRequests,
  insertHookRequest,
  selectHookRequests,
  selectUsage,
  settleSignature,
} from './hooks.store.ts'
import type { HookRequestRecord } from './request-record.ts'

// Enough to look back over a bad week; a tool gone wild fills a page, not the disk.
const keptRequests = 1_000
const keptDays = 30

/** `digest` names the signed request that this one was the first of. A failure of ours leaves the way open for its repeat. */
export async function recordRequest(
  db: Database,
  organisationId: string,
  record: HookRequestRecord,
  digest: string | null,
): Promise<void> {
  if (digest !== null && record.status < 500) await settleSignature(db, digest)
  await insertHookRequest(db, organisationId, record)
  announceChange(db, organisationId, 'hook')
}

type HookRequestsWanted = {
  limit?: number | undefined
  cursor?: string | undefined
  result?: 'accepted' | 'refused' | undefined
}

/** Newest first. */
export async function listHookRequests(
  db: Queryable,
  organisationId: string,
  { limit = 20, cursor, result }: HookRequestsWanted = {},
): Promise<Page<HookRequest>> {
  const after = cursor === undefined ? null : decodeCursor(cursor)
  const isRefused = result === undefined ? null : result === 'refused'
  const rows = await selectHookRequests(db, organisationId, { after, limit: limit + 1, isRefused })
  const { items, nextCursor } = toPage(rows, limit, (row) => ({ at: row.at, id: row.requestId }))
  return { items: items.map(view), nextCursor }
}

const view = ({ requestId, at, callId, ...record }: HookRequestRecord): HookRequest => ({
  request_id: requestId,
  at: at.toISOString(),
  ...record,
  call_id: callId,
})

export async function hookQuota(
  { db, hookQuotas }: { db: Queryable; hookQuotas: Record<Plan, number> },
  organisationId: string,
): Promise<HookQuota> {
  const organisation = await findOrganisation(db, organisationId)
  if (!organisation) throw new ParleyError('NOT_FOUND', 'There is no such organisation.')
  const limit = hookQuotas[organisation.plan]
  const { used, resetsAt } = await selectUsage(db, organisationId)
  return { limit, used, remaining: Math.max(0, limit - used), resets_at: resetsAt.toISOString() }
}

/** Upkeep: what nobody needs any more. */
export async function forgetOldHookRequests(db: Queryable): Promise<void> {
  await deleteExpiredSignatures(db)
  await deleteOldUsage(db, keptDays)
  await deleteOldHookRequests(db, keptDays)
  await deleteSurplusHookRequests(db, keptRequests)
}
