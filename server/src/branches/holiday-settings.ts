import type { AddHolidaysBody, HolidayEntry } from '@parley/contract/branch-settings'
import { recordAudit } from '../platform/audit.ts'
import { announceChange } from '../platform/changes.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { type Fault, fault, validationError } from '../platform/errors.ts'
import type { Actor } from './branch-settings.service.ts'
import { branchesById, listBranchNames } from './branches.service.ts'
import { type Holiday, holidayFaults, type NewHoliday } from './holiday.ts'
import { addHoliday, listHolidays, removeHoliday } from './holidays.service.ts'
import { selectBookedInHolidays } from './holidays.store.ts'

export type HolidayWithBookings = Holiday & { booked: number }

const toHoliday = ({ start_date, end_date, reason, hours }: HolidayEntry): NewHoliday => ({
  startDate: start_date,
  endDate: end_date,
  reason: reason?.trim() || null,
  hours: hours ?? null,
})

/** What a schema cannot say about the entries; joins its faults. */
export const addHolidaysFaults = ({ entries }: Record<string, unknown>): Fault[] =>
  (Array.isArray(entries) ? entries : []).flatMap((each: unknown, i) =>
    isWellFormed(each) ? holidayFaults(toHoliday(each), `entries.${i}.`) : [],
  )

const isWellFormed = (value: unknown): value is HolidayEntry => {
  const { start_date, end_date, reason, hours } = (value ?? {}) as Record<string, unknown>
  const areHours = hours == null || Object.values(hours).every((each) => typeof each?.start === 'string')
  return (
    typeof start_date === 'string' && typeof end_date === 'string' && typeof (reason ?? '') === 'string' && areHours
  )
}

async function withBookings(
  db: Queryable,
  organisationId: string,
  holidays: Holiday[],
): Promise<HolidayWithBookings[]> {
  const ids = holidays.map((each) => each.holidayId)
  const booked = await selectBookedInHolidays(db, organisationId, ids)
  return holidays.map((each) => ({ ...each, booked: booked.get(each.holidayId) ?? 0 }))
}

/** Of every branch, earliest first. */
export async function listHolidaySettings(db: Queryable, organisationId: string): Promise<HolidayWithBookings[]> {
  const branchIds = [...(await listBranchNames(db, organisationId)).values()]
  const holidays = await listHolidays(db, organisationId, branchIds)
  const earliest = holidays.toSorted((a, b) => (a.startDate < b.startDate ? -1 : a.startDate > b.startDate ? 1 : 0))
  return withBookings(db, organisationId, earliest)
}

/** Every entry at every branch, or none. No booking is dropped and no event sent (0024): dashboards read again. */
export function addHolidays(
  db: Database,
  { organisationId, actor }: Actor,
  { branch_ids, entries }: AddHolidaysBody,
): Promise<HolidayWithBookings[]> {
  return db.transaction(async (tx) => {
    const branchIds = [...new Set(branch_ids.map((each) => each.toLowerCase()))]
    const own = await branchesById(tx, organisationId, branchIds)
    if (branchIds.some((each) => !own.has(each)))
      throw validationError([fault('branch_ids', 'not_found', 'There is no branch with this id.')])
    const added: Holiday[] = []
    for (const branchId of branchIds) {
      for (const entry of entries) {
        const holiday = await addHoliday(tx, organisationId, branchId, toHoliday(entry))
        await recordAudit(tx, { organisationId, actor, action: 'holiday.added', resourceId: holiday.holidayId })
        added.push(holiday)
      }
    }
    announceChange(tx, organisationId, 'slots')
    return withBookings(tx, organisationId, added)
  })
}

export function dropHoliday(db: Database, { organisationId, actor }: Actor, holidayId: string): Promise<Holiday> {
  return db.transaction(async (tx) => {
    const removed = await removeHoliday(tx, organisationId, holidayId)
    await recordAudit(tx, { organisationId, actor, action: 'holiday.removed', resourceId: removed.holidayId })
    announceChange(tx, organisationId, 'slots')
    return removed
  })
}
