import { describe, expect, it } from 'vitest'
import { plainContext } from '../../test/talk-context.ts'
import { converse } from './conversation.ts'
import type { Brain, BrainStep, Heard, SpeechLink, Tools, TransferOutcome } from './ports.ts'
import { type Transfer, usualLimits } from './turn.ts'

const connecting = 'I am putting you through.'
const refusedWords = 'Nobody could be reached.'
const tools: Tools = {
  transfer_to_human: { description: '', parameters: {}, run: async () => ({ ok: true, message: connecting }) },
}
const transferring: BrainStep[] = [{ say: 'One moment.' }, { tool: 'transfer_to_human', args: {} }]

/** A brain that hands over in its first turn, repeats a failure in plain words, and then says goodbye. */
const brain: Brain = {
  turn: async function* (_context, history) {
    const last = history.at(-1)
    if (last?.role === 'tool') yield { say: last.result.message }
    else if (history.length === 0) yield* transferring
    else yield* [{ say: 'Goodbye.' }, { tool: 'end_call', args: {} }] satisfies BrainStep[]
  },
}

async function talk(start?: Transfer['start'], over = new AbortController()) {
  const log: string[] = []
  const heard: Heard[] = [{ type: 'speech', text: 'Oh.', startedAt: 1 }]
  const link: SpeechLink = {
    say: async (text) => {
      log.push(text)
      return { heard: over.signal.aborted ? '' : text, startedAt: 0 }
    },
    listen: async () => heard.shift() ?? { type: 'gone' },
    seconds: () => 1,
  }
  const transfer = start && {
    refusedWords,
    start: (signal: AbortSignal): Promise<TransferOutcome> => {
      log.push('(transfer)')
      return start(signal)
    },
  }
  const result = await converse({
    link,
    brain,
    tools,
    context: plainContext,
    limits: { ...usualLimits, transferMs: 50 },
    transfer,
    onUtterance: () => {},
    signal: over.signal,
  })
  return { ...result, log, used: result.toolUses.map(({ name, result: { ok } }) => [name, ok]) }
}

describe('transfer_to_human', () => {
  it('without anybody to put through to, the talk ends as transferred after its sentence', async () => {
    const { ending, log, used } = await talk()
    expect(ending).toBe('transferred')
    expect(log).toEqual(['One moment.', connecting])
    expect(used).toEqual([['transfer_to_human', true]])
  })

  it('the carrier is asked once the sentence was said; when they are taken, the talk is over', async () => {
    const { ending, log, used } = await talk(async () => 'transferred')
    expect(ending).toBe('transferred')
    expect(log).toEqual(['One moment.', connecting, '(transfer)'])
    expect(used).toEqual([['transfer_to_human', true]])
  })

  it.each<[string, Transfer['start']]>([
    ['is refused', async () => 'refused'],
    ['fails', () => Promise.reject(new Error('no line'))],
    ['does not come to an end in time', () => new Promise(() => {})],
  ])('that %s is told to the callee, the talk goes on, and it counts as failed', async (_how, start) => {
    const { ending, log, used } = await talk(start)
    expect(log).toEqual(['One moment.', connecting, '(transfer)', refusedWords, 'Goodbye.'])
    expect(ending).toBe('finished')
    expect(used).toEqual([
      ['transfer_to_human', false],
      ['end_call', true],
    ])
  })

  it('whoever gives up waiting tells the carrier so', async () => {
    let isTold = false
    await talk((signal) => {
      signal.addEventListener('abort', () => {
        isTold = true
      })
      return new Promise(() => {})
    })
    expect(isTold).toBe(true)
  })

  it('a callee who hangs up meanwhile has hung up: neither transferred nor a fault of the agent', async () => {
    const over = new AbortController()
    const { ending, used } = await talk(() => {
      over.abort()
      return new Promise(() => {})
    }, over)
    expect(ending).toBe('hung_up_by_callee')
    expect(used).toEqual([['transfer_to_human', false]])
  })
})
