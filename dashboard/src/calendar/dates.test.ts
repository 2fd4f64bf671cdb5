import { describe, expect, it } from 'vitest'
import {
  addDays,
  isDate,
  longDay,
  mondayOf,
  nextDates,
  shortDay,
  spanText,
  todayIn,
  weekdayOf,
  weekFrom,
  weekText,
  zoneText,
} from './dates.ts'

describe('dates', () => {
  it('only days that exist are dates', () => {
    expect(['2026-11-16', '2024-02-29'].every(isDate)).toBe(true)
    expect(['2026-02-29', '2026-13-01', '16.11.2026', '', undefined].some(isDate)).toBe(false)
  })

  it('a week begins on Monday, whatever the machine thinks', () => {
    expect(mondayOf('2026-11-22')).toBe('2026-11-16')
    expect(mondayOf('2026-11-16')).toBe('2026-11-16')
    expect(weekdayOf('2026-11-15')).toBe('sunday')
    expect(weekFrom('2026-11-30').at(-1)).toBe('2026-12-06')
    expect(addDays('2026-03-08', 1)).toBe('2026-03-09')
  })

  it('the next dates of a weekday begin today', () => {
    expect(nextDates('monday', '2026-11-16', 2)).toEqual(['2026-11-16', '2026-11-23'])
    expect(nextDates('sunday', '2026-11-16', 1)).toEqual(['2026-11-22'])
  })

  it('what day it is depends on the place', () => {
    const now = new Date('2026-11-14T20:00:00Z')
    expect(todayIn('Asia/Kolkata', now)).toBe('2026-11-15')
    expect(todayIn('America/Los_Angeles', now)).toBe('2026-11-14')
  })

  it('reads like a person wrote it', () => {
    expect(shortDay('2026-11-16')).toBe('Mon 16 Nov')
    expect(longDay('2026-11-16')).toBe('Monday 16 November 2026')
    expect(weekText('2026-11-16')).toBe('16 – 22 Nov 2026')
    expect(weekText('2026-11-30')).toBe('30 Nov – 6 Dec 2026')
    expect(spanText('2026-12-21', '2027-01-10')).toBe('21 Dec 2026 – 10 Jan 2027')
    expect(zoneText('Asia/Kolkata', '2026-11-16')).toBe('GMT+5:30')
  })
})
