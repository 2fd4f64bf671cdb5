import { expect, it } from 'vitest'
import { barsOf, dayName, niceTop } from './bars.ts'

it.each([
  [0, 4],
  [4, 4],
  [7, 10],
  [11, 20],
  [21, 50],
  [51, 100],
  [1_234, 2_000],
])('%i fits under %i', (most, top) => expect(niceTop(most)).toBe(top))

it('bars stand on each other, never leave the picture, and nothing is drawn for nothing', () => {
  const size = { width: 100, height: 50 }
  const { rects } = barsOf(
    [
      { name: 'a', label: '', parts: [3, 2] },
      { name: 'b', label: 'b', parts: [0, 0] },
    ],
    size,
  )
  expect(rects.map((each) => [each.box.y, each.box.height])).toEqual([
    [20, 30],
    [0, 20],
  ])
  expect(barsOf([], size).rects).toEqual([])
})

it('a date is the same day everywhere', () => expect(dayName('2026-11-16')).toBe('Mon 16 Nov'))
