import type { Queryable } from '../platform/db.ts'

/** Only a completed call that was answered (decisions 3); no row for any other. */
export async function deleteAnsweredCall(
  tx: Queryable,
  organisationId: string,
  callId: string,
): Promise<{ idempotencyKeyHash: Buffer | null } | null> {
  const [row] = await tx.query<{ idempotency_key_hash: Buffer | null }>(
    `delete from calls where organisation_id = $1 and call_id = $2 and status = 'completed' and answered_at is not null
     returning idempotency_key_hash`,
    [organisationId, callId],
  )
  return row ? { idempotencyKeyHash: row.idempotency_key_hash } : null
}

export const deleteUtterances = (tx: Queryable, callId: string): Promise<unknown[]> =>
  tx.query('delete from call_utterances where call_id = $1', [callId])
