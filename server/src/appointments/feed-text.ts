import { escapeText, type Line, localStamp, timeZoneLines, toCalendarText, utcStamp } from '../platform/icalendar.ts'
import type { FeedEntry } from './feed.store.ts'

export type Feed = { name: string; timezone: string; from: Date; to: Date; entries: FeedEntry[] }

/** The whole calendar, the same text for the same appointments: who has read it need not read it again. */
export function feedText({ name, timezone, from, to, entries }: Feed): string {
  // Appointments keep the zone they were booked in, should the branch ever move.
  const zones = [...new Set([timezone, ...entries.map((each) => each.timezone)])]
  return toCalendarText([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Parley//Appointments//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    `NAME:${escapeText(name)}`,
    `X-WR-TIMEZONE:${timezone}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    'X-PUBLISHED-TTL:PT15M',
    ...zones.flatMap((zone) => timeZoneLines(zone, from, to)),
    ...entries.flatMap(entryLines),
    'END:VCALENDAR',
  ])
}

const bookers = { ai: 'the agent, in a call', staff: 'staff', api: 'another program' } as const

function entryLines(each: FeedEntry): Line[] {
  const summary = [each.appointmentTypeName, each.contactName].filter((part) => part).join(': ')
  return [
    'BEGIN:VEVENT',
    // Ours for ever, under whatever address the service runs.
    `UID:${each.appointmentId}@appointments.parley`,
    `DTSTAMP:${utcStamp(each.updatedAt)}`,
    `DTSTART;TZID=${each.timezone}:${localStamp(each.startsAt, each.timezone)}`,
    `DTEND;TZID=${each.timezone}:${localStamp(each.endsAt, each.timezone)}`,
    `SUMMARY:${escapeText(summary || 'Appointment')}`,
    `DESCRIPTION:${escapeText(descriptionOf(each))}`,
    `STATUS:${each.status === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'}`,
    // A cancelled entry leaves the time free.
    `TRANSP:${each.status === 'cancelled' ? 'TRANSPARENT' : 'OPAQUE'}`,
    `SEQUENCE:${each.sequence}`,
    `CREATED:${utcStamp(each.createdAt)}`,
    `LAST-MODIFIED:${utcStamp(each.updatedAt)}`,
    'END:VEVENT',
  ]
}

const marks: Partial<Record<FeedEntry['status'], string>> = { completed: 'Completed.', no_show: 'Did not come.' }

function descriptionOf({ notes, batch, bookedBy, status, cancellationReason }: FeedEntry): string {
  return [
    notes,
    batch && `Batch: ${batch}`,
    `Booked by ${bookers[bookedBy]}.`,
    marks[status],
    status === 'cancelled' && (cancellationReason ? `Cancelled: ${cancellationReason}` : 'Cancelled.'),
  ]
    .filter((part) => part)
    .join('\n')
}
