import { expect, it } from 'vitest'
import { ApiFailure } from '../../api-failure.ts'
import type { CallRow } from './rows.ts'
import { startRun } from './run.ts'

const rowsOf = (count: number): CallRow[] =>
  Array.from({ length: count }, (_, i) => ({
    line: i + 2,
    number: String(i),
    name: '',
    body: {} as never,
    faults: [],
    notes: [],
  }))
const failure = (status: number, retryAfterSeconds?: number) =>
  new ApiFailure({ status, code: 'X', message: 'No.', details: [], requestId: 'req_1', retryAfterSeconds })

/** A clock that moves when somebody sleeps. */
const world = () => {
  let ms = 0
  return {
    now: () => ms,
    sleep: async (by: number) => {
      ms += by
      await Promise.resolve()
    },
  }
}

it('every row is sent once, never more than four at a time', async () => {
  let [open, most] = [0, 0]
  const asked: string[] = []
  const run = startRun(rowsOf(23), {
    ...world(),
    send: async ({ number }) => {
      open += 1
      most = Math.max(most, open)
      asked.push(number)
      await new Promise((done) => setImmediate(done))
      open -= 1
      return { callId: `call_${number}`, replayed: false }
    },
  })
  await run.finished
  expect(run.get().state).toBe('done')
  expect(new Set(asked).size).toBe(23)
  expect(asked).toHaveLength(23)
  expect(most).toBe(4)
})

it('waits as long as the server asks, then sends the same row again', async () => {
  const clock = world()
  const times: number[] = []
  const run = startRun(rowsOf(1), {
    ...clock,
    send: async () => {
      times.push(clock.now())
      if (times.length === 1) throw failure(429, 7)
      return { callId: 'call_1', replayed: false }
    },
  })
  await run.finished
  expect(times[1]).toBeGreaterThanOrEqual(7000)
  expect(run.get().sent).toMatchObject([{ outcome: { kind: 'placed', callId: 'call_1' } }])
})

it('silence is tried again and given up in the end; a refusal is not', async () => {
  const asked: string[] = []
  const run = startRun(rowsOf(2), {
    ...world(),
    send: async ({ number }) => {
      asked.push(number)
      throw failure(number === '0' ? 0 : 422)
    },
  })
  await run.finished
  expect(asked.filter((each) => each === '0')).toHaveLength(5)
  expect(asked.filter((each) => each === '1')).toHaveLength(1)
  expect(run.get().sent.find(({ row }) => row.number === '1')?.outcome).toEqual({
    kind: 'refused',
    message: 'No.',
    requestId: 'req_1',
  })
})

it('pauses between rows, goes on, and stops without losing what was sent', async () => {
  const run = startRun(rowsOf(40), {
    now: Date.now,
    sleep: () => new Promise((done) => setTimeout(done, 1)),
    send: async ({ number }) => {
      await new Promise((done) => setTimeout(done, 1))
      return { callId: number, replayed: false }
    },
  })
  run.pause()
  await new Promise((done) => setTimeout(done, 30))
  const paused = run.get().sent.length
  expect(paused).toBeLessThanOrEqual(4)
  run.subscribe(() => {
    if (run.get().sent.length >= 10) run.stop()
  })
  run.resume()
  await run.finished
  const { state, sent } = run.get()
  expect(state).toBe('stopped')
  expect(sent.length).toBeLessThan(20)
  expect(new Set(sent.map(({ row }) => row.number)).size).toBe(sent.length)
})

it('stops when the session has ended', async () => {
  const run = startRun(rowsOf(9), { ...world(), send: () => Promise.reject(failure(401)) })
  await run.finished
  expect(run.get()).toMatchObject({ state: 'stopped', sent: [] })
})
