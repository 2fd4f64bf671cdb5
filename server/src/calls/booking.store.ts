import type { Queryable } from '../platform/db.ts'

/**
 * Keeps the call from ending until the transaction does, and its tools from overtaking each other. False: it has ended,
 * and nothing may be agreed in it any more.
 */
export async function lockLiveCall(tx: Queryable, organisationId: string, callId: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from calls where organisation_id = $1 and call_id = $2
       and status in ('initiated', 'ringing', 'in_progress') for no key update`,
    [organisationId, callId],
  )
  return rows.length > 0
}

export async function linkAppointment(
  tx: Queryable,
  organisationId: string,
  callId: string,
  appointmentId: string,
): Promise<void> {
  await tx.query('update calls set appointment_id = $3 where organisation_id = $1 and call_id = $2', [
    organisationId,
    callId,
    appointmentId,
  ])
}
