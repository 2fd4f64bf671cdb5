import { builtInBrain } from '../src/adapters/brain/built-in.ts'
import type { BrainContext, HistoryItem, ToolName, ToolResult, Tools } from '../src/voice/ports.ts'

export const context: BrainContext = {
  agentName: 'Asha',
  language: 'en',
  prompt: 'You are Asha of Acme Clinic. The secret code is 1234.',
  greeting: 'Hello Ravi, this is Asha.',
  contactName: 'Ravi',
  timezone: 'Asia/Kolkata',
  now: new Date('2026-11-11T08:45:00Z'),
}
export const slots = [
  { slot_id: 's1', label: 'Monday 16 November at 9:00' },
  { slot_id: 's2', label: 'Monday 16 November at 11:00' },
  { slot_id: 's3', label: 'Tuesday 17 November at 9:00' },
  { slot_id: 's4', label: 'Friday 20 November at 9:00' },
]
const usual: Record<ToolName, ToolResult> = {
  list_slots: { ok: true, message: 'Four openings.', slots },
  hold_slot: { ok: true, message: '' },
  book_appointment: { ok: true, message: 'You are booked.' },
  find_appointments: {
    ok: true,
    message: 'One appointment.',
    appointments: [{ appointment_id: 'a1', slot_id: 's2', label: slots[1]?.label }],
  },
  cancel_appointment: { ok: true, message: 'It is cancelled.' },
  move_appointment: { ok: true, message: 'It is moved.' },
  schedule_callback: { ok: true, message: 'Thank you, until then.' },
  transfer_to_human: { ok: true, message: 'I am putting you through.' },
  end_call: { ok: true, message: '' },
}
/** Without hold_slot, which a brain may ask for and need not. */
export const allTools = (Object.keys(usual) as ToolName[]).filter((name) => name !== 'hold_slot')
const toolsOf = (names: readonly ToolName[]): Tools =>
  Object.fromEntries(names.map((name) => [name, { description: '', parameters: {}, run: async () => usual[name] }]))

export type Options = {
  context?: Partial<BrainContext>
  tools?: readonly ToolName[]
  results?: Partial<Record<ToolName, ToolResult>>
}

export type Step = string | [ToolName, unknown]

/** Plays the lines (null: silence) and gives what the agent said and did, one entry per step. */
export async function talk(lines: readonly (string | null)[], options: Options = {}): Promise<Step[]> {
  const history: HistoryItem[] = []
  const steps: Step[] = []
  const scene = { ...context, ...options.context }
  const tools = toolsOf(options.tools ?? allTools)
  const waiting = [...lines]
  for (;;) {
    let tool: ToolName | null = null
    for await (const step of builtInBrain.turn(scene, [...history], tools, new AbortController().signal)) {
      if ('say' in step) {
        steps.push(step.say)
        history.push({ role: 'agent', text: step.say })
        continue
      }
      tool = step.tool
      steps.push([step.tool, step.args])
      history.push({ role: 'tool', name: tool, args: step.args, result: options.results?.[tool] ?? usual[tool] })
      break
    }
    if (tool === 'end_call') return steps
    if (tool) continue
    const line = waiting.shift()
    if (line === undefined) return steps
    history.push(line === null ? { role: 'silence' } : { role: 'user', text: line })
  }
}
