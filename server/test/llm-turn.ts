import { createLlmBrain, type LlmBrainOptions } from '../src/adapters/brain/llm.ts'
import { LlmFailed } from '../src/adapters/brain/llm-failed.ts'
import type { BrainContext, BrainStep, HistoryItem, Tool, Tools } from '../src/voice/ports.ts'

export const context: BrainContext = {
  agentName: 'Asha',
  language: 'en',
  prompt: 'Book a check-up.',
  greeting: 'Hello Ravi, this is Asha.',
  contactName: 'Ravi',
  timezone: 'Asia/Kolkata',
  now: new Date('2026-11-15T09:30:00Z'),
}
export const history: HistoryItem[] = [
  { role: 'agent', text: 'Hello Ravi, this is Asha.' },
  { role: 'user', text: 'Hello?' },
]
const offer = (...required: string[]): Tool => ({
  description: 'A tool.',
  parameters: { type: 'object', properties: {}, required },
  run: async () => ({ ok: true, message: '' }),
})
export const tools: Tools = { list_slots: offer(), book_appointment: offer('slot_id'), end_call: offer() }

/** The second turn of a call. Limits are far away unless the test is about them. */
export function secondTurn(options: Partial<LlmBrainOptions> & { url: string; signal?: AbortSignal }) {
  const { signal = new AbortController().signal, ...more } = options
  const brain = createLlmBrain({ key: 'sk-secret', model: 'small', firstTokenMs: 300_000, turnMs: 300_000, ...more })
  return brain.turn(context, history, tools, signal)
}

export type Outcome = { steps: BrainStep[]; failed?: string; error?: unknown }
/** The steps of a turn, and what it failed of. */
export async function outcomeOf(turn: AsyncIterable<BrainStep>): Promise<Outcome> {
  const steps: BrainStep[] = []
  try {
    for await (const step of turn) steps.push(step)
    return { steps }
  } catch (error) {
    return { steps, failed: error instanceof LlmFailed ? error.code : String(error), error }
  }
}
