import { CallAnalytics } from '@parley/contract/calls'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import type { AnalysisInput, Ending, ToolName, ToolResult, ToolUse } from '../../voice/ports.ts'
import { builtInAnalyst } from './built-in-analysis.ts'

const analyse = (input: AnalysisInput) => builtInAnalyst.analyse(input, new AbortController().signal)
const used = (name: ToolName, args: unknown = {}, result: Partial<ToolResult> = {}): ToolUse => ({
  name,
  args,
  result: { ok: true, message: '', ...result },
})
const call = (said: readonly string[], toolUses: ToolUse[] = [], more: Partial<AnalysisInput> = {}): AnalysisInput => ({
  agentName: 'Asha',
  contactName: 'Dr. Ravi Rao',
  language: 'en',
  ending: 'finished',
  durationSeconds: 42,
  transcript: said.map((text, index) => ({ speaker: 'user', text, timestamp: index })),
  toolUses,
  ...more,
})
const slots = [{ slot_id: 's1', label: 'Monday 16 November at 9:00' }]
const booked = [used('list_slots', {}, { slots }), used('book_appointment', { slot_id: 's1' })]
const callback = used('schedule_callback', { at: '2026-11-11T15:15:00+05:30' })
const refused = used('end_call', { reason: 'not_interested' })

describe('the outcome', () => {
  it('a booking', async () => {
    expect(await analyse(call(['Yes, please book it.', 'Great, thank you.'], booked))).toEqual({
      analytics: {
        summary: 'Asha spoke with Dr Ravi Rao for 42 seconds. An appointment was booked: Monday 16 November at 9:00.',
        sentiment: 'positive',
        next_steps: 'Prepare the appointment with Dr Ravi Rao: Monday 16 November at 9:00.',
        disposition: 'appointment_booked',
      },
      extractedDetails: { appointment: { slot_id: 's1', label: 'Monday 16 November at 9:00' } },
    })
  })

  it('a call back', async () => {
    const { analytics, extractedDetails } = await analyse(call(['Call me back in one hour.'], [callback]))
    expect(analytics).toEqual({
      summary: [
        'Asha spoke with Dr Ravi Rao for 42 seconds.',
        'A call back was arranged for 11 November 2026 at 15:15 (UTC+05:30).',
        'Mentioned in the call: a preferred time.',
      ].join(' '),
      sentiment: 'neutral',
      next_steps: 'Call Dr Ravi Rao back on 11 November 2026 at 15:15 (UTC+05:30).',
      disposition: 'callback_scheduled',
    })
    expect(extractedDetails).toEqual({ preferred_time: 'in one hour', callback_time: '2026-11-11T15:15:00+05:30' })
  })

  it.each<[string, ToolUse[], Ending, CallAnalytics['disposition'], string]>([
    ['transfer', [used('transfer_to_human')], 'transferred', 'transferred', 'The call was put through to a colleague.'],
    ['refusal', [refused], 'finished', 'not_interested', 'Dr Ravi Rao was not interested.'],
    ['hang-up', [], 'hung_up_by_callee', 'ended_by_customer', 'Dr Ravi Rao hung up before anything was agreed.'],
    [
      'end',
      [used('end_call', { reason: 'done' })],
      'finished',
      'session_ended',
      'The call ended without a booking or a call back.',
    ],
    [
      'silence',
      [used('end_call', { reason: 'no_response' })],
      'silence',
      'session_ended',
      'The call ended because nothing more was said.',
    ],
    [
      'time limit',
      [],
      'time_limit',
      'session_ended',
      'The call reached its time limit without a booking or a call back.',
    ],
    ['dropped line', [], 'line_dropped', 'session_ended', 'The line dropped before anything was agreed.'],
  ])('%s', async (_name, toolUses, ending, disposition, sentence) => {
    const { analytics } = await analyse(call(['Hello'], toolUses, { ending }))
    expect(analytics.disposition).toBe(disposition)
    expect(analytics.summary).toBe(`Asha spoke with Dr Ravi Rao for 42 seconds. ${sentence}`)
  })

  it('a voicemail, whose words are not the callee’s', async () => {
    const said = ['You have reached 98765 43210, leave a message after 5 pm']
    const { analytics, extractedDetails } = await analyse(call(said, [], { ending: 'voicemail', contactName: null }))
    expect(analytics).toEqual({
      summary: 'Asha reached the voicemail of the callee. No conversation took place.',
      sentiment: 'neutral',
      next_steps: 'Try to reach the callee again.',
      disposition: 'voicemail',
    })
    expect(extractedDetails).toEqual({})
  })

  it('a booking outweighs a transfer, a transfer a call back, a call back a refusal and a hang-up', async () => {
    const uses = [refused, callback, used('transfer_to_human'), ...booked]
    const dispositionOf = async (toolUses: ToolUse[], ending: Ending) =>
      (await analyse(call([], toolUses, { ending }))).analytics.disposition
    expect(await dispositionOf(uses, 'transferred')).toBe('appointment_booked')
    expect(await dispositionOf(uses.slice(0, 3), 'transferred')).toBe('transferred')
    expect(await dispositionOf(uses.slice(0, 2), 'hung_up_by_callee')).toBe('callback_scheduled')
    expect(await dispositionOf([refused], 'hung_up_by_callee')).toBe('not_interested')
  })

  it('a tool that failed brought about nothing', async () => {
    const failed = used('book_appointment', { slot_id: 's1' }, { ok: false })
    const { analytics, extractedDetails } = await analyse(call(['Yes'], [failed]))
    expect(analytics.disposition).toBe('session_ended')
    expect(analytics.summary).toContain('Booking an appointment was tried without success.')
    expect(extractedDetails).toEqual({})
  })

  it('a callee who said nothing', async () => {
    const { analytics } = await analyse(call([], [], { ending: 'silence', contactName: ' ' }))
    expect(analytics.summary).toBe(
      'Asha called the callee, who did not say anything. The call ended because nothing more was said.',
    )
  })
})

describe('sentiment', () => {
  it.each<[string, ToolUse[], string]>([
    ['I am not interested.', [refused], 'negative'],
    ['No, thank you. I am not interested.', [refused], 'neutral'],
    ['This is ridiculous, stop calling me!', [refused], 'negative'],
    ['That is not great.', [], 'negative'],
    ['Wonderful, thank you.', [], 'positive'],
    ['बहुत अच्छा, धन्यवाद।', [], 'positive'],
    ['Hello, who is this?', [], 'neutral'],
  ])('%s', async (said, toolUses, sentiment) => {
    expect((await analyse(call([said], toolUses))).analytics.sentiment).toBe(sentiment)
  })
})

describe('details', () => {
  it.each<[string, Record<string, unknown>]>([
    ['Hello, my name is Ravi Kumar and I want to know', { name: 'Ravi Kumar' }],
    ['my name is anna', { name: 'Anna' }],
    ['My name is not important', {}],
    ['This is Priya speaking.', { name: 'Priya' }],
    ['mera naam Amit hai', { name: 'Amit' }],
    ['मेरा नाम अमित है', { name: 'अमित' }],
    ['Write to ravi.kumar@example.com.', { email: 'ravi.kumar@example.com' }],
    ['it is ravi dot kumar at example dot com', { email: 'ravi.kumar@example.com' }],
    ['Call me on +91 98765-43210', { phone_number: '+919876543210' }],
    ['nine eight seven six five four three two double one', { phone_number: '9876543211' }],
    ['We are four people', { party_size: 4 }],
    ['A table for twenty five, please', { party_size: 25 }],
    ['Could you try tomorrow at ten, please?', { preferred_time: 'tomorrow at ten' }],
    ['Please call me back in half an hour.', { preferred_time: 'in half an hour' }],
    ['Mondays are bad, rather on Friday at 10:30 am', { preferred_time: 'on Friday at 10:30 am' }],
    ['kal subah das baje theek hai', { preferred_time: 'kal subah das baje' }],
    ['कल सुबह दस बजे।', { preferred_time: 'कल सुबह दस बजे' }],
    ['Good morning, how are you today?', {}],
    ['', {}],
  ])('%s', async (said, details) => {
    expect((await analyse(call([said]))).extractedDetails).toEqual(details)
  })

  it('the latest mention counts, and the agent’s words never', async () => {
    const input = call(['tomorrow at ten', 'no, on Friday'])
    const transcript = [...input.transcript, { speaker: 'agent' as const, text: 'My name is Asha', timestamp: 9 }]
    expect((await analyse({ ...input, transcript })).extractedDetails).toEqual({ preferred_time: 'on Friday' })
  })
})

it('any call gives a valid analysis of two or three sentences', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('my name is Dr. Who. Yes!', 'tomorrow at ten'),
  )
  const toolUse: fc.Arbitrary<ToolUse> = fc.record({
    name: fc.constantFrom<ToolName>(
      'list_slots',
      'book_appointment',
      'find_appointments',
      'cancel_appointment',
      'move_appointment',
      'schedule_callback',
      'transfer_to_human',
      'end_call',
    ),
    args: fc.oneof(
      fc.anything(),
      fc.record({ slot_id: fc.string(), at: fc.constantFrom('2026-11-11T15:15:00Z', 'soon') }),
    ),
    result: fc.record({ ok: fc.boolean(), message: text, slots: fc.anything(), label: text }),
  })
  const input: fc.Arbitrary<AnalysisInput> = fc.record({
    agentName: text,
    contactName: fc.option(text),
    language: fc.constantFrom('en', 'hi'),
    ending: fc.constantFrom<Ending>(
      'finished',
      'hung_up_by_callee',
      'silence',
      'transferred',
      'voicemail',
      'time_limit',
      'line_dropped',
    ),
    durationSeconds: fc.double(),
    transcript: fc.array(fc.record({ speaker: fc.constantFrom('agent', 'user'), text, timestamp: fc.nat() })),
    toolUses: fc.array(toolUse, { maxLength: 6 }),
  })
  await fc.assert(
    fc.asyncProperty(input, async (any) => {
      const { analytics, extractedDetails } = await analyse(any)
      expect(Value.Check(CallAnalytics, analytics)).toBe(true)
      const sentences = analytics.summary.match(/[.!?](?=\s|$)/g) ?? []
      expect([2, 3], analytics.summary).toContain(sentences.length)
      expect(analytics.next_steps.match(/[.!?](?=\s|$)/g)).toHaveLength(1)
      expect(JSON.parse(JSON.stringify(extractedDetails))).toEqual(extractedDetails)
    }),
    { numRuns: 1000 },
  )
})
