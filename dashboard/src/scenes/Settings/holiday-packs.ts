// Public holidays whose date a rule gives. Those that follow the moon are entered by hand.
import { addDays, weekdayOf } from '../../calendar/dates.ts'

export interface PackDay {
  date: string
  reason: string
}

const pad = (value: number): string => String(value).padStart(2, '0')
const on = (year: number, month: number, day: number): string => `${year}-${pad(month)}-${pad(day)}`

/** The first such weekday of the month, or some weeks later; −1: the last. */
function nth(year: number, month: number, weekday: 'monday' | 'thursday', which: number): string {
  const days = Array.from({ length: 31 }, (_, at) => addDays(on(year, month, 1), at)).filter(
    (date) => date.startsWith(`${year}-${pad(month)}`) && weekdayOf(date) === weekday,
  )
  return days.at(which < 0 ? which : which - 1) as string
}

export const packs = {
  'United States': (year: number): PackDay[] => [
    { date: on(year, 1, 1), reason: "New Year's Day" },
    { date: nth(year, 1, 'monday', 3), reason: 'Martin Luther King Jr. Day' },
    { date: nth(year, 2, 'monday', 3), reason: "Presidents' Day" },
    { date: nth(year, 5, 'monday', -1), reason: 'Memorial Day' },
    { date: on(year, 6, 19), reason: 'Juneteenth' },
    { date: on(year, 7, 4), reason: 'Independence Day' },
    { date: nth(year, 9, 'monday', 1), reason: 'Labor Day' },
    { date: nth(year, 10, 'monday', 2), reason: 'Columbus Day' },
    { date: on(year, 11, 11), reason: 'Veterans Day' },
    { date: nth(year, 11, 'thursday', 4), reason: 'Thanksgiving' },
    { date: on(year, 12, 25), reason: 'Christmas Day' },
  ],
  India: (year: number): PackDay[] => [
    { date: on(year, 1, 26), reason: 'Republic Day' },
    { date: on(year, 5, 1), reason: 'Labour Day' },
    { date: on(year, 8, 15), reason: 'Independence Day' },
    { date: on(year, 10, 2), reason: 'Gandhi Jayanti' },
    { date: on(year, 12, 25), reason: 'Christmas Day' },
  ],
} as const
export type PackName = keyof typeof packs
export const packNames = Object.keys(packs) as PackName[]

/** What of the pack is still to come in the next twelve months. */
export const comingOf = (pack: PackName, today: string): PackDay[] => {
  const year = Number(today.slice(0, 4))
  const until = `${year + 1}${today.slice(4)}`
  return [...packs[pack](year), ...packs[pack](year + 1)].filter((each) => each.date >= today && each.date < until)
}
