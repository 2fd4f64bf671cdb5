import { noRetry } from '../agents/agent.ts'
import { fillPlaceholders } from '../agents/placeholders.ts'
import { freeCredits, holdCredits } from '../credits/credits.service.ts'
import { announceChange } from '../platform/changes.ts'
import type { Database, Transaction } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import type { IncomingCall } from '../voice/ports.ts'
import { recordEvents } from '../webhooks/events.service.ts'
import type { CallRecord } from './call.ts'
import { callEvent } from './call-event.ts'
import { callerNumber, spellingsOf } from './caller-number.ts'
import type { ClaimedCall } from './claim-calls.ts'
import {
  type InboundCall,
  type InboundLine,
  insertInboundCall,
  isLineFree,
  lockInboundLine,
} from './receive-call.store.ts'

export type Received = { call: ClaimedCall } | { refused: Parameters<IncomingCall['refuse']>[0] }

const noLine = { code: 'busy', message: 'All lines of the number were in use.' }
const noCredit = { code: 'insufficient_credits', message: 'There was no credit left when the call came in.' }

/**
 * Judges a call that comes in, and stores what becomes of it before anybody answers (decision 0051). A number or an agent
 * that is not there leaves nothing behind; a call we had no line or no credit for is a call its owner should know of.
 */
export function receiveCall(db: Database, nodeId: string, incoming: IncomingCall): Promise<Received> {
  const contactNumber = callerNumber(incoming.from)
  return db.transaction(async (tx): Promise<Received> => {
    const spellings = [...new Set(incoming.to.flatMap(spellingsOf))]
    const line = spellings.length > 0 ? await lockInboundLine(tx, incoming.trunkIds, spellings) : null
    if (!line) return { refused: 'unknown_number' }
    if (line.agent_id === null) return { refused: 'no_agent' }
    const of = { line, agentId: line.agent_id, contactNumber }
    if (!(await isLineFree(tx, line))) {
      await store(tx, of, { status: 'failed', owner: null, error: noLine })
      return { refused: 'busy' }
    }
    const free = await freeCredits(tx, [line.organisation_id])
    if ((free.get(line.organisation_id) ?? 0) < 1) {
      await store(tx, of, { status: 'disallowed', owner: null, error: noCredit })
      return { refused: 'unavailable' }
    }
    const callId = await store(tx, of, { status: 'initiated', owner: nodeId, error: null })
    await holdCredits(tx, [{ organisationId: line.organisation_id, callId }])
    return { call: toClaimed(line, callId, contactNumber, incoming) }
  })
}

type Of = { line: InboundLine; agentId: string; contactNumber: string }

/** The row and its event. */
async function store(
  tx: Transaction,
  { line, agentId, contactNumber }: Of,
  fate: Pick<InboundCall, 'status' | 'owner' | 'error'>,
): Promise<string> {
  const callId = newId('call')
  const { organisation_id: organisationId, phone_number_id: phoneNumberId } = line
  const at = await insertInboundCall(tx, { callId, organisationId, agentId, phoneNumberId, contactNumber, ...fate })
  const record: CallRecord = {
    callId,
    agentId,
    agentName: line.agent_name,
    status: fate.status,
    direction: 'inbound',
    contactNumber,
    contactName: null,
    contactEmail: null,
    preferredLanguage: null,
    additionalInfo: null,
    scheduledAt: null,
    triggeredAt: at,
    answeredAt: null,
    completedAt: fate.error ? at : null,
    cancelledAt: null,
    durationSeconds: null,
    attempt: 1,
    followsCallId: null,
    scheduledCallId: null,
    creditsConsumed: null,
    recorded: null,
    analytics: null,
    extractedDetails: null,
    errorCode: fate.error?.code ?? null,
    errorMessage: fate.error?.message ?? null,
    createdAt: at,
    updatedAt: at,
  }
  await recordEvents(tx, [callEvent(record, organisationId, fate.status)])
  announceChange(tx, organisationId, 'calls')
  return callId
}

function toClaimed(line: InboundLine, callId: string, contactNumber: string, incoming: IncomingCall): ClaimedCall {
  const values = { userName: null, userNumber: contactNumber, userEmail: null, additionalInfo: null }
  return {
    callId,
    organisationId: line.organisation_id,
    carrier: 'sip',
    trunkId: line.trunk_id,
    incoming,
    from: line.number,
    to: contactNumber,
    agentName: line.agent_name,
    branchId: line.branch_id,
    language: line.agent_language,
    prompt: fillPlaceholders(line.prompt, values),
    greeting: fillPlaceholders(line.greeting, values),
    contactName: null,
    contactEmail: null,
    timezone: line.timezone,
    attempt: 1,
    // Whoever called us and did not get through calls again themselves.
    retry: noRetry,
    // Somebody who calls is no machine, though they may speak of leaving a message.
    voicemail: { action: 'ignore' },
    transferTo: line.transfer_to,
    lateMs: 0,
  }
}
