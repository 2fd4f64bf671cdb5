import { Temporal } from 'temporal-polyfill'

/**
 * Dates and wall-clock times as texts, `YYYY-MM-DD` and `HH:MM`, and what instants they are in a zone. Nothing here reads
 * the machine's own zone.
 */
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
export type Weekday = (typeof weekdays)[number]

const dayMs = 86_400_000
const utcOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const [firstYear, lastYear] = ['1970', '2999']

/** What is wrong with a date, in words. Beyond these years nobody books, and databases and programs begin to disagree. */
export function dateProblem(text: string): { code: 'format' | 'out_of_range'; message: string } | null {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text))
    return { code: 'format', message: 'Write the date as YYYY-MM-DD, without a time.' }
  const year = text.slice(0, 4)
  if (year < firstYear || year > lastYear)
    return { code: 'out_of_range', message: `The date must lie between the years ${firstYear} and ${lastYear}.` }
  const ms = utcOf(text)
  if (!Number.isNaN(ms) && dateOf(ms) === text) return null
  return { code: 'format', message: `There is no ${text} in the calendar: give a date that exists.` }
}

/** A day that exists. */
export const isDate = (text: string): boolean => dateProblem(text) === null

export const addDays = (date: string, days: number): string => dateOf(utcOf(date) + days * dayMs)
/** Both ends counted: the same day twice is one. */
export const daysBetween = (first: string, last: string): number => Math.round((utcOf(last) - utcOf(first)) / dayMs) + 1
export const datesFrom = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, daysBetween(first, last)) }, (_, i) => addDays(first, i))
export const weekdayOf = (date: string): Weekday => weekdays[new Date(utcOf(date)).getUTCDay()] as Weekday

/** What day it is there. */
export const todayIn = (timezone: string, now: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).toPlainDate().toString()

export type Moment = { at: Date; text: string }
export type Span = { startsAt: Moment; endsAt: Moment }

const zoned = (date: string, time: string, timezone: string): Temporal.ZonedDateTime =>
  // A gap shifts forward and a repeated hour means the first: what Temporal calls compatible.
  Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timezone, { disambiguation: 'compatible' })

const momentOf = (time: Temporal.ZonedDateTime): Moment => ({
  at: new Date(time.epochMilliseconds),
  text: time.toString({ smallestUnit: 'second', timeZoneName: 'never' }),
})

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** From a time to a later time of one day. What a gap would swallow keeps its length and comes after the gap. */
export function spanOn(date: string, start: string, end: string, timezone: string): Span {
  const from = zoned(date, start, timezone)
  const to = zoned(date, end, timezone)
  const isTurned = Temporal.ZonedDateTime.compare(to, from) <= 0
  const last = isTurned ? from.add({ minutes: minutesOf(end) - minutesOf(start) }) : to
  return { startsAt: momentOf(from), endsAt: momentOf(last) }
}

/**
 * spanOn for many windows of few days: on a day on which the clock is not changed all times share its offset, and asking
 * the zone once is enough.
 */
export function spansIn(timezone: string): (date: string, start: string, end: string) => Span {
  const plainDays = new Map<string, PlainDay | null>()
  return (date, start, end) => {
    let day = plainDays.get(date)
    if (day === undefined) {
      day = plainDayOf(date, timezone)
      plainDays.set(date, day)
    }
    return day
      ? { startsAt: momentIn(day, date, start), endsAt: momentIn(day, date, end) }
      : spanOn(date, start, end, timezone)
  }
}

/** Midnight as an instant, and the offset that holds all day. */
type PlainDay = { midnightMs: number; offset: string }

function plainDayOf(date: string, timezone: string): PlainDay | null {
  const first = zoned(date, '00:00', timezone)
  const next = zoned(addDays(date, 1), '00:00', timezone)
  const offsetMs = first.offsetNanoseconds / 1e6
  const isPlain =
    next.epochMilliseconds - first.epochMilliseconds === dayMs &&
    first.epochMilliseconds === utcOf(date) - offsetMs &&
    offsetMs % 60_000 === 0
  return isPlain ? { midnightMs: first.epochMilliseconds, offset: offsetText(offsetMs) } : null
}

const momentIn = ({ midnightMs, offset }: PlainDay, date: string, time: string): Moment => ({
  at: new Date(midnightMs + minutesOf(time) * 60_000),
  text: `${date}T${time}:00${offset}`,
})

function offsetText(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / 60_000
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${offsetMs < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}

/** An instant as people of the zone write it: 2026-11-16T09:00:00+05:30. */
export const textIn = (timezone: string, at: Date): string =>
  momentOf(Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)).text
