import { expect, it } from 'vitest'
import { instantOf, instantOfText, isoWithOffset, isZone, nextDate, wallOf, wallTime } from './zoned-time.ts'

it.each([
  ['2026-11-16', '10:00', 'Asia/Kolkata', '2026-11-16T04:30:00.000Z'],
  ['2026-07-01', '09:00', 'America/New_York', '2026-07-01T13:00:00.000Z'],
  ['2026-12-01', '09:00', 'America/New_York', '2026-12-01T14:00:00.000Z'],
  // The gap shifts forward, the repeated hour means the first.
  ['2026-03-08', '02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['2026-11-01', '12:00', 'America/New_York', '2026-11-01T17:00:00.000Z'],
  ['2026-03-08', '00:30', 'America/New_York', '2026-03-08T05:30:00.000Z'],
  ['2026-01-01', '00:00', 'UTC', '2026-01-01T00:00:00.000Z'],
])('%s %s in %s is %s', (date, time, zone, utc) => {
  const at = instantOf({ date, time }, zone)
  expect(at?.toISOString()).toBe(utc)
  expect(new Date(isoWithOffset(at as Date, zone)).toISOString()).toBe(utc)
})

it('what is no time is no instant', () => {
  for (const [date, time] of [
    ['', '10:00'],
    ['2026-11-16', ''],
    ['', ''],
    ['2026-13-01', '10:00'],
  ] as const)
    expect(instantOf({ date, time }, 'UTC')).toBeNull()
})
it('writes the offset of that day', () =>
  expect(isoWithOffset(new Date('2026-07-01T13:00:00Z'), 'America/St_Johns')).toBe('2026-07-01T10:30:00-02:30'))
it('midnight is 00:00, of the day that begins', () =>
  expect(wallOf(new Date('2026-11-15T18:30:00Z'), 'Asia/Kolkata')).toEqual({ date: '2026-11-16', time: '00:00' }))
it('the day after the last of a month', () => expect(nextDate('2026-02-28')).toBe('2026-03-01'))
it('knows zones from other words', () =>
  expect(['UTC', 'Asia/Kolkata', 'Asia/Kol', ''].map(isZone)).toEqual([true, true, false, false]))
it('an input for date and time holds the same in one text', () => {
  expect(wallTime(new Date('2026-11-15T09:00:00Z'), 'Asia/Kolkata')).toBe('2026-11-15T14:30')
  expect(instantOfText('2026-11-15T14:30', 'Asia/Kolkata')).toBe('2026-11-15T09:00:00.000Z')
  for (const text of ['', 'soon', '2026-13-40T10:00', '2026-11-15']) expect(instantOfText(text, 'UTC')).toBeNull()
})
