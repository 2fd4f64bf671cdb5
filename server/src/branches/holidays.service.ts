import type { Queryable } from '../platform/db.ts'
import { ParleyError, validationError } from '../platform/errors.ts'
import { isUuid, newUuid } from '../platform/ids.ts'
import { findBranch } from './branches.service.ts'
import { type Holiday, holidayFaults, type NewHoliday } from './holiday.ts'
import { deleteHoliday, insertHoliday, selectHolidays } from './holidays.store.ts'

/** Bookings that lie in it stay; tracking shows them, and people decide. */
export async function addHoliday(
  db: Queryable,
  organisationId: string,
  branchId: string,
  holiday: NewHoliday,
): Promise<Holiday> {
  const faults = holidayFaults(holiday, '')
  if (faults.length > 0) throw validationError(faults)
  if (!(await findBranch(db, organisationId, branchId)))
    throw new ParleyError('NOT_FOUND', 'There is no branch with this id.')
  return insertHoliday(db, organisationId, branchId, newUuid(), holiday)
}

/** Those that touch the dates, in the order they were entered. */
export const listHolidays = (
  db: Queryable,
  organisationId: string,
  branchIds: string[],
  { from = '1970-01-01', to = '2999-12-31' }: { from?: string; to?: string } = {},
): Promise<Holiday[]> => selectHolidays(db, organisationId, branchIds, from, to)

export async function removeHoliday(db: Queryable, organisationId: string, holidayId: string): Promise<Holiday> {
  const removed = isUuid(holidayId) ? await deleteHoliday(db, organisationId, holidayId) : null
  if (!removed) throw new ParleyError('NOT_FOUND', 'There is no holiday with this id.')
  return removed
}
