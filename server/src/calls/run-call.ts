import type { Trunk } from '../agents/trunk.ts'
import type { Storage } from '../media/ports.ts'
import { recordingKey } from '../media/removals.service.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { phoneFault } from '../platform/phone.ts'
import { type ConversationResult, converse } from '../voice/conversation.ts'
import {
  type Analyst,
  type Brain,
  type CallLeg,
  DialRefused,
  type IncomingCall,
  type LegEnd,
  type Telephony,
} from '../voice/ports.ts'
import { BrainFailed, type ConversationLimits } from '../voice/turn.ts'
import { bookingTools } from './booking-tools.ts'
import { keepRecording } from './call-recording.ts'
import { type CallResult, resultOfDialError, resultOfLeg } from './call-result.ts'
import { type ToolState, toolsFor } from './call-tools.ts'
import type { CallWriter } from './call-writer.ts'
import type { ClaimedCall } from './claim-calls.ts'

export type RunCallDeps = {
  db: Database
  clock: Clock
  log: Log
  storage: Storage
  metrics: Pick<Metrics, 'turnDelaySeconds'>
  /** By carrier; a carrier without an adapter cannot dial. */
  telephony: Partial<Record<string, Telephony>>
  /** With its password, as it is at this moment. */
  openTrunk(organisationId: string, trunkId: string): Promise<Trunk | null>
  /** One brain per call: it may keep what it learnt in it. */
  createBrain(): Brain
  analyst: Analyst
  limits: ConversationLimits
  ringSeconds: number
  dialMs: number
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

const failedResult = (code: string, message: string): CallResult => ({
  error: { code, message },
  answered: false,
  durationSeconds: null,
  conversation: null,
  callbackAt: null,
  recorded: null,
  hold: null,
})

async function carryCall(
  deps: RunCallDeps,
  call: ClaimedCall,
  writer: CallWriter,
  stop: AbortSignal,
): Promise<CallResult> {
  const connected = call.incoming
    ? await accept(call.incoming, call.trunkId ?? '', deps, stop)
    : await connect(deps, call, stop)
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

async function connect(deps: RunCallDeps, call: ClaimedCall, stop: AbortSignal): Promise<CallLeg | CallResult> {
  const telephony = deps.telephony[call.carrier]
  if (!telephony) return failedResult('carrier_error', `There is no connection to the carrier ${call.carrier}.`)
  return dial(deps, telephony, call, stop).catch((error: unknown) => {
    logRefusal(deps.log, call, error)
    return resultOfDialError(error, stop.aborted)
  })
}

/** Why a real line could not be had, for the operator; whose number it was stays out of the log. */
function logRefusal(log: Log, { carrier, callId }: ClaimedCall, error: unknown): void {
  if (carrier === 'simulator' || (error instanceof DialRefused && error.reason !== 'carrier_error')) return
  const words = error instanceof Error ? error.message.replace(/\+?\d{7,}/g, '…') : ''
  log.warn({ call_id: callId, carrier, words }, 'a call could not be placed')
}

async function accept(
  incoming: IncomingCall,
  trunkId: string,
  { log }: RunCallDeps,
  stop: AbortSignal,
): Promise<CallLeg | CallResult> {
  try {
    return await incoming.accept(trunkId)
  } catch (err) {
    if (stop.aborted) return failedResult('node_lost', 'The node carrying the call went away.')
    if (incoming.signal.aborted) return failedResult('no_answer', 'The caller hung up before the call was answered.')
    log.error({ err }, 'a call that came in could not be answered')
    return failedResult('agent_error', 'The call could not be answered.')
  }
}

async function trunkOf(deps: RunCallDeps, organisationId: string, trunkId: string): Promise<Trunk> {
  const trunk = await deps.openTrunk(organisationId, trunkId).catch(() => null)
  // Nobody was asked yet: this surely did not ring.
  if (!trunk) throw new DialRefused('carrier_error', 'The trunk of this number cannot be read.')
  return trunk
}

/** A carrier that neither takes the call nor refuses it: after a while nobody knows, and nobody dials again. */
async function dial(deps: RunCallDeps, telephony: Telephony, call: ClaimedCall, stop: AbortSignal): Promise<CallLeg> {
  const trunk = call.trunkId === null ? undefined : await trunkOf(deps, call.organisationId, call.trunkId)
  const limit = AbortSignal.timeout(deps.dialMs)
  const signal = AbortSignal.any([limit, stop])
  const dialling = telephony.dial(
    { callId: call.callId, from: call.from, to: call.to, ringSeconds: deps.ringSeconds, trunk },
    signal,
  )
  // Should it come through after all, nobody is there to talk.
  dialling.then((leg) => (signal.aborted ? leg.hangup() : undefined)).catch(() => {})
  return Promise.race([
    dialling,
    new Promise<never>((_resolve, reject) => {
      const fail = () => reject(new Error('The carrier did not say whether it took the call.'))
      if (signal.aborted) fail()
      else signal.addEventListener('abort', fail, { once: true })
    }),
  ])
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
    tools: toolsFor(state, () => deps.clock.now(), { booking, canCallBack: phoneFault(call.to) === null }),
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
  const limit = AbortSignal.any([AbortSignal.timeout(deps.analysisMs), stop])
  const analysis = await Promise.race([
    deps.analyst.analyse(input, limit),
    new Promise<null>((resolve) => {
      if (limit.aborted) resolve(null)
      limit.addEventListener('abort', () => resolve(null), { once: true })
    }),
  ]).catch((error: unknown) => {
    deps.log.warn({ err: error, call_id: call.callId }, 'analysis failed; the outcome is reported without it')
    return null
  })
  await writer.report(analysis)
}
