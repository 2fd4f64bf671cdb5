import type { Storage } from '../media/ports.ts'
import { recordingKey } from '../media/removals.service.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics.ts'
import { phoneFault } from '../platform/phone.ts'
import { withinTime } from '../platform/within-time.ts'
import { type ConversationResult, converse } from '../voice/conversation.ts'
import type { Analyst, Brain, CallLeg, LegEnd } from '../voice/ports.ts'
import { BrainFailed, type ConversationLimits } from '../voice/turn.ts'
import { bookingTools } from './booking-tools.ts'
import { keepRecording } from './call-recording.ts'
import { type CallResult, failedResult, resultOfLeg } from './call-result.ts'
import { type ToolState, toolsFor } from './call-tools.ts'
import type { CallWriter } from './call-writer.ts'
import type { ClaimedCall } from './claim-calls.ts'
import { type ConnectDeps, connectCall } from './connect-call.ts'
import { transferOf } from './transfer.ts'

export type RunCallDeps = ConnectDeps & {
  db: Database
  clock: Clock
  storage: Storage
  metrics: Pick<Metrics, 'turnDelaySeconds'>
  /** One brain per call: it may keep what it learnt in it. */
  createBrain(): Brain
  analyst: Analyst
  limits: ConversationLimits
  analysisMs: number
}

/** From the committed intent to the reported outcome. Never throws: whatever happens, the call ends in the database. */
export async function runCall(
  deps: RunCallDeps,
  call: ClaimedCall,
  writer: CallWriter,
  stop: AbortSignal,
): Promise<void> {
  const result = await carryCall(deps, call, writer, stop).catch((error: unknown): CallResult => {
    deps.log.error({ err: error, call_id: call.callId }, 'a call failed for a reason of ours')
    return failedResult('agent_error', 'Something went wrong on our side during the call.')
  })
  const isOurs = await writer.end(result)
  // Somebody else ended the call meanwhile, without a recording.
  if (!isOurs && result.recorded)
    await deps.storage.remove(recordingKey(call.organisationId, call.callId)).catch(() => {})
  await reportOutcome(deps, call, writer, result, stop)
}

async function carryCall(
  deps: RunCallDeps,
  call: ClaimedCall,
  writer: CallWriter,
  stop: AbortSignal,
): Promise<CallResult> {
  const connected = await connectCall(deps, call, stop)
  if ('error' in connected) return connected
  try {
    const result = await followLeg(deps, call, connected, writer, stop)
    // The end first: a store that is slow must not keep the line open.
    await connected.hangup().catch(() => {})
    return { ...result, recorded: result.answered ? await keepRecording(deps, call, connected) : null }
  } finally {
    await connected.hangup().catch(() => {})
  }
}

async function followLeg(
  deps: RunCallDeps,
  call: ClaimedCall,
  leg: CallLeg,
  writer: CallWriter,
  stop: AbortSignal,
): Promise<CallResult> {
  const over = new AbortController()
  const state: ToolState = { callbackAt: null, hold: null }
  let talk: Promise<ConversationResult | BrainFailed> | null = null
  let end: LegEnd | null = null
  const hangUp = () => void leg.hangup().catch(() => {})
  const onStop = () => {
    over.abort()
    hangUp()
  }
  stop.addEventListener('abort', onStop, { once: true })
  writer.onLost(onStop)
  // A leg that never answers and never ends would hold its line for ever.
  const patience = setTimeout(onStop, (deps.ringSeconds + 30) * 1_000)
  try {
    for await (const event of leg.events) {
      if (event.type === 'ringing') writer.ring()
      if (event.type !== 'ended') noteTrace(leg, writer)
      if (event.type === 'answered' && !talk) {
        clearTimeout(patience)
        writer.answer()
        talk = startTalk(deps, call, leg, writer, state, over.signal)
        // When the talk is over the agent hangs up, and the leg reports its end.
        talk.then(hangUp, hangUp)
      }
      if (event.type === 'ended') {
        end = event.end
        break
      }
    }
  } catch (err) {
    deps.log.warn({ err, call_id: call.callId }, 'the carrier stopped telling about a call')
    end = { reason: 'line_dropped', by: 'carrier' }
  } finally {
    clearTimeout(patience)
    stop.removeEventListener('abort', onStop)
    over.abort()
  }
  const outcome = talk ? await talk : null
  return resultOfLeg({
    end,
    outcome,
    seconds: leg.speech.seconds(),
    stopped: stop.aborted,
    callbackAt: state.callbackAt,
    hold: state.hold,
  })
}

function noteTrace(leg: CallLeg, writer: CallWriter): void {
  const trace = leg.trace?.()
  if (trace) writer.trace(trace)
}

/** How long the other side waited, for the call's page and for the operator. */
function measureTurns({ metrics }: RunCallDeps, leg: CallLeg, writer: CallWriter): void {
  leg.onTurnDelay?.((delay) => {
    writer.turn(delay, leg.speech.seconds())
    for (const [part, ms] of Object.entries(delay)) metrics.turnDelaySeconds.observe({ part }, ms / 1_000)
  })
}

function startTalk(
  deps: RunCallDeps,
  call: ClaimedCall,
  leg: CallLeg,
  writer: CallWriter,
  state: ToolState,
  signal: AbortSignal,
): Promise<ConversationResult | BrainFailed> {
  const now = deps.clock.now()
  const { branchId } = call
  measureTurns(deps, leg, writer)
  const booking = branchId === null ? null : bookingTools(deps, { ...call, branchId }, state)
  return converse({
    link: leg.speech,
    brain: deps.createBrain(),
    tools: toolsFor(state, () => deps.clock.now(), {
      booking,
      canCallBack: phoneFault(call.to) === null,
      language: call.language,
    }),
    transfer: transferOf(deps, call, leg),
    context: {
      agentName: call.agentName,
      language: call.language,
      prompt: call.prompt,
      greeting: call.greeting,
      contactName: call.contactName,
      timezone: call.timezone,
      now,
    },
    limits: deps.limits,
    voicemail: call.voicemail,
    onUtterance: (utterance) => writer.utterance(utterance),
    signal,
  }).catch((error: unknown) => {
    if (error instanceof BrainFailed) return error
    throw error
  })
}

/** Within its time, or without: call.completed never waits longer (decisions 3). Writes nothing for a call that was lost. */
async function reportOutcome(
  deps: RunCallDeps,
  call: ClaimedCall,
  writer: CallWriter,
  result: CallResult,
  stop: AbortSignal,
): Promise<void> {
  const talk = result.conversation
  if (!talk) return
  const input = {
    agentName: call.agentName,
    contactName: call.contactName,
    language: call.language,
    ending: talk.ending,
    durationSeconds: result.durationSeconds ?? 0,
    transcript: talk.transcript,
    toolUses: talk.toolUses,
  }
  const analysis = await withinTime(deps.analysisMs, stop, (signal) => deps.analyst.analyse(input, signal)).catch(
    (error: unknown) => {
      deps.log.warn({ err: error, call_id: call.callId }, 'analysis failed; the outcome is reported without it')
      return null
    },
  )
  await writer.report(analysis)
}
