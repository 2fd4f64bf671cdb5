import { describe, expect, it } from 'vitest'
import type { BrainContext, CallLeg, HistoryItem, LegEnd, ToolName, ToolResult, Tools } from '../../voice/ports.ts'
import { builtInBrain } from '../brain/built-in.ts'
import { createSimulator } from './simulator.ts'

const results: Record<ToolName, ToolResult> = {
  list_slots: {
    ok: true,
    message: 'One opening.',
    slots: [{ slot_id: 'slot-1', label: 'Tuesday, 4 March, 10:00 AM' }],
  },
  hold_slot: { ok: true, message: '' },
  book_appointment: { ok: true, message: '' },
  find_appointments: { ok: true, message: '', appointments: [] },
  cancel_appointment: { ok: true, message: '' },
  move_appointment: { ok: true, message: '' },
  schedule_callback: { ok: true, message: '' },
  transfer_to_human: { ok: true, message: 'You are being connected.' },
  end_call: { ok: true, message: '' },
}
const allTools = Object.keys(results) as ToolName[]
const toolsOf = (names: readonly ToolName[]): Tools =>
  Object.fromEntries(names.map((name) => [name, { description: name, parameters: {}, run: async () => results[name] }]))

const contexts: Record<'en' | 'hi', BrainContext> = {
  en: {
    agentName: 'Asha',
    language: 'en',
    prompt: 'Book appointments.',
    greeting: 'Hello Ravi, this is Asha from the clinic.',
    contactName: 'Ravi',
    timezone: 'Asia/Kolkata',
    now: new Date('2025-03-03T05:30:00Z'),
  },
  hi: {
    agentName: 'आशा',
    language: 'hi',
    prompt: 'अपॉइंटमेंट बुक करें।',
    greeting: 'नमस्ते रवि, मैं क्लिनिक से आशा बोल रही हूँ।',
    contactName: 'रवि',
    timezone: 'Asia/Kolkata',
    now: new Date('2025-03-03T05:30:00Z'),
  },
}

type Outcome = { used: { name: ToolName; args: unknown }[]; stopped: string; end: LegEnd | undefined; talk: string }

/** The shortest possible conversation: brain, tools, callee, until somebody ends it. */
async function run(leg: CallLeg, context: BrainContext, tools: Tools): Promise<Omit<Outcome, 'end'>> {
  const { signal } = new AbortController()
  const history: HistoryItem[] = []
  const used: Outcome['used'] = []
  const over = (stopped: string) => ({ used, stopped, talk: JSON.stringify(history, null, 1) })
  turns: for (let turn = 0; turn < 60; turn += 1) {
    for await (const step of builtInBrain.turn(context, history, tools, signal)) {
      if ('say' in step) {
        const { heard } = await leg.speech.say(step.say, context.language, signal)
        if (heard !== '') history.push({ role: 'agent', text: heard })
        continue
      }
      used.push({ name: step.tool, args: step.args })
      if (step.tool === 'end_call' || step.tool === 'transfer_to_human') return over(step.tool)
      const result = (await tools[step.tool]?.run(step.args, signal)) ?? { ok: false, message: '' }
      history.push({ role: 'tool', name: step.tool, args: step.args, result })
      continue turns
    }
    const heard = await leg.speech.listen({ silenceSeconds: 8 }, signal)
    if (heard.type === 'gone' || heard.type === 'beep') return over(heard.type)
    history.push(heard.type === 'speech' ? { role: 'user', text: heard.text } : { role: 'silence' })
  }
  return over('never')
}

async function call(to: string, context: BrainContext, names: readonly ToolName[] = allTools): Promise<Outcome> {
  const simulator = createSimulator({ speed: 10_000 })
  const request = { callId: 'call_1', from: '+15005550000', to, ringSeconds: 30 }
  const leg = await simulator.dial(request, new AbortController().signal)
  for await (const event of leg.events) if (event.type === 'answered') break
  const outcome = await run(leg, context, toolsOf(names))
  await leg.hangup()
  let end: LegEnd | undefined
  for await (const event of leg.events) if (event.type === 'ended') end = event.end
  return { ...outcome, end }
}

const namesOf = ({ used }: Outcome) => used.map(({ name }) => name)
const byAgent = { reason: 'hangup', by: 'agent' }
const byCallee = { reason: 'hangup', by: 'callee' }

describe.each([
  ['en', '+1500555'],
  ['hi', '+91500555'],
] as const)('the built-in brain in %s calls %s…', (language, prefix) => {
  const context = contexts[language]
  const dial = (digits: string) => call(`${prefix}${digits}`, context)

  it('0001: the first opening is booked', async () => {
    const outcome = await dial('0001')
    expect(outcome.used).toMatchObject([
      { name: 'list_slots' },
      { name: 'book_appointment', args: { slot_id: 'slot-1' } },
      { name: 'end_call', args: { reason: 'done' } },
    ])
    expect(outcome.end).toEqual(byAgent)
  })

  it('0006: the tone is heard', async () => {
    const outcome = await dial('0006')
    expect([outcome.stopped, namesOf(outcome)]).toEqual(['beep', []])
  })

  it('0007: a call back in one hour is arranged', async () => {
    const outcome = await dial('0007')
    expect(namesOf(outcome)).toEqual(['schedule_callback', 'end_call'])
    const inOneHour = new Date(context.now.getTime() + 60 * 60_000)
    expect(outcome.used.map(({ args }) => new Date((args as { at: string }).at))[0]).toEqual(inOneHour)
  })

  it('0008: no is taken for an answer', async () => {
    const outcome = await dial('0008')
    expect(outcome.used).toEqual([{ name: 'end_call', args: { reason: 'not_interested' } }])
    expect(outcome.end).toEqual(byAgent)
  })

  it('0009: a human is asked to take over', async () => {
    expect(namesOf(await dial('0009'))).toEqual(['transfer_to_human'])
  })

  it('0010: the callee hangs up, nothing was booked', async () => {
    const outcome = await dial('0010')
    expect(outcome).toMatchObject({ stopped: 'gone', end: byCallee })
    expect(namesOf(outcome)).not.toContain('book_appointment')
  })

  it('0011: silence ends the call', async () => {
    const outcome = await dial('0011')
    expect(outcome.used).toEqual([{ name: 'end_call', args: { reason: 'no_response' } }])
  })

  it('0012: the line drops, nothing was booked', async () => {
    const outcome = await dial('0012')
    expect(outcome).toMatchObject({ stopped: 'gone', end: { reason: 'line_dropped', by: 'carrier' } })
    expect(namesOf(outcome)).not.toContain('book_appointment')
  })

  it('everyone else: nothing is booked or arranged, and the call ends as calls do', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => `+1${2_025_550_100 + index}`)
    for (const outcome of await Promise.all(numbers.map((number) => call(number, context)))) {
      expect(namesOf(outcome), outcome.talk).toEqual(['end_call'])
    }
  })

  it('an agent without tools comes to an end with every callee', async () => {
    for (const digits of ['0001', '0007', '0008', '0009', '0010', '0011', '4711', '4712']) {
      const outcome = await call(`${prefix}${digits}`, context, ['end_call'])
      expect(['end_call', 'gone'], outcome.talk).toContain(outcome.stopped)
    }
  })
})
