import type { Slot } from '@parley/contract/appointment-slots'
import { expect, it } from 'vitest'
import { draftOf, patchOf } from './day-draft.ts'
import type { Cell } from './week.ts'

const cell = { max: 6, ai: 2, start: '09:00', end: '12:00', note: 'Diwali', isOverride: false } as Cell
const window = { max_slots: 4, ai_slots: 2, start_time: '09:00', end_time: '12:00' } as Slot

it('only what is different from the date, or from the weekly rule, is sent', () => {
  const draft = draftOf(cell)
  expect(patchOf(cell, window, draft, 'date')).toEqual({})
  expect(patchOf(cell, window, draft, 'week')).toEqual({ max_slots: 6, ai_slots: 2 })
  expect(patchOf(cell, window, { ...draft, start: '10:00' }, 'date')).toEqual({
    start_time: '10:00',
    end_time: '12:00',
  })
})

it("a holiday's reason does not become the date's note; a note taken away is taken away", () => {
  expect(draftOf(cell).note).toBe('')
  const noted = { ...cell, isOverride: true }
  expect(patchOf(noted, window, { ...draftOf(noted), note: ' ' }, 'date')).toEqual({ note: null })
  expect(patchOf(cell, window, { ...draftOf(cell), note: 'Late' }, 'date')).toEqual({ note: 'Late' })
})
