import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import * as model from '../../../test/llm-server.ts'
import { context, outcomeOf, secondTurn, tools } from '../../../test/llm-turn.ts'
import type { BrainStep } from '../../voice/ports.ts'
import { createLlmBrain } from './llm.ts'

const llm = await model.startLlmServer()
afterAll(() => llm.close())
const { text, tool, finish, done } = model

const turn = (options: Partial<Parameters<typeof secondTurn>[0]> = {}) => secondTurn({ url: llm.url, ...options })
const lastRequest = () => llm.requests.at(-1) as model.ChatRequest

describe('what a model says', () => {
  it('is spoken sentence by sentence, while the model still talks', async () => {
    let go = () => {}
    const heardTheFirst = new Promise<void>((resolve) => {
      go = resolve
    })
    llm.next(text('Good mor'), text('ning. How'), model.until(heardTheFirst), text(' are you?'), finish('stop'), done)
    const seen: BrainStep[] = []
    for await (const step of turn()) {
      seen.push(step)
      go()
    }
    expect(seen).toEqual([{ say: 'Good morning.' }, { say: 'How are you?' }])
  })

  it('keeps characters whole that were cut between two chunks', async () => {
    const event = Buffer.from('data: {"choices":[{"delta":{"content":"नमस्ते रवि। ठीक है 😀"}}]}\r\n\r\n')
    const bytes = Array.from(event, (byte) => model.raw(Uint8Array.of(byte)))
    llm.next(...bytes, finish('stop'), done)
    expect(await outcomeOf(turn())).toEqual({ steps: [{ say: 'नमस्ते रवि।' }, { say: 'ठीक है 😀' }] })
  })

  it('may come with comments, usage and without [DONE]', async () => {
    llm.next(model.raw(': ping\n\n'), text('Yes.'), finish('stop'), model.event({ choices: [], usage: {} }), model.end)
    expect(await outcomeOf(turn())).toEqual({ steps: [{ say: 'Yes.' }] })
  })

  it('ends soon after the reason to stop, also when the connection stays open', async () => {
    llm.next(text('Yes.'), finish('stop'), model.hang)
    expect(await outcomeOf(turn())).toEqual({ steps: [{ say: 'Yes.' }] })
    expect(await lastRequest().over).toBe('left')
  })

  it('is cut at a sentence after 2,000 characters', async () => {
    const sentence = `And another thing${', my friend'.repeat(10)}.`
    llm.next(model.forEver(text(`${sentence} `), 0))
    const { steps, failed } = await outcomeOf(turn())
    const said = steps.map((step) => ('say' in step ? step.say : ''))
    expect(failed).toBeUndefined()
    expect(new Set(said)).toEqual(new Set([sentence]))
    expect(said.join('').length).toBeGreaterThan(1_800)
    expect(said.join('').length).toBeLessThanOrEqual(2_000)
    expect(await lastRequest().over).toBe('left')
  })

  it('is cut after 20 sentences', async () => {
    llm.next(model.forEver(text('Well. '), 0))
    expect(await outcomeOf(turn())).toEqual({ steps: Array(20).fill({ say: 'Well.' }) })
  })

  it('is cut at a word when its first sentence never ends', async () => {
    llm.next(model.forEver(text('and so on '), 0))
    const { steps } = await outcomeOf(turn())
    expect(steps).toHaveLength(1)
    expect(JSON.stringify(steps)).toMatch(/on"}]$/)
  })
})

describe('a tool', () => {
  const booking = [{ say: 'One moment.' }, { tool: 'book_appointment', args: { slot_id: 'a-1' } }]

  it('is put together from many pieces and comes after the words before it', async () => {
    const pieces = [...'{"slot_id":"a-1"}'].map((piece) => tool(0, null, null, piece))
    llm.next(text('One moment.'), tool(0, 'c1', 'book_appointment', ''), ...pieces, finish('tool_calls'), done)
    expect(await outcomeOf(turn())).toEqual({ steps: booking })
  })

  it.each([
    ['numbered', [0, 1]],
    ['not numbered', [null, null]],
    ['all numbered 0', [0, 0]],
  ])('is the first of two (%s)', async (_, [first = null, second = null]) => {
    const two = [tool(first, 'c1', 'book_appointment', '{"slot_id":'), tool(first, null, null, '"a-1"}')]
    llm.next(text('One moment.'), ...two, tool(second, 'c2', 'end_call', '{}'), finish('tool_calls'), done)
    expect(await outcomeOf(turn())).toEqual({ steps: booking })
  })

  it('silences what the model says after it: the result is not known yet', async () => {
    llm.next(tool(0, 'c1', 'list_slots', ''), text('You are booked.'), finish('tool_calls'), done)
    expect(await outcomeOf(turn())).toEqual({ steps: [{ tool: 'list_slots', args: {} }] })
  })

  it.each([
    ['arguments that are not JSON', tool(0, 'c', 'book_appointment', '{"slot_id":')],
    ['arguments that are no object', tool(0, 'c', 'end_call', '[]')],
    ['a required argument missing', tool(0, 'c', 'book_appointment', '{"slot":"a-1"}')],
    ['a name nobody offered', tool(0, 'c', 'transfer_to_human', '{}')],
    ['the name of an inherited property', tool(0, 'c', 'toString', '{}')],
    ['endless arguments', model.forEver(tool(0, 'c', 'end_call', ' '.repeat(1_000)), 0)],
  ])('is not used with %s', async (_, act) => {
    llm.next(text('Sure.'), act, finish('tool_calls'), done)
    expect(await outcomeOf(turn())).toMatchObject({ failed: 'bad_tool' })
  })
})

describe('a turn', () => {
  it('asks with key, model, tools and the talk so far', async () => {
    llm.next(text('Yes.'), finish('stop'), done)
    await outcomeOf(turn())
    const { path, headers, body } = lastRequest()
    expect(path).toBe('/v1/chat/completions')
    expect(headers.authorization).toBe('Bearer sk-secret')
    expect(body).toMatchObject({ model: 'small', stream: true })
    expect(body.tools).toHaveLength(3)
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  })

  it('sends no authorization without a key', async () => {
    llm.next(text('Yes.'), finish('stop'), done)
    await outcomeOf(turn({ key: undefined }))
    expect(lastRequest().headers.authorization).toBeUndefined()
  })

  it('is the greeting, word for word and without the model, when it is the first', async () => {
    const before = llm.requests.length
    const brain = createLlmBrain({ url: llm.url, model: 'small' })
    const first = brain.turn(context, [], tools, new AbortController().signal)
    expect(await outcomeOf(first)).toEqual({ steps: [{ say: context.greeting }] })
    expect(llm.requests).toHaveLength(before)
  })

  it('uses the connection of the turn before', async () => {
    const own = await model.startLlmServer()
    for (const _ of [1, 2, 3]) {
      own.next(tool(0, 'c', 'list_slots', '{}'), finish('tool_calls'), done)
      const stop = new AbortController()
      // As the conversation does it: the first tool is the end.
      for await (const _ of turn({ url: own.url, signal: stop.signal })) break
      stop.abort()
      await sleep(1)
    }
    expect(own.connections()).toBe(1)
    await own.close()
  })
})
