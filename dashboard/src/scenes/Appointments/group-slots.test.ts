import type { SlotOnDate } from '@parley/contract/slot-dates'
import { expect, it } from 'vitest'
import { byDate, freeIn, slotLabel } from './group-slots.ts'

const slot = (more: Partial<SlotOnDate>) =>
  ({
    date: '2026-11-16',
    session: 'Morning',
    batch: null,
    appointment_type: null,
    available_slots: 3,
    ai_available_slots: 1,
    ...more,
  }) as SlotOnDate

it('slots stand under their date, in the order they came', () => {
  const days = byDate([slot({}), slot({ date: '2026-11-17' }), slot({ session: 'Evening' })])
  expect(days.map(([date, slots]) => [date, slots.map((each) => each.session)])).toEqual([
    ['2026-11-16', ['Morning', 'Evening']],
    ['2026-11-17', ['Morning']],
  ])
})

it('what is free for the agent is what its ceiling leaves', () => {
  expect([freeIn(slot({}), 'staff'), freeIn(slot({}), 'api'), freeIn(slot({}), 'ai')]).toEqual([3, 3, 1])
})

it('a label names session, batch and service, and leaves out what there is not', () => {
  const services = [{ appointment_type_id: 's1', name: 'Check-up' }]
  expect(slotLabel(slot({ batch: 'A', appointment_type: 's1' }), services)).toBe('Morning · A · Check-up')
  expect(slotLabel(slot({}), services)).toBe('Morning')
})
