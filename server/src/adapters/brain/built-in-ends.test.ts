import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { BrainContext, BrainStep, HistoryItem, ToolName, ToolResult, Tools } from '../../voice/ports.ts'
import { builtInBrain } from './built-in.ts'
import { heardInEnglish } from './words/en.ts'
import { heardInHindi } from './words/hi.ts'

const mostTurns = 40
const toolNames: ToolName[] = [
  'list_slots',
  'hold_slot',
  'book_appointment',
  'find_appointments',
  'cancel_appointment',
  'move_appointment',
  'schedule_callback',
  'transfer_to_human',
]

const known = [...Object.values(heardInEnglish), ...Object.values(heardInHindi)].flatMap((words) =>
  words.split('|').map((phrase) => phrase.trim().replace(/^[=^]/, '')),
)
const times = [
  'in an hour',
  'tomorrow at ten',
  'kal subah das baje',
  'at 5',
  'next Monday',
  'एक घंटे बाद',
  'today at 3 pm',
]
const phrase = fc.oneof(
  fc.constantFrom(...known),
  fc.constantFrom(...times),
  fc.string(),
  fc.string({ unit: 'binary' }),
)
const sentence = fc.array(phrase, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(', '))
const answer = fc.oneof({ weight: 6, arbitrary: sentence }, { weight: 1, arbitrary: fc.constant(null) })

const slot = fc.oneof(
  fc.record({ slot_id: fc.uuid(), label: fc.constantFrom('Monday 16 November at 9:00', 'Tuesday', '-', '9:00') }),
  fc.anything(),
)
const booked = fc.oneof(
  fc.record({ appointment_id: fc.uuid(), label: fc.constantFrom('Monday 16 November at 9:00', 'Friday', '-') }),
  fc.anything(),
)
const result = fc.record({
  ok: fc.boolean(),
  message: fc.constantFrom('', ' ', 'Done.', 'Is that so?', 'No'),
  slots: fc.oneof(fc.array(slot, { maxLength: 5 }), fc.anything()),
  appointments: fc.oneof(fc.array(booked, { maxLength: 3 }), fc.anything()),
})
const context = fc.record({
  agentName: fc.constantFrom('Asha', '', ' '),
  language: fc.constantFrom('en', 'hi', 'Hindi', 'es', ''),
  prompt: fc.string(),
  greeting: fc.constantFrom('Hello Ravi.', '', 'Would you like to book?'),
  contactName: fc.constant(null),
  timezone: fc.constantFrom('Asia/Kolkata', 'America/New_York'),
  now: fc.date({ min: new Date('2025-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
})

/** How much of what the agent says is heard, in tenths. */
type Callee = { answers: readonly (string | null)[]; heard: readonly number[]; results: readonly ToolResult[] }

/** Runs until the call has ended and gives the number of turns it took. */
async function play(scene: BrainContext, tools: Tools, callee: Callee): Promise<number> {
  const history: HistoryItem[] = []
  const succeeded = new Set<ToolName>()
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const now = new Date(scene.now.getTime() + turn * 7_000)
    let used: ToolName | null = null
    let says = 0
    for await (const step of builtInBrain.turn({ ...scene, now }, [...history], tools, new AbortController().signal)) {
      if ('say' in step) {
        expect(step.say.trim()).not.toBe('')
        says += 1
        const share = callee.heard[turn % callee.heard.length] ?? 10
        const heard = step.say.slice(0, Math.ceil((step.say.length * share) / 10))
        history.push({ role: 'agent', text: heard })
        if (heard !== step.say) break
        continue
      }
      used = step.tool
      expect(tools).toHaveProperty(used)
      expect(succeeded).not.toContain(used)
      const outcome = callee.results[turn % callee.results.length] ?? { ok: true, message: '' }
      // Holding the next slot lets go of the one before.
      if (outcome.ok && used !== 'hold_slot') succeeded.add(used)
      history.push({ role: 'tool', name: used, args: step.args, result: outcome })
      break
    }
    if (used === 'end_call' || succeeded.has('transfer_to_human')) return turn
    expect(says > 0 || used !== null).toBe(true)
    const line = callee.answers[turn % callee.answers.length] ?? null
    if (!used) history.push(line === null ? { role: 'silence' } : { role: 'user', text: line })
  }
  return mostTurns
}

it('ends the call within 40 turns whatever the callee says, never says nothing, repeats no tool that worked', async () => {
  await fc.assert(
    fc.asyncProperty(
      context,
      fc.subarray(toolNames),
      fc.record({
        answers: fc.array(answer, { minLength: 1, maxLength: 25 }),
        heard: fc.array(fc.oneof({ weight: 4, arbitrary: fc.constant(10) }, fc.integer({ min: 1, max: 10 })), {
          minLength: 1,
          maxLength: 10,
        }),
        results: fc.array(result, { minLength: 1, maxLength: 8 }),
      }),
      async (scene, names, callee) => {
        const tool = { description: '', parameters: {}, run: async () => ({ ok: true, message: '' }) }
        const tools: Tools = Object.fromEntries([...names, 'end_call'].map((name) => [name, tool]))
        expect(await play(scene, tools, callee)).toBeLessThan(mostTurns)
      },
    ),
    { numRuns: 200 },
  )
})

async function stepsOf(turn: AsyncIterable<BrainStep>): Promise<BrainStep[]> {
  const steps: BrainStep[] = []
  for await (const step of turn) steps.push(step)
  return steps
}

it('the same history gives the same steps', async () => {
  await fc.assert(
    fc.asyncProperty(context, fc.array(answer, { maxLength: 8 }), async (scene, answers) => {
      const history = answers.map((text): HistoryItem => (text === null ? { role: 'silence' } : { role: 'user', text }))
      const steps = () => stepsOf(builtInBrain.turn(scene, history, {}, new AbortController().signal))
      expect(await steps()).toEqual(await steps())
    }),
    { numRuns: 200 },
  )
})
