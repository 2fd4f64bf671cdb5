import { Temporal } from 'temporal-polyfill'
import { type Clock, type Day, type Period, readParts, type TimeParts } from './time-parts.ts'
import { isHindi } from './words/language.ts'
import { englishTime, hindiTime } from './words/time-said.ts'

export type TimeContext = { now: Date; timezone: string; language: string }
/** With what was named: a clock time, a day. A duration names both. */
export type When = { at: Date; clock: boolean; day: 'date' | 'weekday' | null }

type Wall = { hour: number; minute: number }

const earliestHour = 8
const latestHour = 20
const periods: Record<Period, { usual: number; end: number }> = {
  morning: { usual: 9, end: 12 },
  afternoon: { usual: 14, end: 17 },
  evening: { usual: 18, end: 21 },
  night: { usual: 20, end: 23 },
}
const usualHour = 10

/** The moment meant by a callee's words, always in the future; null when they name none. English and Hindi. */
export function parseWhen(text: string, context: TimeContext): Date | null {
  return understandWhen(text, context)?.at ?? null
}

export function understandWhen(text: string, { now, timezone }: TimeContext): When | null {
  const parts = readParts(text)
  if (parts.minutesAhead === null && !parts.day && !parts.clock && !parts.period) return null
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone)
  if (parts.minutesAhead !== null) {
    return { at: dateOf(fullMinute(here.add({ minutes: parts.minutesAhead }))), clock: true, day: 'date' }
  }
  const found = parts.day ? onDay(dayOf(parts.day, here), parts, here) : withoutDay(parts, here)
  if (!found) return null
  const earlier = parts.before ? found.subtract({ hours: 1 }) : found
  const at = isAfter(earlier, here) ? earlier : found
  const day = parts.day && (parts.day.kind === 'weekday' ? 'weekday' : 'date')
  return { at: dateOf(at), clock: parts.clock !== null, day }
}

/** Upwards: never earlier than asked, and the time said back is the time meant. */
function fullMinute(moment: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  return moment.round({ smallestUnit: 'minute', roundingMode: 'ceil' })
}

function withoutDay(parts: TimeParts, here: Temporal.ZonedDateTime): Temporal.ZonedDateTime | null {
  const today = here.toPlainDate()
  // Two days on: a clock time in today's spring gap may already be over.
  for (const days of [0, 1, 2]) {
    const found = onDay(today.add({ days }), parts, here)
    if (found) return found
  }
  return null
}

function onDay(
  day: Temporal.PlainDate | null,
  parts: TimeParts,
  here: Temporal.ZonedDateTime,
): Temporal.ZonedDateTime | null {
  if (!day) return null
  const walls = wallsOf(parts)
  const isToday = day.equals(here.toPlainDate())
  // "Today" alone is small talk ("how are you today"), not a time.
  if (isToday && !parts.clock && !parts.period) return null
  const found = walls.map((wall) => wallTime(day, wall, here)).find((moment) => isAfter(moment, here))
  if (found || !isToday || !parts.period) return found ?? null
  if (!parts.clock) {
    const soon = fullMinute(here.add({ hours: 1 }))
    const isStillThen = soon.toPlainDate().equals(day) && soon.hour < periods[parts.period].end
    return isStillThen && here.hour >= periods[parts.period].usual ? soon : null
  }
  // "Tonight at one" is after midnight.
  const [wall] = walls
  return parts.period === 'night' && wall && wall.hour < 5 ? wallTime(day.add({ days: 1 }), wall, here) : null
}

function wallTime(day: Temporal.PlainDate, wall: Wall, here: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  // 'compatible': a gap shifts forward, a repeated hour means the first (decisions 7).
  return day.toPlainDateTime(wall).toZonedDateTime(here.timeZoneId, { disambiguation: 'compatible' })
}

function wallsOf({ clock, period }: TimeParts): Wall[] {
  if (!clock) return [{ hour: period ? periods[period].usual : usualHour, minute: 0 }]
  if (clock.half === '24') return [clock]
  if (clock.half) return [{ hour: (clock.hour % 12) + (clock.half === 'pm' ? 12 : 0), minute: clock.minute }]
  if (period) return [{ hour: hourIn(period, clock), minute: clock.minute }]
  return [clock.hour % 12, (clock.hour % 12) + 12]
    .map((hour) => ({ hour, minute: clock.minute }))
    .filter(({ hour, minute }) => hour >= earliestHour && hour * 60 + minute <= latestHour * 60)
}

function hourIn(period: Period, { hour }: Clock): number {
  const morning = hour % 12
  if (period === 'morning') return morning
  // Hindi "dopahar 11 baje" is before noon; "2 at night" is before dawn.
  if (period === 'afternoon') return hour === 10 || hour === 11 ? hour : morning + 12
  if (period === 'night' || hour === 12) return morning < 5 ? morning : morning + 12
  return morning + 12
}

function dayOf(day: Day, here: Temporal.ZonedDateTime): Temporal.PlainDate | null {
  const today = here.toPlainDate()
  if (day.kind === 'ahead') return today.add({ days: day.days, months: day.months })
  if (day.kind === 'weekday') return weekdayFrom(today, day)
  return dateFrom(today, day)
}

function weekdayFrom(
  today: Temporal.PlainDate,
  { weekday, which }: Extract<Day, { kind: 'weekday' }>,
): Temporal.PlainDate {
  const ahead = (weekday - today.dayOfWeek + 7) % 7
  if (which === 'next') return today.add({ days: 7 - today.dayOfWeek + weekday })
  return today.add({ days: which === 'coming' && ahead === 0 ? 7 : ahead })
}

function dateFrom(
  today: Temporal.PlainDate,
  { day, month, year }: Extract<Day, { kind: 'date' }>,
): Temporal.PlainDate | null {
  const thisMonth = today.toPlainYearMonth()
  // Twelve months on there is a 31st again, eight years on a 29 February.
  for (let step = 0; step < 12; step += 1) {
    const named = month === null ? thisMonth.add({ months: step }) : thisMonth.add({ years: step }).with({ month })
    const there = year === null ? named : named.with({ year })
    if (day > there.daysInMonth) continue
    const date = there.toPlainDate({ day })
    if (Temporal.PlainDate.compare(date, today) >= 0) return date
  }
  return null
}

function isAfter(moment: Temporal.ZonedDateTime, here: Temporal.ZonedDateTime): boolean {
  return Temporal.ZonedDateTime.compare(moment, here) > 0
}

function dateOf(moment: Temporal.ZonedDateTime): Date {
  return new Date(moment.epochMilliseconds)
}

/** For reading back: what `parseWhen` understands as the same minute. */
export function sayTime(date: Date, { now, timezone, language }: TimeContext): string {
  const moment = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timezone)
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
  const daysAhead = today.until(moment.toPlainDate()).days
  return isHindi(language) ? hindiTime(moment, daysAhead) : englishTime(moment, daysAhead)
}

/** Whether a moment is on the day that was named: "Friday" is any Friday. */
export function isOnNamedDay({ at, day }: When, moment: Date, timezone: string): boolean {
  if (day === null) return true
  const [named, other] = [at, moment].map((date) =>
    Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timezone).toPlainDate(),
  )
  if (!named || !other) return false
  return day === 'weekday' ? named.dayOfWeek === other.dayOfWeek : named.equals(other)
}

/** ISO 8601 with the zone's own offset, as tools take it. */
export function isoInZone(date: Date, timezone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(date.getTime())
    .toZonedDateTimeISO(timezone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' })
}
