import { expect, it } from 'vitest'
import { firstTurn, type TurnInput, type TurnState, takeInput } from './turn-taking.ts'

/** Feeds frames up to a moment, and tells what was decided when. */
function follow() {
  let state: TurnState = firstTurn
  const log: string[] = []
  const give = (input: TurnInput) => {
    const [next, actions] = takeInput(state, input)
    state = next
    for (const action of actions) log.push(`${state.activity.nowMs} ${'text' in action ? action.text : action.type}`)
  }
  return {
    log,
    give,
    until: (ms: number, voiced = false, agentLeftMs = 5_000) => {
      while (state.activity.nowMs < ms) give({ type: 'frame', voiced, agentLeftMs })
    },
  }
}
const words = (text: string, final = true): TurnInput => ({ type: 'words', stretch: 1, text, final })

it('a turn: recognised from the first pause on, answered after the second', () => {
  const { log, give, until } = follow()
  until(1_000)
  until(1_600, true)
  until(2_000)
  give(words('on Monday'))
  until(3_000)
  expect(log).toEqual(['1060 open', '1960 close', '2160 on Monday'])
})

it('over the agent: halted after 400 ms of voice, and the floor given up for words', () => {
  const { log, give, until } = follow()
  give({ type: 'speak', language: 'en' })
  until(1_000)
  until(1_700, true)
  until(2_100)
  give(words('wait a moment'))
  expect(log).toEqual(['1060 open', '1400 halt', '2060 close', '2100 yield'])
})

it('over the agent: a noise lets it go on two seconds after it was halted', () => {
  const { log, give, until } = follow()
  give({ type: 'speak', language: 'en' })
  until(500, true)
  until(900)
  give(words(''))
  until(3_000)
  expect(log).toEqual(['60 open', '400 halt', '860 close', '2400 resume'])
})

it('over the agent: "go on" lets it go on at once, and with words known early it is not even halted', () => {
  const late = follow()
  late.give({ type: 'speak', language: 'hi' })
  late.give({ type: 'speak', language: 'hi' })
  late.until(500, true)
  late.until(900)
  late.give(words('haan ji'))
  expect(late.log).toEqual(['60 open', '400 halt', '860 close', '900 resume'])
  const early = follow()
  early.give({ type: 'speak', language: 'hi' })
  early.give({ type: 'speak', language: 'hi' })
  early.until(300, true)
  early.give(words('haan', false))
  early.until(600, true)
  early.until(1_000)
  early.give(words('haan ji'))
  early.until(4_000)
  expect(early.log).toEqual(['60 open', '960 close'])
})

it('somebody who never pauses is answered after a minute', () => {
  const { log, give, until } = follow()
  for (let stretch = 1; stretch <= 3; stretch += 1) {
    until(28_000 * stretch, true)
    give({ type: 'words', stretch, text: `part ${stretch}`, final: true })
  }
  until(90_000, true)
  expect(log.filter((line) => line.includes('part'))).toHaveLength(1)
})
