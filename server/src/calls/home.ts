import type { Home, LiveCalls } from '@parley/contract/home'
import type { Organisation } from '../organisations/organisation.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/db.ts'
import { addDays, datesFrom, todayIn } from '../platform/local-time.ts'
import {
  type BookingCount,
  type CallCount,
  selectBookingCounts,
  selectCallCounts,
  selectHomeFacts,
  selectLiveCalls,
} from './home.store.ts'

export const shownDays = 14
const mostLive = 50

export async function readHome(
  { db, clock }: { db: Queryable; clock: Clock },
  { organisationId, timezone }: Organisation,
): Promise<Home> {
  const today = todayIn(timezone, clock.now())
  const days = { timezone, today, first: addDays(today, 1 - shownDays) }
  const [calls, bookings, facts] = await Promise.all([
    selectCallCounts(db, organisationId, days),
    selectBookingCounts(db, organisationId, days),
    selectHomeFacts(db, organisationId, days),
  ])
  const { balance, held, ...rest } = facts
  const ofToday = calls.filter((each) => each.date === today)
  return {
    ...rest,
    date: today,
    timezone,
    today: {
      by_status: countByStatus(ofToday),
      ...answersOf(ofToday),
      bookings: bookingsOf(bookings, today),
      hours: Array.from({ length: 24 }, (_, hour) => ({
        hour,
        ...answersOf(ofToday.filter((each) => each.hour === hour)),
      })),
    },
    days: datesFrom(days.first, today).map((date) => ({
      date,
      ...answersOf(calls.filter((each) => each.date === date)),
      bookings: bookingsOf(bookings, date),
    })),
    credits: { balance: Number(balance), held: Number(held) },
  }
}

const sum = (counts: readonly { count: number }[]): number => counts.reduce((total, { count }) => total + count, 0)

function countByStatus(counts: readonly CallCount[]): Record<string, number> {
  const byStatus: Record<string, number> = {}
  for (const { status, count } of counts) byStatus[status] = (byStatus[status] ?? 0) + count
  return byStatus
}

/** Of the calls that rang somewhere: who took it, and who did not. Planned, cancelled and blocked ones are neither. */
const answersOf = (counts: readonly CallCount[]) => ({
  answered: sum(counts.filter((each) => each.answered)),
  not_answered: sum(counts.filter((each) => !each.answered && each.status === 'failed')),
})

const bookingsOf = (counts: readonly BookingCount[], date: string) => {
  const by = (who: BookingCount['bookedBy']) =>
    sum(counts.filter((each) => each.date === date && each.bookedBy === who))
  return { ai: by('ai'), staff: by('staff'), api: by('api') }
}

export async function readLiveCalls(db: Queryable, organisationId: string): Promise<LiveCalls> {
  const { calls, total, waiting } = await selectLiveCalls(db, organisationId, mostLive)
  return {
    total,
    waiting,
    calls: calls.map((call) => ({
      ...call,
      triggered_at: call.triggered_at?.toISOString() ?? null,
      answered_at: call.answered_at?.toISOString() ?? null,
    })),
  }
}
