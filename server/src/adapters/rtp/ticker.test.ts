import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { startTicker, type TickerOptions } from './ticker.ts'

/** A clock that the test moves; the timers are real. */
function ticking(stallAt: (tick: number) => number) {
  let shift = 0
  const began = performance.now()
  const now = () => performance.now() - began + shift
  const due: number[] = []
  const turns: number[] = []
  const options: TickerOptions = {
    intervalMs: 20,
    now,
    onTick(dueMs) {
      due.push(dueMs)
      shift += stallAt(due.length)
    },
    onTurn: () => void turns.push(due.length),
  }
  return { due, turns, ticker: startTicker(options) }
}

describe('the ticker', () => {
  it('makes up at once for what a stall has cost, in one turn, and does not drift', async () => {
    const { due, turns, ticker } = ticking((tick) => (tick === 3 ? 500 : 0))
    await vi.waitUntil(() => due.length >= 35, { timeout: 20_000 })
    ticker.stop()
    for (let i = 1; i < due.length; i += 1) expect((due[i] ?? 0) - (due[i - 1] ?? 0)).toBeCloseTo(20, 5)
    expect(Math.max(...turns.map((count, index) => count - (turns[index - 1] ?? 0)))).toBeGreaterThanOrEqual(25)
    expect(ticker.figures().skipped).toBe(0)
    expect(ticker.figures().ticks).toBe(due.length)
  })

  it('after a very long stall gives up what is older than a second, by whole frames', async () => {
    const { due, ticker } = ticking((tick) => (tick === 2 ? 3_600_000 : 0))
    await vi.waitUntil(() => due.length >= 30, { timeout: 20_000 })
    ticker.stop()
    const { skipped, ticks } = ticker.figures()
    expect(skipped).toBeGreaterThanOrEqual((3_600_000 - 1_020) / 20 - 1)
    expect(ticks).toBeLessThan(200)
    expect(((due.at(-1) ?? 0) - (due[0] ?? 0)) % 20).toBeCloseTo(0, 3)
  })

  it('is silent once stopped', async () => {
    const { due, ticker } = ticking(() => 0)
    await vi.waitUntil(() => due.length >= 2)
    ticker.stop()
    const { length } = due
    await sleep(60)
    expect(due.length).toBe(length)
  })
})
