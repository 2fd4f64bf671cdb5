import fc from 'fast-check'
import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { escapeText, fold, localStamp, timeZoneLines, toCalendarText, utcStamp } from './icalendar.ts'

const calendarOf = (lines: string[]) => {
  const text = toCalendarText(['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'])
  return new ICAL.Component(ICAL.parse(text))
}

describe('text', () => {
  it('marks are escaped, control characters left out', () => {
    expect(escapeText('a;b,c\\d\r\ne\rf\u0000\u0007g')).toBe('a\\;b\\,c\\\\d\\ne\\nfg')
  })

  it('any text comes out of a parser as it went in, and no line is longer than 75 octets', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 }).map((each) => each.replace(/[\p{Cc}\p{Cs}]/gu, '\n'))
    fc.assert(
      fc.property(text, (value) => {
        const lines = ['BEGIN:VEVENT', `SUMMARY:${escapeText(value)}`, 'END:VEVENT']
        const event = calendarOf(lines).getFirstSubcomponent('vevent')
        expect(event?.getFirstPropertyValue('summary')).toBe(value)
        for (const line of fold(lines[1] ?? '').split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      }),
    )
  })
})

describe('a time zone', () => {
  const from = new Date('2026-01-01T00:00:00Z')
  const to = new Date('2028-01-01T00:00:00Z')

  it('New York: every change of the clocks, with the offsets before and after', () => {
    expect(timeZoneLines('America/New_York', from, new Date('2026-12-01T00:00:00Z'))).toEqual([
      'BEGIN:VTIMEZONE',
      'TZID:America/New_York',
      ...['BEGIN:STANDARD', 'DTSTART:20251102T020000', 'TZOFFSETFROM:-0400', 'TZOFFSETTO:-0500', 'TZNAME:EST'],
      'END:STANDARD',
      ...['BEGIN:DAYLIGHT', 'DTSTART:20260308T020000', 'TZOFFSETFROM:-0500', 'TZOFFSETTO:-0400', 'TZNAME:EDT'],
      'END:DAYLIGHT',
      ...['BEGIN:STANDARD', 'DTSTART:20261101T020000', 'TZOFFSETFROM:-0400', 'TZOFFSETTO:-0500', 'TZNAME:EST'],
      'END:STANDARD',
      'END:VTIMEZONE',
    ])
  })

  it('a zone that never changes has one part', () => {
    expect(timeZoneLines('UTC', from, to).filter((line) => line.startsWith('BEGIN'))).toEqual([
      'BEGIN:VTIMEZONE',
      'BEGIN:STANDARD',
    ])
  })

  it.each([
    'Asia/Kolkata',
    'America/New_York',
    'Europe/London',
    'Europe/Dublin',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Asia/Kathmandu',
    'America/Santiago',
    'Pacific/Apia',
    'UTC',
  ])('%s: a parser reads every local time as the moment it is', (timezone) => {
    const step = 17 * 3_600_000 + 1_800_000
    const moments = Array.from({ length: 1_000 }, (_, i) => new Date(from.getTime() + i * step))
    const lines = moments.flatMap((at) => [
      'BEGIN:VEVENT',
      `UID:${at.getTime()}`,
      `DTSTART;TZID=${timezone}:${localStamp(at, timezone)}`,
      'END:VEVENT',
    ])
    const calendar = calendarOf([...timeZoneLines(timezone, from, to), ...lines])
    for (const each of calendar.getAllSubcomponents('vevent')) {
      const event = new ICAL.Event(each)
      const at = new Date(Number(event.uid))
      // RFC 5545 means the first of two equal hours, as the service does; this parser may read the second.
      const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone).toPlainDateTime()
      const either = (['earlier', 'later'] as const).map(
        (disambiguation) => local.toZonedDateTime(timezone, { disambiguation }).epochMilliseconds,
      )
      expect(either, `${timezone} ${at.toISOString()}`).toContain(event.startDate.toJSDate().getTime())
    }
  })
})

it('stamps', () => {
  const at = new Date('2026-11-16T03:30:00.123Z')
  expect([utcStamp(at), localStamp(at, 'Asia/Kolkata')]).toEqual(['20261116T033000Z', '20261116T090000'])
})
