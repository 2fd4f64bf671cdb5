import type { CallDetail } from '@parley/contract/dashboard-calls'
import { appointmentsOfCall } from '../appointments/appointments-in-calls.ts'
import { selectCallTimes, selectRelatedCalls } from './call-detail.store.ts'
import { type CallMediaDeps, mediaOf } from './call-media.ts'
import { callView } from './call-view.ts'
import { getCall, noSuchCall } from './calls.service.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** One call with all that belongs to it, as the dashboard shows it. */
export async function callDetail(deps: CallMediaDeps, organisationId: string, callId: string): Promise<CallDetail> {
  const { db } = deps
  const call = await getCall(db, organisationId, callId)
  const [media, times, appointments, related] = await Promise.all([
    mediaOf(deps, [call]),
    selectCallTimes(db, organisationId, callId),
    appointmentsOfCall(db, organisationId, callId),
    selectRelatedCalls(
      db,
      organisationId,
      [call.followsCallId, call.scheduledCallId].filter((id) => id !== null),
    ),
  ])
  // Erased between the two looks.
  if (!times) throw noSuchCall()
  return {
    call: callView(call, media(call)),
    source: times.source,
    attempt: times.attempt,
    agent_number: times.agentNumber,
    queued_at: iso(times.queuedAt),
    ringing_at: iso(times.ringingAt),
    answered_at: iso(times.answeredAt),
    related: related.map(({ scheduled_at, ...each }) => ({
      ...each,
      relation: each.call_id === call.followsCallId ? 'before' : 'after',
      scheduled_at: iso(scheduled_at),
    })),
    appointments,
  }
}
