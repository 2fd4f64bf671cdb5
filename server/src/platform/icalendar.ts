import { Temporal } from 'temporal-polyfill'

/** The text of RFC 5545: lines of name and value, folded, escaped; and a time zone as calendar programs want it. */
export type Line = string

/** Text with its marks escaped. Control characters but line breaks are not allowed in it. */
export const escapeText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\p{Cs}]/gu, (each) => (each === '\n' ? each : ''))
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

const mostOctets = 75

/** No line is longer than 75 octets; a character is never cut in two. */
export function fold(line: Line): string {
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > mostOctets) {
      parts.push(part)
      part = ' '
      octets = 1
    }
    part += character
    octets += size
  }
  return [...parts, part].join('\r\n')
}

export const toCalendarText = (lines: readonly Line[]): string => `${lines.map(fold).join('\r\n')}\r\n`

const basic = (text: string): string => text.replace(/[-:]|\.\d+/g, '')
/** 20261116T033000Z */
export const utcStamp = (at: Date): string => basic(at.toISOString())
/** 20261116T090000, as the clocks there show it. */
export const localStamp = (at: Date, timezone: string): string =>
  basic(zonedAt(at, timezone).toPlainDateTime().toString({ smallestUnit: 'second' }))

const zonedAt = (at: Date, timezone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)

type Change = { at: Temporal.PlainDateTime; from: number; to: number; name: string }

/** Every change of the clocks from the one in force at the beginning to the end, each as it was or will be. */
export function timeZoneLines(timezone: string, from: Date, to: Date): Line[] {
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${timezone}`,
    ...changesOf(timezone, from, to).flatMap(({ at, from: before, to: after, name }) => {
      const kind = after > before ? 'DAYLIGHT' : 'STANDARD'
      return [
        `BEGIN:${kind}`,
        `DTSTART:${basic(at.toString({ smallestUnit: 'second' }))}`,
        `TZOFFSETFROM:${offsetText(before)}`,
        `TZOFFSETTO:${offsetText(after)}`,
        `TZNAME:${escapeText(name)}`,
        `END:${kind}`,
      ]
    }),
    'END:VTIMEZONE',
  ]
}

function changesOf(timezone: string, from: Date, to: Date): Change[] {
  const changes: Change[] = []
  const start = zonedAt(from, timezone)
  let next = start.getTimeZoneTransition('previous')
  if (next) changes.push(changeAt(next))
  else changes.push(always(start))
  next = start.getTimeZoneTransition('next')
  while (next && next.epochMilliseconds <= to.getTime()) {
    changes.push(changeAt(next))
    next = next.getTimeZoneTransition('next')
  }
  return changes
}

/** What the clocks showed when they were changed, by the offset they had until then. */
function changeAt(moment: Temporal.ZonedDateTime): Change {
  const before = moment.subtract({ nanoseconds: 1 }).offsetNanoseconds
  const at = moment.toInstant().toZonedDateTimeISO('UTC').toPlainDateTime().add({ nanoseconds: before })
  return { at, from: before, to: moment.offsetNanoseconds, name: nameOf(moment) }
}

/** A zone whose clocks were never changed. */
const always = (moment: Temporal.ZonedDateTime): Change => ({
  at: Temporal.PlainDateTime.from('1970-01-01T00:00:00'),
  from: moment.offsetNanoseconds,
  to: moment.offsetNanoseconds,
  name: nameOf(moment),
})

function nameOf(moment: Temporal.ZonedDateTime): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: moment.timeZoneId, timeZoneName: 'short' })
  const parts = format.formatToParts(moment.epochMilliseconds)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? moment.timeZoneId
}

function offsetText(nanoseconds: number): string {
  const seconds = Math.round(Math.abs(nanoseconds) / 1e9)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = seconds % 60 === 0 ? '' : two(seconds % 60)
  return `${nanoseconds < 0 ? '-' : '+'}${two(seconds / 3_600)}${two((seconds / 60) % 60)}${rest}`
}
