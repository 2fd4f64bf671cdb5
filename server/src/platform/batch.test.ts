import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type BatchOptions, createBatcher } from './batch.ts'

const settled = (promises: Promise<unknown>[]) =>
  Promise.allSettled(promises).then((all) => all.map((each) => each.status))

/** Batches that return when they are released. */
function held(options: BatchOptions) {
  const batches: number[][] = []
  const releases: (() => void)[] = []
  const run = createBatcher<number, number>(async (items) => {
    batches.push(items)
    await new Promise<void>((resolve) => releases.push(resolve))
    return items
  }, options)
  return { run, batches, releases }
}

it('what arrives in one turn leaves in one batch, results in order', async () => {
  const batches: number[][] = []
  const double = createBatcher<number, number>(async (items) => {
    batches.push(items)
    return items.map((item) => item * 2)
  })
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
  expect(batches).toEqual([[1, 2, 3]])
})

it('what arrives while every lane is busy leaves together when one returns', async () => {
  const { run, batches, releases } = held({ lanes: 1 })
  const first = run(1)
  await nextTurn()
  const rest = [run(2), run(3), run(4)]
  await nextTurn()
  expect(batches).toEqual([[1]])
  releases.shift()?.()
  await first
  await nextTurn()
  await nextTurn()
  expect(batches).toEqual([[1], [2, 3, 4]])
  releases.shift()?.()
  expect(await Promise.all(rest)).toEqual([2, 3, 4])
})

it('one bad item fails alone; its neighbours succeed', async () => {
  const run = createBatcher<number, number>(async (items) => {
    if (items.includes(2)) throw new Error('bad row')
    return items
  })
  expect(await settled([1, 2, 3].map(run))).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it('an error that says nothing about single items fails the batch once', async () => {
  let runs = 0
  const run = createBatcher<number, number>(
    async () => {
      runs += 1
      throw new Error('database away')
    },
    { mayRetryAlone: () => false },
  )
  expect(await settled([1, 2, 3].map(run))).toEqual(['rejected', 'rejected', 'rejected'])
  expect(runs).toBe(1)
})

it('never more than the lanes run at once, and nothing is left waiting', async () => {
  let running = 0
  let most = 0
  const run = createBatcher<number, number>(
    async (items) => {
      running += 1
      most = Math.max(most, running)
      for (let turns = 0; turns < 20; turns += 1) await nextTurn()
      running -= 1
      return items
    },
    { lanes: 3, fullAt: 100, maxBatch: 5 },
  )
  const numbers = Array.from({ length: 200 }, (_, i) => i)
  expect(await Promise.all(numbers.map(run))).toEqual(numbers)
  expect(most).toBe(3)
})

it('a full batch leaves in the middle of a turn, and nothing beside it until it returns', async () => {
  const { run, batches, releases } = held({ fullAt: 3 })
  const all = [1, 2, 3, 4, 5].map(run)
  expect(batches).toEqual([[1, 2, 3]])
  await nextTurn()
  await nextTurn()
  expect(batches).toEqual([[1, 2, 3]])
  releases.shift()?.()
  await Promise.all(all.slice(0, 3))
  await nextTurn()
  await nextTurn()
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
  releases.shift()?.()
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5])
})
