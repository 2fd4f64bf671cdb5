import { expect, it } from 'vitest'
import { barsOf } from './bars.ts'

it('the busiest hour fills the height, one failure among thousands is still seen, nothing is nothing', () => {
  const bars = barsOf(
    [
      { succeeded: 0, failed: 0 },
      { succeeded: 4_999, failed: 1 },
      { succeeded: 2_500, failed: 0 },
    ],
    32,
  )
  expect(bars).toEqual([
    { hour: 0, good: 0, bad: 0 },
    { hour: 1, good: 30, bad: 2 },
    { hour: 2, good: 16, bad: 0 },
  ])
})
