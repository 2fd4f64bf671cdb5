import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { addDays, datesFrom, daysBetween, isDate, spanOn, spansIn, textIn, todayIn, weekdayOf } from './local-time.ts'

const newYork = 'America/New_York'
const textsOf = (date: string, start: string, end: string, zone: string) => {
  const { startsAt, endsAt } = spanOn(date, start, end, zone)
  return [startsAt.text, endsAt.text]
}

describe('dates', () => {
  it.each(['2026-11-16', '2024-02-29', '2000-02-29', '1970-01-01', '2999-12-31'])('%s exists', (date) => {
    expect(isDate(date)).toBe(true)
  })
  it.each([
    '2026-02-29',
    '2100-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '0000-01-01',
    '2026-1-1',
    '2026-11-16T00:00:00Z',
    '+02026-11-16',
    '٢٠٢٦-11-16',
    '',
  ])('%j does not', (date) => expect(isDate(date)).toBe(false))
  it('go on over month ends, year ends and leap days', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2026-01-31', 1)).toBe('2026-02-01')
    expect(datesFrom('2024-02-28', '2024-03-01')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01'])
    expect(datesFrom('2026-02-28', '2026-03-01')).toEqual(['2026-02-28', '2026-03-01'])
    expect(daysBetween('2026-11-16', '2026-11-16')).toBe(1)
    expect(daysBetween('2026-12-01', '2027-01-01')).toBe(32)
  })
  it('have the weekday of the calendar, whatever the zone of the machine', () => {
    expect(weekdayOf('2026-11-16')).toBe('monday')
    expect(weekdayOf('2024-02-29')).toBe('thursday')
    expect(weekdayOf('2027-01-01')).toBe('friday')
  })
  it('today is the day it is there', () => {
    const now = new Date('2026-11-14T20:00:00Z')
    expect(todayIn('Asia/Kolkata', now)).toBe('2026-11-15')
    expect(todayIn(newYork, now)).toBe('2026-11-14')
    expect(todayIn('Pacific/Kiritimati', new Date('2026-12-31T10:00:00Z'))).toBe('2027-01-01')
  })
})

describe('wall-clock times', () => {
  it('carry the offset of their date', () => {
    expect(textsOf('2026-11-16', '09:00', '12:00', 'Asia/Kolkata')).toEqual([
      '2026-11-16T09:00:00+05:30',
      '2026-11-16T12:00:00+05:30',
    ])
    expect(textsOf('2026-07-06', '09:00', '12:00', newYork)[0]).toBe('2026-07-06T09:00:00-04:00')
    expect(textsOf('2026-12-07', '09:00', '12:00', newYork)[0]).toBe('2026-12-07T09:00:00-05:00')
  })
  it('in the gap of spring shift forward, and nothing ends before it begins', () => {
    // 8 March 2026: 02:00 becomes 03:00.
    expect(textsOf('2026-03-08', '02:30', '05:00', newYork)).toEqual([
      '2026-03-08T03:30:00-04:00',
      '2026-03-08T05:00:00-04:00',
    ])
    expect(textsOf('2026-03-08', '01:30', '02:30', newYork)).toEqual([
      '2026-03-08T01:30:00-05:00',
      '2026-03-08T03:30:00-04:00',
    ])
    expect(textsOf('2026-03-08', '02:00', '03:00', newYork)).toEqual([
      '2026-03-08T03:00:00-04:00',
      '2026-03-08T04:00:00-04:00',
    ])
    expect(textsOf('2026-03-08', '02:30', '03:15', newYork)).toEqual([
      '2026-03-08T03:30:00-04:00',
      '2026-03-08T04:15:00-04:00',
    ])
  })
  it('in a repeated hour mean the first one', () => {
    // 1 November 2026: 02:00 becomes 01:00 again.
    expect(textsOf('2026-11-01', '01:30', '03:00', newYork)).toEqual([
      '2026-11-01T01:30:00-04:00',
      '2026-11-01T03:00:00-05:00',
    ])
  })
  it('are written back from an instant', () => {
    expect(textIn('Asia/Kolkata', new Date('2026-11-16T03:30:00Z'))).toBe('2026-11-16T09:00:00+05:30')
    expect(textIn('UTC', new Date('2026-11-16T03:30:00Z'))).toBe('2026-11-16T03:30:00+00:00')
  })
})

describe('many at once', () => {
  const zones = [
    'UTC',
    'Asia/Kolkata',
    newYork,
    'Europe/London',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Asia/Beirut',
    'Pacific/Apia',
    'Africa/Casablanca',
    'America/Sao_Paulo',
  ]
  const minutes = fc.integer({ min: 0, max: 1_438 })
  const clock = (value: number) =>
    `${String(Math.floor(value / 60)).padStart(2, '0')}:${String(value % 60).padStart(2, '0')}`

  it('are what each would be alone, on every day of every zone', () => {
    const dates = fc.integer({ min: 0, max: 365 * 20 }).map((days) => addDays('2010-01-01', days))
    fc.assert(
      fc.property(fc.constantFrom(...zones), dates, minutes, minutes, (zone, date, a, b) => {
        const [start, end] = [clock(Math.min(a, b)), clock(Math.max(a, b) + 1)]
        expect(spansIn(zone)(date, start, end)).toEqual(spanOn(date, start, end, zone))
      }),
      { numRuns: 1_000, seed: 20_261_115 },
    )
  })
  it('also on the days when clocks change', () => {
    for (const date of ['2026-03-08', '2026-11-01', '2011-12-30', '2026-04-05', '2026-10-04']) {
      for (const zone of zones) {
        for (const [start, end] of [
          ['00:00', '00:30'],
          ['01:30', '02:15'],
          ['02:30', '03:00'],
          ['09:00', '23:59'],
        ] as const) {
          expect(spansIn(zone)(date, start, end)).toEqual(spanOn(date, start, end, zone))
        }
      }
    }
  })
  it('end after they begin', () => {
    const dates = fc.integer({ min: 0, max: 365 * 3 }).map((days) => addDays('2026-01-01', days))
    fc.assert(
      fc.property(fc.constantFrom(...zones), dates, minutes, minutes, (zone, date, a, b) => {
        const span = spanOn(date, clock(Math.min(a, b)), clock(Math.max(a, b) + 1), zone)
        expect(span.endsAt.at.getTime()).toBeGreaterThan(span.startsAt.at.getTime())
        expect(Temporal.Instant.from(span.startsAt.text).epochMilliseconds).toBe(span.startsAt.at.getTime())
      }),
      { numRuns: 500, seed: 20_261_115 },
    )
  })
})
