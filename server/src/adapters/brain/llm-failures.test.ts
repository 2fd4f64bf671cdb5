import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import * as model from '../../../test/llm-server.ts'
import { type Outcome, outcomeOf, secondTurn } from '../../../test/llm-turn.ts'
import type { BrainStep } from '../../voice/ports.ts'

const llm = await model.startLlmServer()
afterAll(() => llm.close())
const { text, finish, done } = model

const turn = (options: Partial<Parameters<typeof secondTurn>[0]> = {}) => secondTurn({ url: llm.url, ...options })
const lastRequest = () => llm.requests.at(-1) as model.ChatRequest

describe('a model fails', () => {
  const html = '<!doctype html><title>Sign in</title>'
  it.each<[string, model.Act[], { failed: string; steps?: BrainStep[] }]>([
    ['500', [model.status(500)], { failed: 'http' }],
    ['429', [model.status(429)], { failed: 'http' }],
    ['a page instead of a stream', [model.status(200, html, 'text/html')], { failed: 'malformed' }],
    ['a stream that is a page', [model.raw(html), model.end], { failed: 'cut' }],
    ['no answer at all', [model.cut], { failed: 'connection' }],
    ['cut after a sentence', [text('I see. Then'), model.cut], { failed: 'cut', steps: [{ say: 'I see.' }] }],
    ['ended without a reason', [text('I see. Then'), model.end], { failed: 'cut', steps: [{ say: 'I see.' }] }],
    ['malformed JSON', [text('I see. Then'), model.raw('data: {"choi\n\n')], { failed: 'malformed' }],
    ['an error in the stream', [model.event({ error: { message: 'overloaded' } }), done], { failed: 'malformed' }],
    ['an endless event', [model.forEver(model.raw(`data: ${' '.repeat(50_000)}`), 0)], { failed: 'malformed' }],
    ['an empty answer', [finish('stop'), done], { failed: 'empty' }],
    ['nothing but marks', [text('** \n\0 **'), finish('stop'), done], { failed: 'empty' }],
    ['a tool call as text', [text('<tool_call>{"name":"end_call"}'), finish('stop'), done], { failed: 'not_speech' }],
  ])('with %s', async (_, acts, wanted) => {
    llm.next(...acts, model.hang)
    expect(await outcomeOf(turn())).toMatchObject(wanted)
    await lastRequest().over
  })

  it.each<[string, model.Act[], { firstTokenMs?: number; turnMs?: number }, string]>([
    ['no answer', [model.hang], { firstTokenMs: 100 }, 'first_token_timeout'],
    [
      'a slow first token',
      [model.delta({ role: 'assistant' }), model.hang],
      { firstTokenMs: 100 },
      'first_token_timeout',
    ],
    ['comments only', [model.forEver(model.raw(': wait\n\n'), 10)], { firstTokenMs: 100 }, 'first_token_timeout'],
    ['a slow drip', [model.forEver(text('m'), 10)], { turnMs: 300 }, 'timeout'],
    ['a stall', [text('I see. Then'), model.hang], { turnMs: 300 }, 'timeout'],
  ])('by time-out with %s', async (_, acts, limits, failed) => {
    llm.next(...acts)
    expect(await outcomeOf(turn(limits))).toMatchObject({ failed })
    expect(await lastRequest().over).toBe('left')
  })

  it('with a redirect, which is not followed', async () => {
    const asked = llm.requests.length
    llm.next(model.redirect)
    expect((await outcomeOf(turn())).error).toMatchObject({ code: 'http', status: 307 })
    expect(llm.requests).toHaveLength(asked + 1)
  })

  it('when nobody listens at its address', async () => {
    expect(await outcomeOf(turn({ url: 'http://127.0.0.1:1/v1' }))).toMatchObject({ failed: 'connection' })
  })

  it('and tells the status, but neither the key nor the address nor any words', async () => {
    llm.next(model.status(401, '{"error":{"message":"Incorrect API key sk-secret"}}'))
    const { error } = await outcomeOf(turn())
    expect(error).toMatchObject({
      code: 'http',
      status: 401,
      message: 'The model answered with an error status (401).',
    })
    // fetch quotes both of these in its complaints.
    const lineBreakInKey = await outcomeOf(turn({ key: 'sk-secret\n2' }))
    const passwordInUrl = await outcomeOf(turn({ url: 'http://me:sk-secret@127.0.0.1:1/v1' }))
    for (const { failed } of [lineBreakInKey, passwordInUrl]) expect(failed).toBe('connection')
    for (const each of [error, lineBreakInKey.error, passwordInUrl.error]) {
      expect(inspect(each, { depth: 9, showHidden: true })).not.toMatch(/sk-secret|127\.0\.0\.1|Ravi/)
    }
  })
})

describe('an aborted turn', () => {
  it.each<[string, model.Act[]]>([
    ['before the answer', [model.hang]],
    ['in the middle of it', [text('I see. Then'), model.hang]],
  ])('just ends, %s, and the model sees the connection closed', async (_, acts) => {
    const stop = new AbortController()
    const asked = llm.requests.length
    llm.next(...acts)
    const running = outcomeOf(turn({ signal: stop.signal }))
    await expect.poll(() => llm.requests.length).toBe(asked + 1)
    await sleep(20)
    stop.abort()
    expect(await running).not.toHaveProperty('failed')
    expect(await lastRequest().over).toBe('left')
  })

  it('says nothing more of what it has already read', async () => {
    const stop = new AbortController()
    llm.next(text('One. Two. Three. '), finish('stop'), done)
    const seen: BrainStep[] = []
    for await (const step of turn({ signal: stop.signal })) {
      seen.push(step)
      stop.abort()
    }
    expect(seen).toEqual([{ say: 'One.' }])
  })

  it('asks nothing when it was aborted before', async () => {
    const asked = llm.requests.length
    expect(await outcomeOf(turn({ signal: AbortSignal.abort() }))).toEqual({ steps: [] })
    expect(llm.requests).toHaveLength(asked)
  })
})

describe('nothing stays behind', () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  it.each<[string, model.Act[], 'answered' | 'left', Outcome]>([
    ['a good turn', [text('Yes. No.'), finish('stop'), done], 'answered', { steps: [{ say: 'Yes.' }, { say: 'No.' }] }],
    ['a failure', [model.raw('data: {\n\n'), model.hang], 'left', { steps: [], failed: 'malformed' }],
    ['a listener who left', [text('Yes. No'), model.hang], 'left', { steps: [{ say: 'Yes.' }] }],
  ])('after %s', async (leaver, acts, over, wanted) => {
    const { signal } = new AbortController()
    const before = timers()
    llm.next(...acts)
    const steps = turn({ signal })
    expect(await outcomeOf(leaver === 'a listener who left' ? firstOf(steps) : steps)).toMatchObject(wanted)
    expect(await lastRequest().over).toBe(over)
    await sleep(1)
    expect(timers()).toBeLessThanOrEqual(before)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})

async function* firstOf<T>(steps: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const step of steps) {
    yield step
    break
  }
}
