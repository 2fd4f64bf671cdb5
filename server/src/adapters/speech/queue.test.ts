import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createQueue } from './queue.ts'

const never = new AbortController().signal

describe('the queue of a voice', () => {
  it('runs no more at a time than it has lanes, in order', async () => {
    const queue = createQueue({ lanes: 2, longest: 10 })
    const order: number[] = []
    let [running, most] = [0, 0]
    const task = (index: number) => async () => {
      order.push(index)
      running += 1
      most = Math.max(most, running)
      await sleep(2)
      running -= 1
    }
    await Promise.all([0, 1, 2, 3, 4].map((index) => queue.run(task(index), never)))
    expect([order, most]).toEqual([[0, 1, 2, 3, 4], 2])
  })

  it('refuses when too much waits already', async () => {
    const queue = createQueue({ lanes: 1, longest: 1 })
    const first = queue.run(() => sleep(5), never)
    const second = queue.run(() => sleep(5), never)
    await expect(queue.run(() => sleep(5), never)).rejects.toThrow('Too much is waiting')
    await Promise.all([first, second])
    await queue.run(() => sleep(1), never)
  })

  it('lets one go that is not wanted any more, and goes on after a failure', async () => {
    const queue = createQueue({ lanes: 1, longest: 5 })
    const stopping = new AbortController()
    const failing = queue.run(() => Promise.reject(new Error('broken')), never)
    const unwanted = queue.run(async () => 'unwanted', stopping.signal)
    const wanted = queue.run(async () => 'wanted', never)
    stopping.abort(new Error('enough'))
    await Promise.all([expect(unwanted).rejects.toThrow('enough'), expect(failing).rejects.toThrow('broken')])
    expect(await wanted).toBe('wanted')
    await expect(queue.run(async () => 1, stopping.signal)).rejects.toThrow('enough')
  })
})
