import { expect, it } from 'vitest'
import { plainContext } from '../../test/talk-context.ts'
import { converse } from './conversation.ts'
import type { Brain, BrainStep, Heard, SpeechLink, Tools, Utterance } from './ports.ts'
import { BrainFailed, usualLimits } from './turn.ts'
import type { VoicemailPlan } from './voicemail.ts'

/** A line on which the callee does just this, then is gone; every exchange takes ten seconds. */
function line(script: Heard[], heardOf = (text: string) => text): SpeechLink {
  let seconds = 0
  const left = [...script]
  return {
    say: async (text) => {
      seconds += 5
      return { heard: heardOf(text), startedAt: seconds - 5 }
    },
    listen: async () => {
      seconds += 5
      return left.shift() ?? { type: 'gone' }
    },
    seconds: () => seconds,
  }
}
const speech = (text: string): Heard => ({ type: 'speech', text, startedAt: 1 })
const brain = (turns: BrainStep[][]): Brain => {
  const left = [...turns]
  return {
    turn: async function* () {
      yield* left.shift() ?? [{ say: 'Go on.' }]
    },
  }
}
const talk = (
  link: SpeechLink,
  turns: BrainStep[][],
  more: { tools?: Tools; maxSeconds?: number; voicemail?: VoicemailPlan; signal?: AbortSignal } = {},
) => {
  const said: Utterance[] = []
  const limits = { ...usualLimits, toolMs: 50, ...(more.maxSeconds ? { maxSeconds: more.maxSeconds } : {}) }
  const parts = {
    link,
    brain: brain(turns),
    tools: more.tools ?? {},
    context: plainContext,
    limits,
    ...(more.voicemail ? { voicemail: more.voicemail } : {}),
    signal: more.signal ?? new AbortController().signal,
  }
  return converse({ ...parts, onUtterance: (each) => void said.push(each) }).then((result) => ({ ...result, said }))
}

it('a talk without an end is ended at its maximum duration', async () => {
  const endless = Array.from({ length: 100 }, () => speech('and then'))
  const result = await talk(line(endless), [], { maxSeconds: 60 })
  expect(result.ending).toBe('time_limit')
  expect(result.transcript.length).toBeLessThan(20)
  expect(result.said).toEqual(result.transcript)
})

it('a machine is recognised by its words at the start, or by its beep', async () => {
  const announcement = 'You have reached the voicemail of Maya. Leave a message after the tone.'
  expect((await talk(line([speech(announcement)]), [[{ say: 'Hello.' }]])).ending).toBe('voicemail')
  expect((await talk(line([{ type: 'beep' }]), [[{ say: 'Hello.' }]])).ending).toBe('voicemail')
})

it('a message is left after the tone, or after some quiet where there is no tone; then it is over', async () => {
  const voicemail: VoicemailPlan = { action: 'leave_message', message: 'Please call us back.' }
  const announcement = speech('You have reached the voicemail of Maya.')
  const more = speech('Please speak after the tone.')
  const machines: Heard[][] = [
    [announcement, more, { type: 'beep' }],
    [{ type: 'beep' }],
    [announcement, { type: 'silence' }],
  ]
  for (const machine of machines) {
    const result = await talk(line(machine), [[{ say: 'Hello.' }]], { voicemail })
    expect(result.ending).toBe('voicemail')
    expect(result.said.at(-1)).toMatchObject({ speaker: 'agent', text: 'Please call us back.' })
  }
  const gone = await talk(line([announcement]), [[{ say: 'Hello.' }]], { voicemail })
  expect([gone.ending, gone.said.at(-1)?.speaker]).toEqual(['voicemail', 'user'])
  const endless = Array.from({ length: 100 }, () => announcement)
  expect((await talk(line(endless), [[{ say: 'Hello.' }]], { voicemail })).said.length).toBeLessThan(20)
})

it('a message that the tone, or more of the announcement, comes over is left anew after it; not without end', async () => {
  const voicemail: VoicemailPlan = { action: 'leave_message', message: 'Please call us back.' }
  const leaves = async (after: Heard[], overs: number) => {
    const link = line([speech('You have reached the voicemail of Maya.'), { type: 'silence' }, ...after])
    let left = overs
    const say: SpeechLink['say'] = async (text, ...rest) => {
      const said = await link.say(text, ...rest)
      if (text !== voicemail.message || left === 0) return said
      left -= 1
      return { ...said, heard: 'Please', interrupted: true }
    }
    const { ending, said } = await talk({ ...link, say }, [[{ say: 'Hello.' }]], { voicemail })
    expect(ending).toBe('voicemail')
    return said.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text)
  }
  expect(await leaves([{ type: 'beep' }], 1)).toEqual(['Hello.', 'Please', voicemail.message])
  expect(await leaves([speech('I am not at home.'), { type: 'beep' }], 1)).toEqual([
    'Hello.',
    'Please',
    voicemail.message,
  ])
  const beeps = Array.from({ length: 20 }, (): Heard => ({ type: 'beep' }))
  expect(await leaves(beeps, 20)).toEqual(['Hello.', 'Please', 'Please', 'Please'])
})

it('a tone later in the talk is just a tone', async () => {
  const later: Heard[] = [speech('hi'), speech('yes'), speech('ok'), { type: 'beep' }, speech('bye')]
  expect((await talk(line(later), [])).said.at(-2)?.text).toBe('bye')
})

it('a person who speaks of voicemail later on stays a person', async () => {
  const later = [speech('hi'), speech('yes'), speech('ok'), speech('leave me a message on my voicemail next time')]
  expect((await talk(line(later), [])).ending).toBe('hung_up_by_callee')
})

it('what was interrupted stands in the transcript as far as it was heard, and the callee has the next word', async () => {
  const link = line([speech('wait')], (text) => text.slice(0, 5))
  const result = await talk(link, [[{ say: 'Hello there, I am calling about' }, { say: 'never reached' }]])
  expect(result.transcript.map((each) => each.text)).toEqual(['Hello', 'wait', 'Go on'])
})

it('a tool that is missing, throws or hangs is told to the brain as a result, and the talk goes on', async () => {
  const tools: Tools = {
    book_appointment: { description: '', parameters: {}, run: () => Promise.reject(new Error('no')) },
    schedule_callback: { description: '', parameters: {}, run: () => new Promise(() => {}) },
  }
  const use = (tool: 'list_slots' | 'book_appointment' | 'schedule_callback'): BrainStep[] => [{ tool, args: {} }]
  const turns = [
    use('list_slots'),
    use('book_appointment'),
    use('schedule_callback'),
    [{ tool: 'end_call', args: {} } as const],
  ]
  const result = await talk(line([]), turns, { tools })
  expect(result.ending).toBe('finished')
  expect(result.toolUses.map((each) => each.result.ok)).toEqual([false, false, false, true])
})

it('silence is handed to the brain; giving up counts as silence', async () => {
  const turns: BrainStep[][] = [
    [{ say: 'Hello.' }],
    [{ say: 'Bye.' }, { tool: 'end_call', args: { reason: 'no_response' } }],
  ]
  expect((await talk(line([{ type: 'silence' }]), turns)).ending).toBe('silence')
})

it('an agent that loses its voice or its ears cannot go on, and says so', async () => {
  const lost = () => Promise.reject(new Error('no voice'))
  await expect(talk({ ...line([]), say: lost }, [[{ say: 'Hello.' }]])).rejects.toThrow(BrainFailed)
  await expect(talk({ ...line([]), listen: lost }, [[{ say: 'Hello.' }]])).rejects.toThrow(BrainFailed)
})

it('an agent interrupted before its first word does nothing it has not announced', async () => {
  const link = line([speech('wait, not that one')])
  const turns: BrainStep[][] = [
    [{ say: 'I book it now.' }, { tool: 'book_appointment', args: {} }],
    [{ say: 'Go on.' }],
  ]
  let says = 0
  const say: SpeechLink['say'] = async (text, ...rest) => {
    says += 1
    return says === 1 ? { heard: '', startedAt: 0, interrupted: true } : link.say(text, ...rest)
  }
  const result = await talk({ ...link, say }, turns)
  expect(result.toolUses).toEqual([])
  expect(result.transcript.map(({ text }) => text)).toEqual(['wait, not that one', 'Go on.'])
})

it('a callee who hangs up while a tool is at work has hung up: the agent did not fail', async () => {
  const over = new AbortController()
  const tools: Tools = {
    list_slots: {
      description: '',
      parameters: {},
      run: () => {
        over.abort()
        return new Promise(() => {})
      },
    },
  }
  const turns: BrainStep[][] = [[{ say: 'Hello.' }, { tool: 'list_slots', args: {} }]]
  expect((await talk(line([]), turns, { tools, signal: over.signal })).ending).toBe('hung_up_by_callee')
})
