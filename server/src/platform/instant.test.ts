import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseInstant } from './instant.ts'

it('reads back every instant JavaScript writes', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
      (date) => {
        expect(parseInstant(date.toISOString())).toEqual(date)
      },
    ),
  )
})

it.each([
  ['2026-11-15T10:00+05:30', '2026-11-15T04:30:00.000Z'],
  ['2026-11-15T10:00:00.123456Z', '2026-11-15T10:00:00.123Z'],
  ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
])('%s is %s', (text, instant) => {
  expect(parseInstant(text)).toEqual(new Date(instant))
})

it.each(['2026-11-15T25:00:00Z', '2026-11-15 10:00:00Z', ' 2026-11-15T10:00Z'])('%s is no time', (text) => {
  expect(parseInstant(text)).toBe('format')
})

it('a time without an offset is told apart from nonsense', () => {
  expect(parseInstant('2026-11-15T10:00:00')).toBe('no_offset')
})

it.each(['2027-02-29T00:00:00Z', '2027-02-30T10:00:00+05:30', '2026-13-01T00:00:00Z'])('%s is no day', (text) => {
  expect(parseInstant(text)).toBe('no_such_day')
})
