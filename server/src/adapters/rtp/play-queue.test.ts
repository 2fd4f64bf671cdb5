import { describe, expect, it } from 'vitest'
import { counterAt, createPlayQueue } from './play-queue.ts'

const samples = (length: number, value: number) => new Int16Array(length).fill(value)
const setUp = () => {
  const counters = new Int32Array(new SharedArrayBuffer(8))
  const queue = createPlayQueue(counters)
  const take = () => {
    const frame = new Int16Array(4)
    return queue.take(frame) ? [...frame] : null
  }
  return { counters, queue, take }
}

describe('what is to be played', () => {
  it('pieces of any length become frames, the last filled up with silence', () => {
    const { counters, queue, take } = setUp()
    queue.add(samples(3, 1))
    queue.add(samples(0, 9))
    queue.add(samples(6, 2))
    expect([take(), take(), take(), take()]).toEqual([[1, 1, 1, 2], [2, 2, 2, 2], [2, 0, 0, 0], null])
    expect(counters[counterAt.played]).toBe(9)
  })

  it('a flush drops what was written before it, also what is still on its way, and nothing written after it', () => {
    const { counters, queue, take } = setUp()
    queue.add(samples(6, 1))
    expect(take()).toEqual([1, 1, 1, 1])
    Atomics.store(counters, counterAt.flushed, 6 + 5)
    expect(take()).toBeNull()
    queue.add(samples(5, 2))
    queue.add(samples(4, 3))
    expect(take()).toEqual([3, 3, 3, 3])
    expect(counters[counterAt.played]).toBe(15)
  })

  it('counters that go round do no harm', () => {
    const counters = new Int32Array(new SharedArrayBuffer(8)).fill(0x7fff_fffe)
    const queue = createPlayQueue(counters)
    queue.add(samples(4, 1))
    expect(queue.take(new Int16Array(4))).toBe(true)
    Atomics.store(counters, counterAt.flushed, (0x7fff_fffe + 8) | 0)
    queue.add(samples(4, 1))
    expect(queue.take(new Int16Array(4))).toBe(false)
  })
})
