import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usualHours } from '../branches/branch.ts'
import type { NewHoliday } from '../branches/holiday.ts'
import { spanOn } from '../platform/local-time.ts'
import { type DaySlot, dayOf, refusalOf } from './day.ts'
import { slotOnDateView } from './slot-views.ts'
import { slotsOnDatesJson } from './slots-json.ts'
import type { WindowRecord } from './window.ts'

const date = '2026-11-16'
const window: WindowRecord = {
  calendarId: 'c',
  parentCalendarId: null,
  branchId: 'b',
  day: 'monday',
  session: 'Morning',
  batch: null,
  startTime: null,
  endTime: null,
  appointmentTypeId: null,
  maxSlots: 4,
  aiSlots: 2,
  status: 'OPEN',
  revision: 0,
  createdAt: new Date(0),
  updatedAt: new Date(0),
}
const slot: DaySlot = {
  calendarId: 'c',
  date,
  maxSlots: 9,
  aiSlots: 9,
  filled: 0,
  aiFilled: 0,
  held: 0,
  capacityOverride: false,
  startTime: null,
  endTime: null,
  status: null,
  note: null,
  revision: 0,
  updatedAt: new Date(0),
}
const holiday: NewHoliday = { startDate: '2026-11-09', endDate: '2026-11-29', reason: 'Diwali', hours: null }
type Given = { window?: Partial<WindowRecord>; slot?: Partial<DaySlot>; holidays?: NewHoliday[]; now?: string }
const day = ({ window: w = {}, slot: s, holidays = [], now }: Given) =>
  dayOf(
    { ...window, ...w },
    s ? { ...slot, ...s } : null,
    date,
    { timezone: 'Asia/Kolkata', sessionHours: usualHours, holidays },
    (on, start, end) => spanOn(on, start, end, 'Asia/Kolkata'),
    now === undefined ? null : new Date(now),
  )

describe('what decides whether a date is open', () => {
  it.each([
    ['the weekly rule', {}, null],
    ['a holiday, over the rule', { holidays: [holiday] }, 'holiday'],
    ['the date, over the holiday', { holidays: [holiday], slot: { status: 'OPEN' } }, null],
    ['the date, over the rule', { slot: { status: 'CLOSED' } }, 'date_closed'],
    ['the closed window, over everything', { window: { status: 'CLOSED' }, slot: { status: 'OPEN' } }, 'window_closed'],
    [
      'the holiday still, when the date only has another capacity',
      { holidays: [holiday], slot: { capacityOverride: true } },
      'holiday',
    ],
    [
      'the hours of a holiday do not close',
      { holidays: [{ ...holiday, hours: { Morning: { start: '10:00', end: '11:00' } } }] },
      null,
    ],
    ['its end, once it is over', { now: '2026-11-16T06:30:00Z' }, 'past'],
    ['not its start', { now: '2026-11-16T06:29:59.999Z' }, null],
  ] as [string, Given, string | null][])('%s', (_, given, reason) => {
    const { closedReason, status, available } = day(given)
    expect({ closedReason, status }).toEqual({ closedReason: reason, status: reason ? 'CLOSED' : 'OPEN' })
    expect(available).toBe(reason ? 0 : given.slot?.capacityOverride ? 9 : 4)
  })

  it('a holiday of three weeks is one entry, and ends with its last day', () => {
    expect(day({ holidays: [{ ...holiday, endDate: date }] }).status).toBe('CLOSED')
    expect(day({ holidays: [{ ...holiday, endDate: '2026-11-15' }] }).status).toBe('OPEN')
    expect(day({ holidays: [{ ...holiday, startDate: '2026-11-17' }] }).status).toBe('OPEN')
    expect(day({ holidays: [holiday] }).note).toBe('Diwali')
  })
})

describe('what decides the times', () => {
  const hours = { ...holiday, hours: { Morning: { start: '10:00', end: '11:00' } } }
  it.each([
    ["the branch's hours of the session", {}, '09:00 12:00'],
    ['those of a holiday with hours', { holidays: [hours] }, '10:00 11:00'],
    ["the window's own", { holidays: [hours], window: { startTime: '08:00', endTime: '08:30' } }, '08:00 08:30'],
    [
      "the date's own",
      { window: { startTime: '08:00', endTime: '08:30' }, slot: { startTime: '08:10' } },
      '08:10 08:30',
    ],
  ] as [string, Given, string][])('%s', (_, given, expected) => {
    const { startTime, endTime } = day(given)
    expect(`${startTime} ${endTime}`).toBe(expected)
  })
})

describe('capacity', () => {
  it("is the rule's until somebody is booked, then the date's; an override is the date's at once", () => {
    expect(day({ slot: {} })).toMatchObject({ maxSlots: 4, aiSlots: 2 })
    expect(day({ slot: { filled: 1 } })).toMatchObject({ maxSlots: 9, aiSlots: 9, available: 8 })
    expect(day({ slot: { capacityOverride: true } })).toMatchObject({ maxSlots: 9, available: 9 })
  })

  it('held places are not free, for nobody', () => {
    expect(day({ slot: { filled: 1, held: 3, aiFilled: 1, maxSlots: 4, aiSlots: 3 } })).toMatchObject({
      available: 0,
      aiAvailable: 0,
    })
  })

  it('is refused exactly when nothing is free, and never negative', () => {
    const small = fc.nat(5)
    fc.assert(
      fc.property(small, small, small, small, small, (max, ai, filled, aiFilled, held) => {
        const found = day({ slot: { capacityOverride: true, maxSlots: max, aiSlots: ai, filled, aiFilled, held } })
        expect(found.available).toBe(Math.max(0, max - filled - held))
        expect(found.aiAvailable).toBeLessThanOrEqual(found.available)
        expect(found.aiAvailable).toBeGreaterThanOrEqual(0)
        expect(refusalOf(found, 'staff') === null).toBe(found.available > 0)
        expect(refusalOf(found, 'ai') === null).toBe(found.aiAvailable > 0)
      }),
    )
  })
})

it('is written as JSON exactly as it is shown, whatever people have written into it', () => {
  const words = fc.option(fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(words, words, fc.constantFrom('OPEN', 'CLOSED', null), fc.nat(9), (batch, note, status, filled) => {
      const found = day({ window: { batch, appointmentTypeId: batch && 'b' }, slot: { note, status, filled } })
      expect(JSON.parse(slotsOnDatesJson([found, found]))).toEqual([slotOnDateView(found), slotOnDateView(found)])
    }),
  )
  expect(slotsOnDatesJson([])).toBe('[]')
})
