// Dates as texts, YYYY-MM-DD: what day it is somewhere depends on no machine's own zone.
import type { Day } from '@parley/contract/appointment-slots'

const dayMs = 86_400_000
const utcOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

export function isDate(text: string | undefined): text is string {
  if (text === undefined || !/^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/.test(text)) return false
  const ms = utcOf(text)
  return !Number.isNaN(ms) && dateOf(ms) === text
}

export const addDays = (date: string, days: number): string => dateOf(utcOf(date) + days * dayMs)

export const weekdays: readonly Day[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
export const weekdayOf = (date: string): Day => weekdays[(new Date(utcOf(date)).getUTCDay() + 6) % 7] as Day
export const mondayOf = (date: string): string => addDays(date, -weekdays.indexOf(weekdayOf(date)))
export const weekFrom = (monday: string): string[] => weekdays.map((_, at) => addDays(monday, at))
/** The next dates on a weekday, `from` included. */
export const nextDates = (day: Day, from: string, count: number): string[] => {
  const gap = (weekdays.indexOf(day) - weekdays.indexOf(weekdayOf(from)) + 7) % 7
  return Array.from({ length: count }, (_, at) => addDays(from, gap + at * 7))
}

export const todayIn = (zone: string, now: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)

const say = (date: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options }).format(utcOf(date))

/** Mon 16 Nov */
export const shortDay = (date: string): string =>
  say(date, { weekday: 'short', day: 'numeric', month: 'short' }).replace(',', '')
/** Monday 16 November 2026 */
export const longDay = (date: string): string =>
  say(date, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).replace(',', '')
/** 16 Nov 2026 */
export const plainDay = (date: string): string => say(date, { day: 'numeric', month: 'short', year: 'numeric' })
/** 16 – 22 Nov 2026, 30 Nov – 6 Dec 2026 */
export function spanText(from: string, to: string): string {
  if (from === to) return plainDay(from)
  if (from.slice(0, 7) === to.slice(0, 7)) return `${Number(from.slice(8))} – ${plainDay(to)}`
  if (from.slice(0, 4) === to.slice(0, 4)) return `${say(from, { day: 'numeric', month: 'short' })} – ${plainDay(to)}`
  return `${plainDay(from)} – ${plainDay(to)}`
}
export const weekText = (monday: string): string => spanText(monday, addDays(monday, 6))

/** IST, GMT+5:30: what the clocks of the zone are called on that date. */
export function zoneText(zone: string, date: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' }).formatToParts(
    new Date(`${date}T12:00:00Z`),
  )
  return parts.find((each) => each.type === 'timeZoneName')?.value ?? zone
}

export const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
