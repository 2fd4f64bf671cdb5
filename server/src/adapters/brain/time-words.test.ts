import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { isoInZone, parseWhen, sayTime } from './time-words.ts'

const kolkata = { now: new Date('2026-11-11T08:45:00Z'), timezone: 'Asia/Kolkata', language: 'en' }
const at = (text: string, context = kolkata) => {
  const date = parseWhen(text, context)
  return date && isoInZone(date, context.timezone)
}

describe('on Wednesday 11 November 2026 at 14:15 in Kolkata', () => {
  it.each([
    ['in an hour', '11T15:15'],
    ['please call me back in one hour', '11T15:15'],
    ['in half an hour', '11T14:45'],
    ['in an hour and a half', '11T15:45'],
    ['in 2 hours', '11T16:15'],
    ['two and a half hours from now', '11T16:45'],
    ['in a couple of hours', '11T16:15'],
    ['in 45 minutes', '11T15:00'],
    ['in forty-five minutes', '11T15:00'],
    ['in sixty minutes', '11T15:15'],
    ['give me ten minutes', '11T14:25'],
    ['an hour', '11T15:15'],
    ['later today', '11T16:15'],
    ['tomorrow', '12T10:00'],
    ['tomorrow at 10', '12T10:00'],
    ['Tomorrow at ten, please.', '12T10:00'],
    ['ten thirty tomorrow', '12T10:30'],
    ['tomorrow morning', '12T09:00'],
    ['tomorrow at six in the evening', '12T18:00'],
    ['the day after tomorrow at noon', '13T12:00'],
    ['at 5', '11T17:00'],
    ['at 9', '12T09:00'],
    ['at 5:30 pm', '11T17:30'],
    ['5.30 p.m.', '11T17:30'],
    ['17:30', '11T17:30'],
    ['half past ten', '12T10:30'],
    ['quarter to five', '11T16:45'],
    ['ten to six', '11T17:50'],
    ['after 5 pm', '11T17:00'],
    ['before five', '11T16:00'],
    ['from 9 to 5', '12T09:00'],
    ['no, five', '11T17:00'],
    ['this evening', '11T18:00'],
    ['tonight', '11T20:00'],
    ['tonight at one', '12T01:00'],
    ['at midnight', '12T00:00'],
    ['on Monday', '16T10:00'],
    ['on Wednesday', '18T10:00'],
    ['next Monday morning', '16T09:00'],
    ['next Friday at 3', '20T15:00'],
    ['Friday at 3', '13T15:00'],
    ['next week', '16T10:00'],
    ['Friday next week', '20T10:00'],
    ['in three days', '14T10:00'],
    ['on the 20th at eleven oh five', '20T11:05'],
    ['Monday 16 November at 9:00', '16T09:00'],
    ['the twenty first of November at 11 am', '21T11:00'],
    ['not tomorrow, on Friday', '13T10:00'],
    ['kal subah das baje', '12T10:00'],
    ['aaj shaam saadhe paanch baje', '11T17:30'],
    ['ek ghante baad', '11T15:15'],
    ['do ghante baad call kar do', '11T16:15'],
    ['aadhe ghante mein', '11T14:45'],
    ['tees minute baad', '11T14:45'],
    ['dedh ghante baad', '11T15:45'],
    ['parso dopahar do baje', '13T14:00'],
    ['somvar ko gyarah baje', '16T11:00'],
    ['agle hafte', '16T10:00'],
    ['कल सुबह दस बजे', '12T10:00'],
    ['एक घंटे बाद कॉल कीजिए।', '11T15:15'],
    ['आज रात ९ बजे', '11T21:00'],
  ])('%s', (text, expected) => {
    expect(at(text)).toBe(`2026-11-${expected}:00+05:30`)
  })

  it.each([
    'hello',
    'yes',
    '',
    'Good morning',
    'good evening to you',
    'how are you today',
    'not tomorrow',
    'today at 2 pm',
    'we are two people',
    'a table at 2 people',
    'my number is 98765 43210',
    'I do not know',
    'call kar do',
    'in 0 minutes',
    'at 42 Main Street',
    'on the 32nd',
  ])('%s: no time', (text) => {
    expect(at(text)).toBeNull()
  })
})

it('a duration ends on a full minute, never early', () => {
  const context = { ...kolkata, now: new Date('2026-11-11T08:45:20.500Z') }
  expect(at('in an hour', context)).toBe('2026-11-11T15:16:00+05:30')
})

it('"this evening" in the evening is an hour from now, and over at nine', () => {
  const evening = (now: string) => at('this evening', { ...kolkata, now: new Date(now) })
  expect(evening('2026-11-11T13:00:00Z')).toBe('2026-11-11T19:30:00+05:30')
  expect(evening('2026-11-11T15:45:00Z')).toBeNull()
})

describe('New York, where clocks change', () => {
  const newYork = (now: string) => ({ now: new Date(now), timezone: 'America/New_York', language: 'en' })

  it('a gap shifts forward', () => {
    expect(at('tomorrow at 2:30 am', newYork('2026-03-07T20:00:00Z'))).toBe('2026-03-08T03:30:00-04:00')
  })
  it('a repeated hour means the first', () => {
    expect(at('tomorrow at 1:30 am', newYork('2026-10-31T20:00:00Z'))).toBe('2026-11-01T01:30:00-04:00')
  })
  it('tomorrow at ten is ten on the wall, not 24 hours on', () => {
    expect(at('tomorrow at 10', newYork('2026-03-07T15:00:00Z'))).toBe('2026-03-08T10:00:00-04:00')
  })
  it('two hours are two hours', () => {
    expect(at('in two hours', newYork('2026-03-08T06:00:00Z'))).toBe('2026-03-08T04:00:00-04:00')
  })
  it('a clock time lost in today’s gap and already over is tomorrow’s', () => {
    expect(at('at 2:30 am', newYork('2026-03-08T07:45:00Z'))).toBe('2026-03-09T02:30:00-04:00')
  })
})

it('29 February is found in the next leap year', () => {
  expect(at('29 February at 10 am')).toBe('2028-02-29T10:00:00+05:30')
})

describe('saying a time', () => {
  it.each([
    ['in an hour', 'today at 3:15 PM', 'आज दोपहर 3:15 बजे'],
    ['tomorrow at ten', 'tomorrow, Thursday, at 10:00 AM', 'कल, गुरुवार, सुबह 10:00 बजे'],
    ['next Monday evening', 'on Monday 16 November at 6:00 PM', 'सोमवार 16 नवंबर को शाम 6:00 बजे'],
  ])('%s: %s, %s', (text, english, hindi) => {
    const date = parseWhen(text, kolkata) ?? kolkata.now
    expect(sayTime(date, kolkata)).toBe(english)
    expect(sayTime(date, { ...kolkata, language: 'hi-IN' })).toBe(hindi)
  })

  it('"tomorrow" said before midnight and agreed to after it is the same day', () => {
    const said = sayTime(new Date('2026-11-12T04:30:00Z'), { ...kolkata, now: new Date('2026-11-11T18:29:50Z') })
    expect(at(said, { ...kolkata, now: new Date('2026-11-11T18:30:10Z') })).toBe('2026-11-12T10:00:00+05:30')
  })

  it('what is said is understood as the same minute', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Asia/Kolkata', 'America/New_York', 'Europe/London', 'Australia/Lord_Howe', 'UTC'),
        fc.constantFrom('en', 'hi'),
        fc.date({ min: new Date('2025-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        fc.integer({ min: 1, max: 365 * 24 * 60 }),
        (timezone, language, now, minutes) => {
          const later = Temporal.Instant.fromEpochMilliseconds(now.getTime())
            .toZonedDateTimeISO(timezone)
            .add({ minutes })
          // The second 1:30 of an autumn night has no words of its own.
          const wall = later.toPlainDateTime().round({ smallestUnit: 'minute', roundingMode: 'ceil' })
          const date = new Date(wall.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds)
          fc.pre(date > now)
          const context = { now, timezone, language }
          expect(parseWhen(sayTime(date, context), context)).toEqual(date)
        },
      ),
      { numRuns: 1000 },
    )
  })
})

it('whatever is said, the time understood lies in the future', () => {
  const words = fc.constantFrom(
    ...`in at on after before next this an half quarter past to hour minutes tomorrow today tonight monday
  friday week morning evening night ten 5 9 11:45 am pm oclock november the 30th kal subah raat das
  baje ghante baad noon midnight`.split(/\s+/),
  )
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 7 }),
      fc.date({ min: new Date('2025-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
      fc.constantFrom('Asia/Kolkata', 'America/New_York'),
      (said, now, timezone) => {
        const date = parseWhen(said.join(' '), { now, timezone, language: 'en' })
        if (!date) return
        expect(date.getTime()).toBeGreaterThan(now.getTime())
        expect(date.getTime() % 60_000).toBe(0)
      },
    ),
    { numRuns: 1000 },
  )
})
