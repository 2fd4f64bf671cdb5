import type { SharedAppointment, SharedCall } from '@parley/contract/sharing'
import { appointmentsOfCall } from '../appointments/appointments-in-calls.ts'
import { findOrganisation } from '../organisations/organisations.service.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/db.ts'
import { nothingShared, type OpenShare, type ShareFinder } from '../sharing/share-finder.ts'
import type { CallRecord } from './call.ts'
import { type CallMediaDeps, mediaOf } from './call-media.ts'
import { selectCall } from './calls.store.ts'

export type SharedCallDeps = CallMediaDeps & { clock: Clock; shares: ShareFinder }

/** Times on the page are in the organisation's zone. */
export type OpenedCall = { call: CallRecord; shared: SharedCall; timeZone: string; share: OpenShare }

export async function openSharedCall(deps: SharedCallDeps, callId: string, token: unknown): Promise<OpenedCall> {
  const share = await deps.shares.open(callId, token, deps.clock.now())
  const { organisationId } = share
  const call = await selectCall(deps.db, organisationId, share.callId)
  const organisation = await findOrganisation(deps.db, organisationId)
  // Erased between the two looks.
  if (!call || !organisation) throw nothingShared()
  const { transcript, recordingUrl } = (await mediaOf(deps, [call]))(call)
  const shared: SharedCall = {
    call: publicView(call, organisation.name),
    insights: call.analytics && { ...call.analytics, extracted_details: call.extractedDetails },
    transcript: transcript ?? [],
    appointments: await appointmentsOf(deps.db, organisationId, call.callId),
    recording_url: recordingUrl && share.links.recordingUrl,
  }
  return { call, shared, timeZone: organisation.timezone, share }
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** Field by field: what is added to a call one day is not public by that (docs/decisions/0020). */
const publicView = (call: CallRecord, organisationName: string): SharedCall['call'] => ({
  call_id: call.callId,
  status: call.status,
  call_direction: call.direction,
  agent_name: call.agentName,
  contact_name: call.contactName,
  organisation_name: organisationName,
  call_duration_seconds: call.durationSeconds,
  scheduled_at: iso(call.scheduledAt),
  call_triggered_at: iso(call.triggeredAt),
  completed_at: iso(call.completedAt),
})

/** What was agreed, field by field as well. */
async function appointmentsOf(db: Queryable, organisationId: string, callId: string): Promise<SharedAppointment[]> {
  const appointments = await appointmentsOfCall(db, organisationId, callId)
  return appointments.map((each) => ({
    appointment_id: each.appointment_id,
    status: each.status,
    date: each.date,
    start_time: each.start_time,
    end_time: each.end_time,
    starts_at: each.starts_at,
    ends_at: each.ends_at,
    timezone: each.timezone,
    session: each.session,
    appointment_type_name: each.appointment_type_name,
  }))
}
