import { withinTime } from '../platform/within-time.ts'
import type {
  Brain,
  BrainContext,
  BrainStep,
  Ending,
  HistoryItem,
  SpeechLink,
  ToolName,
  ToolResult,
  Tools,
  ToolUse,
  TransferOutcome,
  Utterance,
} from './ports.ts'
import type { VoicemailPlan } from './voicemail.ts'

export type ConversationLimits = {
  /** How long the callee may say nothing before it counts as silence. */
  silenceSeconds: number
  maxSeconds: number
  /** Real time a brain has for one turn, and a tool for its work. */
  turnMs: number
  toolMs: number
  /** How long the person who is to take over may take to answer. */
  transferMs: number
}
export const usualLimits: ConversationLimits = {
  silenceSeconds: 8,
  maxSeconds: 900,
  turnMs: 20_000,
  toolMs: 10_000,
  transferMs: 25_000,
}

/** Really puts the callee through. `refusedWords`: what they are told when nobody took them. */
export type Transfer = { start(signal: AbortSignal): Promise<TransferOutcome>; refusedWords: string }

export type ConversationParts = {
  link: SpeechLink
  brain: Brain
  tools: Tools
  context: BrainContext
  limits: ConversationLimits
  /** What is done about a machine that answers; hanging up when absent. */
  voicemail?: VoicemailPlan
  /** Absent: nobody can be reached from this leg, and "transferred" is what the call is reported as. */
  transfer?: Transfer | undefined
  /** Told of every utterance the moment it was said. */
  onUtterance(utterance: Utterance): void
  /** Aborted when the leg has ended or the node stops. */
  signal: AbortSignal
}

/** The brain threw, fell silent or would not stop: the call cannot go on. */
export class BrainFailed extends Error {
  override readonly name = 'BrainFailed'
}

const mostSaysInTurn = 20
const mostToolsInARow = 8

/** The agent's turn: steps until it hands over to the callee (null) or the talk has ended. */
export async function takeTurn(
  parts: ConversationParts,
  history: HistoryItem[],
  note: (utterance: Utterance) => void,
  toolUses: ToolUse[],
): Promise<Ending | null> {
  const { link, context, signal } = parts
  for (let tools = 0; tools <= mostToolsInARow; tools += 1) {
    let says = 0
    let tool: { name: ToolName; args: unknown } | null = null
    for await (const step of stepsOf(parts, history)) {
      if (signal.aborted) return 'hung_up_by_callee'
      if ('tool' in step) {
        tool = { name: step.tool, args: step.args }
        break
      }
      says += 1
      if (says > mostSaysInTurn) throw new BrainFailed('It would not stop talking.')
      const said = await link.say(step.say, context.language, signal)
      if (said.heard !== '') {
        history.push({ role: 'agent', text: said.heard })
        note({ speaker: 'agent', text: said.heard, timestamp: said.startedAt })
      }
      // Interrupted: what comes next depends on what the callee says.
      if (said.interrupted || (said.heard !== '' && said.heard !== step.say)) return null
    }
    if (!tool) {
      // They hung up while a tool was at work.
      if (signal.aborted) return 'hung_up_by_callee'
      if (says === 0) throw new BrainFailed('It had nothing to say.')
      return null
    }
    const used = await useTool(parts, tool.name, tool.args)
    const isTransfer = tool.name === 'transfer_to_human' && used.ok
    const result = isTransfer ? await putThrough(parts, used, note) : used
    toolUses.push({ ...tool, result })
    history.push({ role: 'tool', ...tool, result })
    if (tool.name === 'end_call') return endingFor(tool.args)
    if (isTransfer && result.ok) return 'transferred'
  }
  throw new BrainFailed('It used tools without end.')
}

/** The sentence first: once the carrier acts, nobody hears us. Refused, it is a failure like any tool's: the talk goes on. */
async function putThrough(
  parts: ConversationParts,
  used: ToolResult,
  note: (utterance: Utterance) => void,
): Promise<ToolResult> {
  const { link, context, signal, transfer, limits } = parts
  const said = await link.say(used.message, context.language, signal)
  if (said.heard !== '') note({ speaker: 'agent', text: said.heard, timestamp: said.startedAt })
  if (!transfer) return used
  const outcome = await within(parts, limits.transferMs, transfer.start)
  return outcome === 'transferred' ? used : { ok: false, message: transfer.refusedWords }
}

const endingFor = (args: unknown): Ending =>
  (args as { reason?: string } | null)?.reason === 'no_response' ? 'silence' : 'finished'

/** A brain that hangs is left behind after its time: waiting for it must not depend on it. */
async function* stepsOf(parts: ConversationParts, history: readonly HistoryItem[]): AsyncGenerator<BrainStep> {
  const turn = new AbortController()
  const signal = AbortSignal.any([parts.signal, turn.signal])
  let steps: AsyncIterator<BrainStep> | undefined
  try {
    steps = parts.brain.turn(parts.context, history, parts.tools, signal)[Symbol.asyncIterator]()
    for (;;) {
      const next = await withLimit(steps.next(), parts.limits.turnMs, parts.signal)
      if (next === 'aborted' || next.done) return
      yield next.value
    }
  } catch (error) {
    if (parts.signal.aborted) return
    throw error instanceof BrainFailed ? error : new BrainFailed('It threw an error.', { cause: error })
  } finally {
    turn.abort()
    // Not awaited: a generator stuck in an await would never return.
    steps?.return?.().then(undefined, () => {})
  }
}

async function withLimit<T>(work: Promise<T>, limitMs: number, signal: AbortSignal): Promise<T | 'aborted'> {
  work.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  let onAbort = () => {}
  try {
    return await Promise.race([
      work,
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new BrainFailed('It took too long.')), limitMs)
      }),
      new Promise<'aborted'>((resolve) => {
        onAbort = () => resolve('aborted')
        if (signal.aborted) onAbort()
        else signal.addEventListener('abort', onAbort, { once: true })
      }),
    ])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

const trouble: ToolResult = { ok: false, message: 'I am sorry, that did not work.' }

/** A tool that fails, hangs or is not there is told to the brain as a result; the call goes on. */
async function useTool(parts: ConversationParts, name: ToolName, args: unknown): Promise<ToolResult> {
  const tool = parts.tools[name]
  if (!tool) return name === 'end_call' ? { ok: true, message: '' } : trouble
  return (await within(parts, parts.limits.toolMs, (signal) => tool.run(args, signal))) ?? trouble
}

/** Null when it fails, or does not come to an end before its time or the talk's. */
async function within<T>(
  { signal }: ConversationParts,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  return withinTime(limitMs, signal, work).catch(() => null)
}
