import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Header, ReceivedMessage } from './message.ts'
import { createSessionTimer, grantInterval, intervalOfAnswer } from './session-timer.ts'
import { rfcTiming } from './timing.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const message = (...headers: Header[]) => ({ headers }) as unknown as ReceivedMessage
const saying = (value: string) => message(['session-expires', value], ['supported', 'timer'])
const longer = ['2147484', '4294967295', '99999999999999999999']

describe('an interval longer than any timer', () => {
  it.each(longer)('%s seconds does not end the call at once, whoever refreshes', (seconds) => {
    for (const refresher of ['uac', 'uas']) {
      const done: string[] = []
      const timer = createSessionTimer({ refresh: () => done.push('refresh'), expire: () => done.push('expire') })
      timer.arm(intervalOfAnswer(saying(`${seconds};refresher=${refresher}`)))
      vi.advanceTimersByTime(3_600_000)
      expect(done).toEqual([])
      timer.stop()
    }
  })

  it.each(longer)('%s seconds, asked for by the other side, is granted as a day', (seconds) => {
    expect(grantInterval(saying(seconds), rfcTiming)).toMatchObject({
      interval: { seconds: 86_400, weRefresh: false },
      headers: [
        ['session-expires', '86400;refresher=uac'],
        ['require', 'timer'],
      ],
    })
  })

  it('is granted no shorter than the least the other side takes', () => {
    const asked = message(['session-expires', '200000'], ['min-se', '100000'])
    expect(grantInterval(asked, rfcTiming)).toMatchObject({ interval: { seconds: 100_000 } })
  })
})

it('a usual interval is refreshed at half time and ends the call at its end', () => {
  const done: string[] = []
  const timer = createSessionTimer({ refresh: () => done.push('refresh'), expire: () => done.push('expire') })
  timer.arm(intervalOfAnswer(saying('1800;refresher=uac')))
  vi.advanceTimersByTime(900_000)
  expect(done).toEqual(['refresh'])
  vi.advanceTimersByTime(900_000)
  expect(done).toEqual(['refresh', 'refresh', 'expire'])
  expect(intervalOfAnswer(saying('soon'))).toBeNull()
})
