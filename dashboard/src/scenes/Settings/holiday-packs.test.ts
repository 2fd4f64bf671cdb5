import { expect, it } from 'vitest'
import { comingOf, packs } from './holiday-packs.ts'

it('the holidays that a rule gives fall on the right dates', () => {
  const dates = Object.fromEntries(packs['United States'](2026).map((each) => [each.reason, each.date]))
  expect(dates).toMatchObject({
    'Martin Luther King Jr. Day': '2026-01-19',
    "Presidents' Day": '2026-02-16',
    'Memorial Day': '2026-05-25',
    'Labor Day': '2026-09-07',
    'Columbus Day': '2026-10-12',
    Thanksgiving: '2026-11-26',
  })
  expect(packs['United States'](2027).find((each) => each.reason === 'Memorial Day')?.date).toBe('2027-05-31')
})

it('what is over is not offered, and next year is', () => {
  const days = comingOf('India', '2026-11-15')
  expect(days.map((each) => each.date)).toEqual(['2026-12-25', '2027-01-26', '2027-05-01', '2027-08-15', '2027-10-02'])
})
