import type { Trunk } from '../agents/trunk.ts'
import type { Log } from '../platform/log.ts'
import { withinTime } from '../platform/within-time.ts'
import { type CallLeg, DialRefused, type IncomingCall, type Telephony } from '../voice/ports.ts'
import { type CallResult, failedResult, resultOfDialError } from './call-result.ts'
import type { ClaimedCall } from './claim-calls.ts'

export type ConnectDeps = {
  log: Log
  /** By carrier; a carrier without an adapter cannot dial. */
  telephony: Partial<Record<string, Telephony>>
  /** With its password, as it is at this moment. */
  openTrunk(organisationId: string, trunkId: string): Promise<Trunk | null>
  ringSeconds: number
  dialMs: number
}

/** A leg to talk on, dialled or taken; or how the call came out without one. */
export async function connectCall(
  deps: ConnectDeps,
  call: ClaimedCall,
  stop: AbortSignal,
): Promise<CallLeg | CallResult> {
  if (call.incoming) return accept(call.incoming, call.trunkId ?? '', deps, stop)
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
  { log }: ConnectDeps,
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

async function trunkOf(deps: ConnectDeps, organisationId: string, trunkId: string): Promise<Trunk> {
  const trunk = await deps.openTrunk(organisationId, trunkId).catch(() => null)
  // Nobody was asked yet: this surely did not ring.
  if (!trunk) throw new DialRefused('carrier_error', 'The trunk of this number cannot be read.')
  return trunk
}

/** A carrier that neither takes the call nor refuses it: after a while nobody knows, and nobody dials again. */
async function dial(deps: ConnectDeps, telephony: Telephony, call: ClaimedCall, stop: AbortSignal): Promise<CallLeg> {
  const trunk = call.trunkId === null ? undefined : await trunkOf(deps, call.organisationId, call.trunkId)
  return withinTime(deps.dialMs, stop, (signal) => {
    const dialling = telephony.dial(
      { callId: call.callId, from: call.from, to: call.to, ringSeconds: deps.ringSeconds, trunk },
      signal,
    )
    // Should it come through after all, nobody is there to talk.
    dialling.then((leg) => (signal.aborted ? leg.hangup() : undefined)).catch(() => {})
    return dialling
  })
}
