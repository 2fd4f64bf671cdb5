import type { Queryable } from '../platform/db.ts'
import { isUuid } from '../platform/ids.ts'
import { isDate, spanOn } from '../platform/local-time.ts'
import type { SlotsDeps } from './availability.ts'
import { type Day, dayOf, fallsOn } from './day.ts'
import { insertDaySlot, type OfferedService, selectWindowDay } from './day-slots.store.ts'
import {
  deleteHold,
  givePlaceBack,
  insertHold,
  type Place,
  type Revisions,
  selectHold,
  takePlace,
} from './places.store.ts'

export type { OfferedService, Place }

export type FoundDay = { day: Day; falls: boolean; services: OfferedService[] }

/** One date of a window as it is now, whether or not the window falls on it. Null: there is no such window. */
export async function findDay(
  { db, clock }: SlotsDeps,
  organisationId: string,
  calendarId: string,
  date: string,
): Promise<FoundDay | null> {
  const found = isUuid(calendarId) && isDate(date) && (await selectWindowDay(db, organisationId, calendarId, date))
  if (!found) return null
  const { window, branch, slot, services } = found
  const span = (on: string, start: string, end: string) => spanOn(on, start, end, branch.timezone)
  return { day: dayOf(window, slot, date, branch, span, clock.now()), falls: fallsOn(window, date), services }
}

/**
 * Takes one place of a day as it was read: one guarded UPDATE, in the transaction of the appointment. Call it last: the
 * row is everybody's, and only the commit should come after it. False: no place, or the day is no longer as it was
 * read; read it again to know which.
 */
export const reserve = (
  tx: Queryable,
  organisationId: string,
  day: Day,
  { isAi, heldBy = null }: { isAi: boolean; heldBy?: string | null },
): Promise<boolean> => {
  const place = { calendarId: day.window.calendarId, date: day.date, isAi }
  const seen: Revisions = { window: day.window.revision, day: day.slot?.revision ?? 0 }
  return takePlace(tx, organisationId, place, seen, heldBy)
}

/** The date's row, before anything is taken from it. */
export const prepareDay = (tx: Queryable, day: Day): Promise<void> =>
  day.slot ? Promise.resolve() : insertDaySlot(tx, day.window.calendarId, day.date)

export const release: (tx: Queryable, place: Place) => Promise<void> = givePlaceBack

const longestHoldSeconds = 300

/**
 * Keeps a place for a call that is still talking, five minutes at most. It counts against ai_slots and max_slots while
 * it lasts, and for nothing afterwards. Null: there is no place for the agent.
 */
export async function holdPlace(
  deps: SlotsDeps,
  organisationId: string,
  wanted: { calendarId: string; date: string; callId: string; seconds?: number },
): Promise<{ expiresAt: Date } | null> {
  const { calendarId, date, callId } = wanted
  const found = await findDay(deps, organisationId, calendarId, date)
  if (!found?.falls || found.day.status === 'CLOSED') return null
  await prepareDay(deps.db, found.day)
  const seconds = Math.min(wanted.seconds ?? longestHoldSeconds, longestHoldSeconds)
  const expiresAt = await insertHold(deps.db, organisationId, calendarId, date, callId, seconds)
  return expiresAt && { expiresAt }
}

/** Nothing happens when there is none. */
export const releaseHold = (
  db: Queryable,
  { calendarId, date, callId }: { calendarId: string; date: string; callId: string },
): Promise<void> => deleteHold(db, calendarId, date, callId)

export const isHeldBy: (db: Queryable, calendarId: string, date: string, callId: string) => Promise<boolean> =
  selectHold
