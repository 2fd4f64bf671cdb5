import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type CallLeg, DialRefused, type LegEvent, type Telephony } from '../../voice/ports.ts'
import { describeTelephony } from '../conformance/telephony.ts'
import { createSimulator } from './simulator.ts'

const unaborted = () => new AbortController().signal
const speed = 10_000
const numberOf = (digits: string) => `+1500555${digits}`
const dial = (simulator: Telephony, to: string, ringSeconds = 30) =>
  simulator.dial({ callId: 'call_1', from: '+15005550000', to, ringSeconds }, unaborted())

async function eventsOf(leg: CallLeg): Promise<LegEvent[]> {
  const events: LegEvent[] = []
  for await (const event of leg.events) events.push(event)
  return events
}

/** Says the lines one by one, listens after each, and writes down everything with its time. */
async function talk(leg: CallLeg, lines: readonly string[], language = 'en'): Promise<string[]> {
  const signal = unaborted()
  for await (const event of leg.events) if (event.type === 'answered') break
  const log: string[] = []
  for (const line of lines) {
    const said = await leg.speech.say(line, language, signal)
    log.push(`${said.startedAt} agent: ${said.heard}`)
    const heard = await leg.speech.listen({ silenceSeconds: 8 }, signal)
    log.push(heard.type === 'speech' ? `${heard.startedAt} callee: ${heard.text}` : heard.type)
    if (heard.type === 'gone') break
  }
  log.push(`${leg.speech.seconds()} end`)
  return log
}

async function call(to: string, lines: readonly string[], { at = speed, language = 'en' } = {}) {
  const simulator = createSimulator({ speed: at })
  const leg = await dial(simulator, to)
  const log = await talk(leg, lines, language)
  await leg.hangup()
  return { log, text: log.join('\n'), events: await eventsOf(leg) }
}

describeTelephony('the simulator', async () => {
  const simulator = createSimulator({ speed: 100 })
  return {
    telephony: simulator,
    from: '+15005550000',
    numbers: {
      answers: numberOf('0011'),
      busy: numberOf('0002'),
      neverAnswers: numberOf('0003'),
      invalid: numberOf('0004'),
      hangsUp: numberOf('0010'),
    },
    openLegs: simulator.openLegs,
  }
})

const pitch = [
  'Hello Ravi, this is Asha.',
  'Would you like to book an appointment?',
  'The first opening is Tuesday at ten. Shall I book it?',
]
const hungUpByAgent = [
  { type: 'ringing' },
  { type: 'answered' },
  { type: 'ended', end: { reason: 'hangup', by: 'agent' } },
]

describe('who answers which number (decisions 4)', () => {
  it('0001 says yes to an appointment and is content once it is booked', async () => {
    const { text, events } = await call(numberOf('0001'), [...pitch, 'Your appointment is booked for Tuesday at ten.'])
    expect(text).toMatch(/would like to book.*\n.*\n.*Yes, please.*\n.*\n.*Yes, please.*\n.*\n.*thank you/s)
    expect(events).toEqual(hungUpByAgent)
  })

  it('0002 is busy', async () => {
    const leg = await dial(createSimulator({ speed }), numberOf('0002'))
    expect(await eventsOf(leg)).toEqual([{ type: 'ended', end: { reason: 'busy', by: 'callee' } }])
  })

  it('0003 rings until the ring time is over', async () => {
    const leg = await dial(createSimulator({ speed }), numberOf('0003'))
    expect(await eventsOf(leg)).toEqual([
      { type: 'ringing' },
      { type: 'ended', end: { reason: 'no_answer', by: 'callee' } },
    ])
  })

  it.each([
    ['0004', 'invalid_number'],
    ['0005', 'carrier_error'],
  ])('%s is refused: %s', async (digits, reason) => {
    const simulator = createSimulator({ speed })
    const refused = await dial(simulator, numberOf(digits)).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(DialRefused)
    expect(refused).toMatchObject({ reason })
    expect(simulator.openLegs()).toBe(0)
  })

  it('0006 is a machine: announcement, tone, silence, and in the end it hangs up', async () => {
    const { log, events } = await call(numberOf('0006'), ['Hello?', 'Ravi?', 'Call me.', ...Array(9).fill('Bye.')])
    expect(log[1]).toMatch(
      /^0\.5 callee: Hi, you have reached the voicemail of .* Please leave a message after the tone\.$/,
    )
    const answers = log.filter((_, index) => index % 2 === 1).slice(1)
    expect([answers[0], answers.at(-1), new Set(answers.slice(1, -1))]).toEqual(['beep', 'gone', new Set(['silence'])])
    expect(events.at(-1)).toEqual({ type: 'ended', end: { reason: 'hangup', by: 'callee' } })
  })

  it('0007 asks to be called back in one hour, and agrees when asked whether that is right', async () => {
    const { text } = await call(numberOf('0007'), ['Hello Ravi.', 'I will call you back at noon, is that right?'])
    expect(text).toMatch(/call me back in one hour.*\n.*\n.*Yes, that is right/s)
  })

  it('0008 is not interested, and leaves when pressed', async () => {
    const { text, events } = await call(numberOf('0008'), [...pitch, 'But why?', 'Really?'])
    expect(text.match(/not interested/g)).toHaveLength(3)
    expect(events.at(-1)).toEqual({ type: 'ended', end: { reason: 'hangup', by: 'callee' } })
  })

  it('0009 asks for a human until connected', async () => {
    const { text } = await call(numberOf('0009'), [...pitch.slice(0, 2), 'I am connecting you to a colleague.'])
    expect(text).toMatch(/speak to a human.*real person.*thank you/s)
  })

  it("0010 hangs up in the middle of the agent's third turn", async () => {
    const { log, events } = await call(numberOf('0010'), pitch)
    expect(log.slice(4, 6)).toEqual([expect.stringMatching(/agent: The first opening is Tuesday$/), 'gone'])
    expect(events.at(-1)).toEqual({ type: 'ended', end: { reason: 'hangup', by: 'callee' } })
  })

  it('0011 answers and never says a word', async () => {
    const { log, events } = await call(numberOf('0011'), ['Hello?', 'Are you still there?', 'Goodbye.'])
    expect(log.filter((_, index) => index % 2 === 1)).toEqual(['silence', 'silence', 'silence'])
    expect(events).toEqual(hungUpByAgent)
  })

  it('0012 loses the line after one exchange', async () => {
    const { log, events } = await call(numberOf('0012'), pitch)
    expect(log.slice(1, 4)).toEqual([
      expect.stringContaining('callee: Hello, speaking.'),
      expect.stringMatching(/agent: Would you like$/),
      'gone',
    ])
    expect(events.at(-1)).toEqual({ type: 'ended', end: { reason: 'line_dropped', by: 'carrier' } })
  })

  it('the same callees answer in India', async () => {
    const { text } = await call('+915005550008', ['Hello.'])
    expect(text).toContain('not interested')
  })

  it('everyone else answers, talks, never books and says goodbye', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => `+1${2_025_550_100 + index}`)
    const calls = numbers.map((number) => call(number, [...pitch, ...pitch, ...pitch, ...pitch]))
    for (const { text, events } of await Promise.all(calls)) {
      expect(text).not.toMatch(/callee: Yes, please|callee: Yes, that/)
      expect(text).toMatch(/Goodbye/)
      expect(events.at(-1)).toEqual({ type: 'ended', end: { reason: 'hangup', by: 'callee' } })
    }
  })
})

describe('simulated time', () => {
  const numbers = ['0001', '0006', '0007', '0008', '0009', '0010', '0011', '0012', '4711'].map(numberOf)

  it.each(numbers)('%s has the same call at every speed, every time', async (number) => {
    const slow = await call(number, pitch, { at: 200 })
    expect(await call(number, pitch, { at: 10_000 })).toEqual(slow)
    expect(await call(number, pitch, { at: 1_000_000 })).toEqual(slow)
  })

  it('a sentence takes its words at 2.5 a second, and never less than 0.6', async () => {
    const leg = await dial(createSimulator({ speed }), numberOf('0011'))
    await talk(leg, [])
    await leg.speech.say('one two three four five', 'en', unaborted())
    expect(leg.speech.seconds()).toBe(2)
    await leg.speech.say('one', 'en', unaborted())
    expect(leg.speech.seconds()).toBe(2.6)
    await leg.speech.listen({ silenceSeconds: 7.5 }, unaborted())
    expect(leg.speech.seconds()).toBe(10.1)
    await leg.hangup()
  })
})

describe('many calls', () => {
  it('2,000 at once, and nothing is left behind', async () => {
    const dialled: string[] = []
    const simulator = createSimulator({ speed: 100, onDial: ({ to }) => dialled.push(to) })
    const ends = Array.from({ length: 2_000 }, async (_, index) => {
      const leg = await dial(simulator, `+1202555${String(index).padStart(4, '0')}`)
      await talk(leg, pitch)
      await leg.hangup()
      return (await eventsOf(leg)).at(-1)?.type
    })
    expect(new Set(await Promise.all(ends))).toEqual(new Set(['ended']))
    expect(dialled).toHaveLength(2_000)
    expect(simulator.openLegs()).toBe(0)
  })

  it('nothing happens on a leg after its end', async () => {
    const simulator = createSimulator({ speed: 100 })
    const leg = await dial(simulator, numberOf('0001'))
    for await (const event of leg.events) if (event.type === 'ringing') await leg.hangup()
    await nextTurn()
    const ended = { type: 'ended', end: { reason: 'hangup', by: 'agent' } }
    expect(await eventsOf(leg)).toEqual([{ type: 'ringing' }, ended])
  })

  it('closing leaves no timer, whatever the legs were doing', async () => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const simulator = createSimulator({ speed: 1 })
    const legs = [numberOf('0011'), numberOf('0003'), '+12025550123'].map((to) => dial(simulator, to))
    await vi.advanceTimersByTimeAsync(10_000)
    const [silent] = await Promise.all(legs)
    const listening = silent?.speech.listen({ silenceSeconds: 60 }, unaborted())
    const dialling = dial(simulator, numberOf('0001'))
    const refused = expect(dialling).rejects.toThrow(DialRefused)
    await vi.advanceTimersByTimeAsync(100)
    expect([vi.getTimerCount(), simulator.openLegs()]).toEqual([3, 4])
    await simulator.close()
    await refused
    expect(await listening).toEqual({ type: 'gone' })
    expect([vi.getTimerCount(), simulator.openLegs()]).toEqual([0, 0])
  })
})
