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

/** A day that exists. Beyond these years nobody books, and databases and programs begin to disagree. */
export function isDate(text: string): boolean {
  if (!/^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/.test(text)) return false
  const ms = utcOf(text)
  return !Number.isNaN(ms) && dateOf(ms) === text
}

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
  const offsets = new Map<string, number | null>()
  const offsetOf = (date: string): number | null => {
    let offset = offsets.get(date)
    if (offset === undefined) {
      const first = zoned(date, '00:00', timezone)
      const next = zoned(addDays(date, 1), '00:00', timezone)
      const isPlain = next.epochMilliseconds - first.epochMilliseconds === dayMs
      offset = isPlain && first.hour === 0 && first.minute === 0 ? first.offsetNanoseconds / 1e6 : null
      if (offset !== null && offset % 60_000 !== 0) offset = null
      offsets.set(date, offset)
    }
    return offset
  }
  return (date, start, end) => {
    const offset = offsetOf(date)
    if (offset === null) return spanOn(date, start, end, timezone)
    const midnight = utcOf(date) - offset
    const suffix = offsetText(offset)
    const moment = (time: string): Moment => ({
      at: new Date(midnight + minutesOf(time) * 60_000),
      text: `${date}T${time}:00${suffix}`,
    })
    return { startsAt: moment(start), endsAt: moment(end) }
  }
}

function offsetText(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / 60_000
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${offsetMs < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}

/** An instant as people of the zone write it: 2026-11-16T09:00:00+05:30. */
export const textIn = (timezone: string, at: Date): string =>
  momentOf(Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)).text
