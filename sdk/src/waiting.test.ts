import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pause, withinTime } from './waiting.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('nothing is left behind: no timer that keeps a program alive, no listener on a signal that lives long', () => {
  const long = new AbortController().signal
  const expectNothingLeft = () => {
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(long, 'abort')).toEqual([])
  }

  it('after work that was done', async () => {
    expect(await withinTime(async () => 'done', 30_000, long)).toBe('done')
    expectNothingLeft()
  })

  it('after work that failed', async () => {
    const work = () => Promise.reject(new Error('failed'))
    await expect(withinTime(work, 30_000, long)).rejects.toThrow('failed')
    expectNothingLeft()
  })

  it('after a pause', async () => {
    const pausing = pause(1_000, long)
    await vi.advanceTimersByTimeAsync(1_000)
    await pausing
    expectNothingLeft()
  })

  it('after a pause that was given up', async () => {
    const giveUp = new AbortController()
    const pausing = pause(1_000, giveUp.signal)
    giveUp.abort('enough')
    await expect(pausing).rejects.toBe('enough')
    expect(vi.getTimerCount()).toBe(0)
  })
})
