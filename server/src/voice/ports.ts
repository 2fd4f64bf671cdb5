import type { CallAnalytics } from '@parley/contract/calls'
import type { Trunk } from '../agents/trunk.ts'
import type { TurnDelay } from './turn-delay.ts'

/**
 * What a call needs from the outside. Adapters stand behind these; the conversation knows nothing else. Seconds are call
 * seconds: real ones on a real line, simulated ones on the simulator.
 */

export type DialRequest = {
  callId: string
  /** E.164 of ours, shown to the callee. */
  from: string
  to: string
  /** How long it may ring before it counts as not answered. */
  ringSeconds: number
  /** The organisation's own connection to the carrier, where it has one. */
  trunk?: Trunk | undefined
}

export type LegEndReason = 'busy' | 'no_answer' | 'invalid_number' | 'carrier_error' | 'hangup' | 'line_dropped'
export type LegEnd = { reason: LegEndReason; by: 'callee' | 'agent' | 'carrier' }
export type LegEvent = { type: 'ringing' } | { type: 'answered' } | { type: 'ended'; end: LegEnd }

export type CallLeg = {
  /** Every change of the leg, `ended` last. A carrier may skip ringing. */
  events: AsyncIterable<LegEvent>
  speech: SpeechLink
  /** Safe to repeat, also after the end. */
  hangup(): Promise<void>
  /**
   * Sends the other side on to another number. Refused also when the leg ends or the signal aborts before anybody took them;
   * then the talk can go on. Transferred: only hanging up is left. Absent: the carrier cannot do that.
   */
  transfer?(to: string, signal: AbortSignal): Promise<TransferOutcome>
  /** What was really heard, once it is over, as a stereo WAV; null when there was nothing. Absent: nobody recorded. */
  recording?(): Promise<Buffer | null>
  /** Who wants to know how long the callee waited for each of the agent's turns. */
  onTurnDelay?(listener: (delay: TurnDelay) => void): void
  /** What another node needs to end this leg, should this one die; null while there is nothing to end. */
  trace?(): LegTrace | null
}

export type TransferOutcome = 'transferred' | 'refused'

/** Kept with the call. What is in it is the adapter's affair, except whose it is. */
export type LegTrace = { carrier: string; trunkId: string; [more: string]: unknown }

/** Somebody calls one of our numbers. Whoever gets it accepts or refuses it. */
export type IncomingCall = {
  /** Whose call it may be: several organisations may have the same carrier. */
  trunkIds: readonly string[]
  /** As the carrier wrote them; `from` is empty for a hidden number. */
  from: string
  /** What may have been dialled, most likely first. */
  to: readonly string[]
  /** Aborted when the caller gives up. */
  signal: AbortSignal
  refuse(why: 'unknown_number' | 'no_agent' | 'busy' | 'unavailable'): void
  /** Answers. The leg's first event is `answered`, or its end. */
  accept(trunkId: string): Promise<CallLeg>
}

/** The carrier said no before anything rang. Any other rejection of `dial` means: nobody knows whether it rang. */
export class DialRefused extends Error {
  override readonly name = 'DialRefused'
  readonly reason: Exclude<LegEndReason, 'hangup' | 'line_dropped'>
  constructor(reason: Exclude<LegEndReason, 'hangup' | 'line_dropped'>, message: string) {
    super(message)
    this.reason = reason
  }
}

export type Telephony = {
  /** Asks the carrier once. Resolves when the carrier has taken the call on, before it rings. */
  dial(request: DialRequest, signal: AbortSignal): Promise<CallLeg>
  /** Begins to take calls in; whoever listens accepts or refuses them. Absent: nobody can call us this way. */
  onIncoming?(listener: (call: IncomingCall) => void): void
  /** Ends a leg of a node that has died, as far as that can be done. */
  endLost?(trace: LegTrace, trunk: Trunk | null): Promise<void>
  /** How many calls it can carry at once on this node. Absent: as many as the node. */
  capacity?(): number
  close(): Promise<void>
}

/** Talking on a leg that has been answered. */
export type SpeechLink = {
  /** Speaks. Resolves when it was played, was interrupted, or the line has gone, with the words really heard. */
  say(text: string, language: string, signal: AbortSignal): Promise<Said>
  /** Waits until the callee has said something, has been silent for so long, or the line has gone. */
  listen(options: { silenceSeconds: number }, signal: AbortSignal): Promise<Heard>
  /** Seconds since the answer. */
  seconds(): number
}
/** `interrupted`: the callee took the floor, perhaps before the first word. */
export type Said = { heard: string; startedAt: number; interrupted?: boolean }
export type Heard =
  | { type: 'speech'; text: string; startedAt: number }
  /** The tone of a voicemail. */
  | { type: 'beep' }
  | { type: 'silence' }
  | { type: 'gone' }

export const sampleRate = 8_000

export type Voice = { language: string; speaker: 'agent' | 'callee' }

/** 16-bit mono samples at 8 kHz. */
export type TextToSpeech = {
  speaks(language: string): boolean
  say(text: string, voice: Voice, signal: AbortSignal): AsyncIterable<Int16Array>
}

/** Is somebody speaking in these 20 ms? One for each line: it learns the line's noise. */
export type VoiceActivity = { isVoice(frame: Int16Array): boolean; close(): void }
export type VoiceDetector = { open(): VoiceActivity }

export type Transcript = { text: string; final: boolean }
/**
 * Words of one stretch of speech: the audio ends where the speaker pauses. Every transcript replaces those before it; the
 * last one is final, and empty when there were no words. What is not final may come or not.
 */
export type SpeechToText = {
  understands(language: string): boolean
  transcribe(audio: AsyncIterable<Int16Array>, language: string, signal: AbortSignal): AsyncIterable<Transcript>
}

/** Who the agent is and whom it calls; prompt and greeting have their placeholders filled. */
export type BrainContext = {
  agentName: string
  language: string
  prompt: string
  greeting: string
  contactName: string | null
  /** The branch's zone, or the organisation's: what "tomorrow at ten" means. */
  timezone: string
  now: Date
}

export type HistoryItem =
  | { role: 'agent'; text: string }
  | { role: 'user'; text: string }
  /** The callee said nothing when it was their turn. */
  | { role: 'silence' }
  | { role: 'tool'; name: ToolName; args: unknown; result: ToolResult }

export type BrainStep = { say: string } | { tool: ToolName; args: unknown }

/**
 * Decides what comes next. The first turn has an empty history and speaks the greeting. A turn ends after its first tool:
 * the result is added to the history and the brain has its next turn at once.
 */
export type Brain = {
  turn(
    context: BrainContext,
    history: readonly HistoryItem[],
    tools: Tools,
    signal: AbortSignal,
  ): AsyncIterable<BrainStep>
}

export type ToolName =
  | 'list_slots'
  | 'hold_slot'
  | 'book_appointment'
  | 'find_appointments'
  | 'cancel_appointment'
  | 'move_appointment'
  | 'schedule_callback'
  | 'transfer_to_human'
  | 'end_call'
/** `message` is for the callee's ears, in plain words; the rest is for programs. */
export type ToolResult = { ok: boolean; message: string; [more: string]: unknown }
export type Tool = {
  description: string
  /** JSON Schema of the arguments, as chat-completions endpoints take it. */
  parameters: Record<string, unknown>
  run(args: unknown, signal: AbortSignal): Promise<ToolResult>
}
/** A tool that is missing is not offered in this call (no branch: no booking). */
export type Tools = Partial<Record<ToolName, Tool>>

/** How the talk ended, told by the conversation. */
export type Ending =
  /** The agent said goodbye and hung up. */
  'finished' | 'hung_up_by_callee' | 'silence' | 'transferred' | 'voicemail' | 'time_limit' | 'line_dropped'

export type Utterance = { speaker: 'agent' | 'user'; text: string; timestamp: number }
export type ToolUse = { name: ToolName; args: unknown; result: ToolResult }

export type AnalysisInput = {
  agentName: string
  contactName: string | null
  language: string
  ending: Ending
  durationSeconds: number
  transcript: readonly Utterance[]
  toolUses: readonly ToolUse[]
}
export type Analysis = { analytics: CallAnalytics; extractedDetails: Record<string, unknown> }
export type Analyst = { analyse(input: AnalysisInput, signal: AbortSignal): Promise<Analysis> }
