import { expect, it } from 'vitest'
import type { Cell } from './week.ts'
import { checksOf } from './why.ts'

const cell = (more: Partial<Cell>) =>
  ({ closedReason: null, note: null, max: 4, filled: 1, free: 3, ai: 2, aiFilled: 0, ...more }) as Cell
const failing = (more: Partial<Cell>) =>
  checksOf(cell(more), undefined)
    .filter((each) => !each.isFine)
    .map((each) => each.text)

it('names every rule that stands in the way, and only those', () => {
  expect(failing({})).toEqual([])
  expect(failing({ closedReason: 'holiday', note: 'Diwali', free: 0 })).toEqual(['The branch has a holiday (Diwali)'])
  expect(failing({ closedReason: 'past', free: 0 })).toEqual(['The time is over'])
  expect(failing({ filled: 4, free: 0, aiFilled: 2 })).toEqual([
    '4 of 4 places are booked',
    'The AI agent has booked 2 of the 2 it may',
  ])
  expect(failing({ filled: 3, free: 0 })).toEqual(['3 of 4 places are booked, 1 held in a running call'])
})
