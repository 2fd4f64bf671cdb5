import type { TrackingRecord } from '@parley/contract/slot-dates'
import { describe, expect, it } from 'vitest'
import { cellsAt, cellsOf, cellWords, nextSpot, shownCells, stateOf } from './week.ts'

const record = (more: Partial<TrackingRecord> = {}): TrackingRecord =>
  ({
    calendar_id: 'c1',
    slot_id: 'c1||2026-11-16||s1',
    date: '2026-11-16',
    day: 'monday',
    session: 'Morning',
    batch: 'A',
    start_time: '09:00',
    end_time: '12:00',
    starts_at: '2026-11-16T09:00:00+05:30',
    ends_at: '2026-11-16T12:00:00+05:30',
    timezone: 'Asia/Kolkata',
    appointment_type: 's1',
    appointment_type_name: 'Check-up',
    shared_capacity: false,
    max_slots: 4,
    ai_slots: 2,
    filled_slots: 3,
    window_filled_slots: 3,
    ai_filled_slots: 1,
    available_slots: 1,
    ai_available_slots: 1,
    status: 'OPEN',
    closed_reason: null,
    note: null,
    is_override: false,
    ...more,
  }) as TrackingRecord

const before = new Date('2026-11-15T00:00:00Z')

describe('cells', () => {
  it('a window for several services is one cell with the count of all of them', () => {
    const shared = { shared_capacity: true, window_filled_slots: 4, available_slots: 0 }
    const cells = cellsOf(
      [record({ ...shared, filled_slots: 1 }), record({ ...shared, filled_slots: 3, appointment_type: 's2' })],
      before,
    )
    expect(cells).toHaveLength(1)
    expect(cells[0]).toMatchObject({ filled: 4, serviceId: null, label: 'A' })
    expect(stateOf(cells[0] as (typeof cells)[0]).word).toBe('Full')
  })

  it('what has ended is over, though it was planned to be open', () => {
    const [cell] = cellsOf([record()], new Date('2026-11-16T06:30:00Z'))
    expect(cell).toMatchObject({ closedReason: 'past', free: 0, aiFree: 0 })
  })

  it('a window that is switched off is left out, unless asked for or booked', () => {
    const off = { closed_reason: 'window_closed', status: 'CLOSED' } as const
    const cells = cellsOf(
      [record({ ...off, window_filled_slots: 0 }), record({ ...off, calendar_id: 'c2', window_filled_slots: 1 })],
      before,
    )
    expect(shownCells(cells, false).map((each) => each.calendarId)).toEqual(['c2'])
    expect(shownCells(cells, true)).toHaveLength(2)
    expect(cellsAt(cells, 'Evening', '2026-11-16')).toEqual([])
  })

  it('is read out with everything that is seen', () => {
    const [cell] = cellsOf([record({ closed_reason: 'holiday', note: 'Diwali', is_override: true })], before)
    expect(cellWords(cell as NonNullable<typeof cell>, 'Monday')).toBe(
      'Monday, Morning · A · Check-up, 09:00 to 12:00, 3 of 4 booked, AI 1 of 2, Holiday, Diwali, differs from the weekly rule',
    )
  })
})

describe('arrows', () => {
  const layout = [
    [2, 0, 1],
    [1, 1, 0],
  ]
  it('move within a cell, over empty ones, and stay at the edge', () => {
    expect(nextSpot(layout, { row: 0, column: 0, index: 0 }, 'ArrowDown')).toEqual({ row: 0, column: 0, index: 1 })
    expect(nextSpot(layout, { row: 0, column: 0, index: 1 }, 'ArrowDown')).toEqual({ row: 1, column: 0, index: 0 })
    expect(nextSpot(layout, { row: 1, column: 0, index: 0 }, 'ArrowUp')).toEqual({ row: 0, column: 0, index: 1 })
    expect(nextSpot(layout, { row: 0, column: 0, index: 1 }, 'ArrowRight')).toEqual({ row: 0, column: 2, index: 0 })
    expect(nextSpot(layout, { row: 0, column: 2, index: 0 }, 'ArrowRight')).toEqual({ row: 0, column: 2, index: 0 })
    expect(nextSpot(layout, { row: 1, column: 1, index: 0 }, 'ArrowUp')).toEqual({ row: 1, column: 1, index: 0 })
    expect(nextSpot(layout, { row: 1, column: 1, index: 0 }, 'Enter')).toEqual({ row: 1, column: 1, index: 0 })
  })
})
