import { describe, expect, it } from 'vitest'
import { context, history, outcomeOf, tools } from '../../../test/llm-turn.ts'
import type { Brain, BrainStep } from '../../voice/ports.ts'
import { withFallback } from './with-fallback.ts'

/** Its turns one after the other; an error in a turn is thrown there. */
function scripted(...turns: (BrainStep | Error)[][]): Brain & { turns: number } {
  const brain = {
    turns: 0,
    async *turn() {
      const steps = turns[brain.turns] ?? [{ say: 'primary' }]
      brain.turns += 1
      for (const step of steps) {
        if (step instanceof Error) throw step
        yield step
      }
    },
  }
  return brain
}
const steady: Brain = {
  async *turn() {
    yield { say: 'fallback' }
  },
}
function call(primary: Brain) {
  const failures: unknown[] = []
  const brain = withFallback(primary, steady, (error) => failures.push(error))
  const turn = async (signal = new AbortController().signal) => {
    const { steps, error } = await outcomeOf(brain.turn(context, history, tools, signal))
    if (error) throw error
    return steps.map((step) => ('say' in step ? step.say : step.tool))
  }
  return { brain, turn, failures }
}
const broken = new Error('broken')

describe('with a fallback', () => {
  it('the primary has every turn as long as it works', async () => {
    const { turn, failures } = call(scripted([{ say: 'one' }, { tool: 'end_call', args: {} }]))
    expect([await turn(), await turn()]).toEqual([['one', 'end_call'], ['primary']])
    expect(failures).toEqual([])
  })

  it('a failure before the first word gives this turn and all later ones to the fallback', async () => {
    const primary = scripted([broken])
    const { turn, failures } = call(primary)
    expect([await turn(), await turn()]).toEqual([['fallback'], ['fallback']])
    expect(failures).toEqual([broken])
    expect(primary.turns).toBe(1)
  })

  it('a failure after the first word ends the turn with what was said; the next is the fallback’s', async () => {
    const { turn, failures } = call(scripted([{ say: 'I see.' }, broken]))
    expect([await turn(), await turn(), await turn()]).toEqual([['I see.'], ['fallback'], ['fallback']])
    expect(failures).toEqual([broken])
  })

  it('an aborted turn is no failure', async () => {
    const { turn, failures } = call(scripted([broken]))
    expect([await turn(AbortSignal.abort()), await turn()]).toEqual([[], ['primary']])
    expect(failures).toEqual([])
  })

  it('one call’s failure is not another’s', async () => {
    const primary = scripted([broken])
    expect(await call(primary).turn()).toEqual(['fallback'])
    expect(await call(primary).turn()).toEqual(['primary'])
  })

  it('a listener who leaves closes the primary’s turn', async () => {
    let closed = false
    const endless: Brain = {
      async *turn() {
        try {
          while (true) yield { say: 'more' }
        } finally {
          closed = true
        }
      },
    }
    for await (const _ of call(endless).brain.turn(context, history, tools, new AbortController().signal)) break
    expect(closed).toBe(true)
  })
})
