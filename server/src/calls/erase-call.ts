import type { ErasureReceipt } from '@parley/contract/dashboard-calls'
import { unlinkCall } from '../appointments/appointments.service.ts'
import type { Storage } from '../media/ports.ts'
import { recordingKey, removeScheduled, scheduleRemoval } from '../media/removals.service.ts'
import { recordAudit } from '../platform/audit.ts'
import { announceChange } from '../platform/changes.ts'
import type { Database, Transaction } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { eraseAnswer } from '../platform/idempotency.ts'
import { isId } from '../platform/ids.ts'
import { eraseShare } from '../sharing/sharing.service.ts'
import { eraseEventsOfCall } from '../webhooks/events.service.ts'
import { deleteTurns } from './call-turns.store.ts'
import { deleteAnsweredCall, deleteUtterances } from './erase-call.store.ts'

export type EraseCallDeps = { db: Database; storage: Storage }

/** Everything about the person in one transaction, then the file. An audit line without personal data stays. */
export async function eraseCall(
  { db, storage }: EraseCallDeps,
  organisationId: string,
  callId: string,
  actor: string,
): Promise<Erased> {
  const erased = await db.transaction((tx) => eraseCallWithin(tx, organisationId, callId, actor))
  await removeErasedFiles({ db, storage })
  return erased
}

/** What is gone, in numbers. */
export type Erased = Omit<ErasureReceipt, 'call_id' | 'erased_at'>

/** The part that stands or falls with the transaction; removeErasedFiles comes after its commit. */
export async function eraseCallWithin(
  tx: Transaction,
  organisationId: string,
  callId: string,
  actor: string,
): Promise<Erased> {
  const call = isId('call', callId) ? await deleteAnsweredCall(tx, organisationId, callId) : null
  if (!call) {
    throw new ParleyError(
      'NOT_FOUND',
      'Only completed calls that were answered can be deleted, and there is no such call.',
    )
  }
  const transcriptLines = await deleteUtterances(tx, callId)
  await deleteTurns(tx, callId)
  if (call.idempotencyKeyHash) await eraseAnswer(tx, call.idempotencyKeyHash)
  const { events, deliveries } = await eraseEventsOfCall(tx, organisationId, callId)
  const hadLink = await eraseShare(tx, organisationId, callId)
  const appointmentsKept = await unlinkCall(tx, organisationId, callId)
  await scheduleRemoval(tx, recordingKey(organisationId, callId))
  await recordAudit(tx, { organisationId, actor, action: 'call.erased', resourceId: callId })
  announceChange(tx, organisationId, 'calls')
  return {
    transcript_lines: transcriptLines,
    events,
    deliveries,
    share_link: hadLink,
    appointments_kept: appointmentsKept,
  }
}

/** The call is gone already; a store that is away right now is asked again by upkeep. */
export const removeErasedFiles = ({ db, storage }: EraseCallDeps): Promise<void> =>
  removeScheduled(db, storage).catch(() => {})
