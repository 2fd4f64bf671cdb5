import { describe, expect, it } from 'vitest'
import type { BrainContext, BrainStep, HistoryItem, Tool, ToolName, Tools } from '../../voice/ports.ts'
import { builtInBrain } from './built-in.ts'

const context: BrainContext = {
  agentName: 'Asha',
  language: 'en',
  prompt: '',
  greeting: 'Hello Ravi, this is Asha.',
  contactName: 'Ravi',
  timezone: 'Asia/Kolkata',
  now: new Date('2026-11-11T08:45:00Z'),
}
const slots = [
  { slot_id: 's1', label: 'Monday 16 November at 9:00' },
  { slot_id: 's2', label: 'Tuesday 17 November at 9:00' },
]
const tool: Tool = { description: '', parameters: {}, run: async () => ({ ok: true, message: '' }) }
const tools: Tools = { list_slots: tool, book_appointment: tool, schedule_callback: tool, end_call: tool }

const user = (text: string): HistoryItem => ({ role: 'user', text })
const agent = (text: string): HistoryItem => ({ role: 'agent', text })
const used = (name: ToolName): HistoryItem => ({
  role: 'tool',
  name,
  args: {},
  result: { ok: true, message: '', slots },
})
const greeting = agent(context.greeting)

async function turn(history: HistoryItem[], now = context.now): Promise<BrainStep[]> {
  const steps: BrainStep[] = []
  const turnSteps = builtInBrain.turn({ ...context, now }, history, tools, new AbortController().signal)
  for await (const step of turnSteps) steps.push(step)
  return steps
}

const offer = { say: 'Would you like to book an appointment?' }
const goodbye = { say: 'Thank you for your time. Goodbye.' }
const readBack = 'I will call you back today at 3:15 PM, is that right?'

it('a callee who speaks first is greeted, and has answered nothing', async () => {
  expect(await turn([user('Yes?')])).toEqual([{ say: context.greeting }])
  expect(await turn([user('Yes?'), greeting, user('Yes?')])).toEqual([offer])
})

it('says nothing more once the turn was aborted', async () => {
  const aborted = AbortSignal.abort()
  for await (const step of builtInBrain.turn(context, [], tools, aborted)) expect.unreachable(JSON.stringify(step))
})

describe('interrupted', () => {
  it('a yes to an opening that was cut off is asked again', async () => {
    const history = [greeting, user('book'), used('list_slots'), agent('The first opening is'), user('yes')]
    expect(await turn(history)).toEqual([{ say: 'The first opening is Monday 16 November at 9:00. Shall I book it?' }])
  })

  it('a yes to a time that was cut off is asked again', async () => {
    const history = [greeting, user('in an hour'), agent('I will call you back today at'), user('yes')]
    expect(await turn(history)).toEqual([{ say: readBack }])
  })

  it('a time that was heard can be agreed to before the sentence is over', async () => {
    const history = [greeting, user('in an hour'), agent('I will call you back today at 3:15 PM, is'), user('yes')]
    expect(await turn(history)).toMatchObject([{ tool: 'schedule_callback' }])
  })

  it('a goodbye is said once more, then the call ends', async () => {
    const history = [greeting, user('not interested'), agent('I am'), user('What?')]
    const end = { tool: 'end_call', args: { reason: 'not_interested' } }
    expect(await turn(history)).toEqual([goodbye, end])
    expect(await turn([...history, agent('Thank'), user('Wait')])).toEqual([end])
  })
})

it('the time that was heard is arranged, however late the yes', async () => {
  const later = new Date('2026-11-11T08:46:30Z')
  expect(await turn([greeting, user('in an hour'), agent(readBack), user('Yes, in an hour')], later)).toEqual([
    { tool: 'schedule_callback', args: { at: '2026-11-11T15:15:00+05:30' } },
  ])
})

describe('taking over from another brain', () => {
  it('a yes to a question it did not ask agrees to nothing', async () => {
    expect(await turn([greeting, user('No'), agent('Any allergies?'), user('Yes')])).toEqual([offer])
  })

  it('a yes to an opening the other one named books that one', async () => {
    const history = [greeting, user('book'), used('list_slots'), agent('How about Tuesday 17 November at 9:00?')]
    expect(await turn([...history, user('Yes')])).toEqual([{ tool: 'book_appointment', args: { slot_id: 's2' } }])
  })

  it('after a booking only the goodbye is left', async () => {
    const history = [greeting, user('book'), used('list_slots'), used('book_appointment'), agent('Anything else?')]
    expect(await turn([...history, user('No')])).toEqual([goodbye, { tool: 'end_call', args: { reason: 'done' } }])
  })

  it('a long talk before does not end the call at once', async () => {
    const before = Array.from({ length: 30 }, () => [user('I see'), agent('And then?')]).flat()
    expect(await turn([greeting, ...before, user('Yes')])).toEqual([offer])
  })
})
