import type { RetryPolicy } from '../agents/agent.ts'
import { fillPlaceholders } from '../agents/placeholders.ts'
import { freeCredits, holdCredits } from '../credits/credits.service.ts'
import type { Database, Queryable } from '../platform/db.ts'
import type { IncomingCall } from '../voice/ports.ts'
import type { VoicemailPlan } from '../voice/voicemail.ts'
import { recordEvents } from '../webhooks/events.service.ts'
import type { CallRecord } from './call.ts'
import { callEvent } from './call-event.ts'
import {
  type CandidateRow,
  lockWaitingLines,
  markDisallowed,
  markInitiated,
  selectCandidates,
} from './due-calls.store.ts'
import { countTrunkPlaces, lockTrunks, noteDials } from './trunk-places.store.ts'

/** All that running a call needs, read in the transaction that took it. */
export type ClaimedCall = {
  callId: string
  organisationId: string
  carrier: string
  /** Set for a call somebody made to us; then nobody is dialled. */
  incoming?: IncomingCall
  trunkId: string | null
  /** Our number, and the other side's. */
  from: string
  to: string
  agentName: string
  branchId: string | null
  language: string
  prompt: string
  greeting: string
  contactName: string | null
  contactEmail: string | null
  timezone: string
  attempt: number
  retry: RetryPolicy
  voicemail: VoicemailPlan
  /** Whom the agent puts people through to. */
  transferTo: string | null
  /** Dialled this much later than it was scheduled. */
  lateMs: number
}

export type Refusal = { row: CandidateRow; code: 'do_not_disturb' | 'insufficient_credits'; message: string }

/** Do-not-call first, then credits, oldest call first (decisions 3). */
export function judgeCandidates(
  rows: readonly CandidateRow[],
  free: ReadonlyMap<string, number>,
): { allowed: CandidateRow[]; refused: Refusal[] } {
  const left = new Map(free)
  const allowed: CandidateRow[] = []
  const refused: Refusal[] = []
  for (const row of rows) {
    const credits = left.get(row.organisation_id) ?? 0
    if (row.do_not_call) {
      refused.push({ row, code: 'do_not_disturb', message: 'The number is on the do-not-call list.' })
    } else if (credits < 1) {
      refused.push({ row, code: 'insufficient_credits', message: 'There was no credit left when the call was due.' })
    } else {
      left.set(row.organisation_id, credits - 1)
      allowed.push(row)
    }
  }
  return { allowed, refused }
}

/**
 * Takes calls for this node: one transaction decides, marks, holds the credit and writes the events. When it returns, the
 * intent to dial is durable; when it fails, nobody dials. At most `realLines` of them are over trunks: whoever is dialled
 * without a line to carry the sound has failed already, so these wait.
 */
export function claimCalls(
  db: Database,
  nodeId: string,
  capacity: number,
  realLines = capacity,
): Promise<ClaimedCall[]> {
  return db.transaction(async (tx) => {
    const { lines, trunks } = await lockLines(tx, realLines > 0)
    const rows = lines.length > 0 ? await selectCandidates(tx, lines, trunks, capacity, realLines) : []
    if (rows.length === 0) return []
    const free = await freeCredits(tx, [...new Set(rows.map((row) => row.organisation_id))])
    const { allowed, refused } = judgeCandidates(rows, free)
    const triggered = await markInitiated(
      tx,
      allowed.map((row) => row.call_id),
      nodeId,
    )
    await holdCredits(
      tx,
      allowed.map((row) => ({ organisationId: row.organisation_id, callId: row.call_id })),
    )
    const dialled = allowed.flatMap((row) => row.trunk_id ?? [])
    if (dialled.length > 0) await noteDials(tx, dialled)
    const refusals = refused.map(({ row, code, message }) => ({ callId: row.call_id, code, message }))
    const ended = refusals.length > 0 ? await markDisallowed(tx, refusals) : new Map<string, Date>()
    await recordEvents(tx, [
      ...allowed.map((row) => {
        const call = { ...toRecord(row), triggeredAt: triggered.get(row.call_id) ?? null }
        return callEvent(call, row.organisation_id, 'initiated')
      }),
      ...refused.map(({ row, code }) => {
        const call = { ...toRecord(row), errorCode: code, completedAt: ended.get(row.call_id) ?? null }
        return callEvent(call, row.organisation_id, 'disallowed')
      }),
    ])
    return allowed.map((row) => toClaimed(row, triggered.get(row.call_id) ?? row.scheduled_at))
  })
}

/** The lines with calls waiting, and the places on the trunks behind them. A line whose trunk another node fills waits. */
async function lockLines(
  tx: Queryable,
  hasRealLines: boolean,
): Promise<{ lines: string[]; trunks: Map<string, number> }> {
  const all = await lockWaitingLines(tx)
  const waiting = hasRealLines ? all : all.filter(({ trunkId }) => trunkId === null)
  const wanted = [...new Set(waiting.flatMap((line) => line.trunkId ?? []))]
  const locked = wanted.length > 0 ? await lockTrunks(tx, wanted) : []
  const trunks = locked.length > 0 ? await countTrunkPlaces(tx, locked) : new Map<string, number>()
  const usable = waiting.filter(({ trunkId }) => trunkId === null || (trunks.get(trunkId) ?? 0) > 0)
  return { lines: usable.map((line) => line.phoneNumberId), trunks }
}

const toRecord = (row: CandidateRow): CallRecord => ({
  callId: row.call_id,
  agentId: row.agent_id,
  agentName: row.agent_name,
  status: 'initiated',
  direction: 'outbound',
  contactNumber: row.contact_number,
  contactName: row.contact_name,
  contactEmail: row.contact_email,
  preferredLanguage: row.preferred_language,
  additionalInfo: row.additional_info,
  scheduledAt: row.scheduled_at,
  triggeredAt: null,
  answeredAt: null,
  completedAt: null,
  cancelledAt: null,
  durationSeconds: null,
  attempt: row.attempt,
  followsCallId: null,
  scheduledCallId: null,
  creditsConsumed: null,
  recorded: null,
  analytics: null,
  extractedDetails: null,
  errorCode: null,
  errorMessage: null,
  createdAt: row.scheduled_at,
  updatedAt: row.scheduled_at,
})

export const voicemailPlan = (
  row: Pick<CandidateRow, 'voicemail_action' | 'voicemail_message'>,
  fill: (template: string) => string,
): VoicemailPlan =>
  row.voicemail_action === 'leave_message'
    ? { action: 'leave_message', message: fill(row.voicemail_message ?? '') }
    : { action: 'hang_up' }

function toClaimed(row: CandidateRow, triggeredAt: Date): ClaimedCall {
  const values = {
    userName: row.contact_name,
    userNumber: row.contact_number,
    userEmail: row.contact_email,
    additionalInfo: row.additional_info,
  }
  return {
    callId: row.call_id,
    organisationId: row.organisation_id,
    carrier: row.carrier,
    trunkId: row.trunk_id,
    from: row.from_number,
    to: row.contact_number,
    agentName: row.agent_name,
    branchId: row.branch_id,
    language: row.preferred_language ?? row.agent_language,
    prompt: fillPlaceholders(row.prompt, values),
    greeting: fillPlaceholders(row.greeting, values),
    contactName: row.contact_name,
    contactEmail: row.contact_email,
    timezone: row.timezone,
    attempt: row.attempt,
    retry: { maxAttempts: row.retry_max_attempts, delayMs: Number(row.retry_delay_ms), on: row.retry_on },
    voicemail: voicemailPlan(row, (text) => fillPlaceholders(text, values)),
    transferTo: row.transfer_to,
    lateMs: triggeredAt.getTime() - row.scheduled_at.getTime(),
  }
}
