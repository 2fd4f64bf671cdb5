import { findService } from '../branches/branches.service.ts'
import type { Queryable } from '../platform/db.ts'
import { type Fault, fault, ParleyError } from '../platform/errors.ts'
import { phoneFault } from '../platform/phone.ts'
import type { SlotsDeps } from '../slots/availability.ts'
import { type FoundDay, findDay, type OfferedService } from '../slots/places.ts'
import type { DatedSlotId } from '../slots/slot-id.ts'

export const noSuchSlot = fault('slot_id', 'not_found', 'There is no slot with this id.')

/** The day, and what is wrong with it: where both are there, the rest of the request can still be held against it. */
export type DayToBook = { found: FoundDay | null; faults: Fault[] }

/** An id of another organisation is one that does not exist (decisions 1). */
export async function dayToBook(deps: SlotsDeps, organisationId: string, slot: DatedSlotId): Promise<DayToBook> {
  const found = await findDay(deps, organisationId, slot.calendarId, slot.date)
  if (!found) return { found, faults: [noSuchSlot] }
  if (found.falls) return { found, faults: [] }
  const message = `This slot falls on a ${found.day.window.day}, and ${slot.date} is none.`
  return { found, faults: [fault('slot_id', 'not_on_this_day', message)] }
}

const wrongService = (code: string, message: string): Fault => fault('appointment_type_id', code, message)

/**
 * A window for one service gives it. In any other the caller says which; where the branch has only one, it is that, and
 * where it has none, there is none.
 */
export async function serviceFor(
  db: Queryable,
  organisationId: string,
  { day, services }: FoundDay,
  wantedId: string | null,
): Promise<OfferedService | Fault | null> {
  if (wantedId === null) {
    if (services.length > 1) return wrongService('required', 'This slot takes several services: say which.')
    return services[0] ?? null
  }
  const offered = services.find((each) => each.appointmentTypeId === wantedId.toLowerCase())
  if (offered) return offered
  if (!(await findService(db, organisationId, wantedId)))
    return wrongService('not_found', 'There is no service with this id.')
  return day.window.appointmentTypeId === null
    ? wrongService('not_offered', 'This service is not offered at this branch.')
    : wrongService('not_in_this_slot', 'This slot is for another service.')
}

/** Told last: when a field is faulty too, 400 wins (decisions 1). */
export function refuseBadNumber(contactNumber: string): void {
  const problem = phoneFault(contactNumber)
  if (problem) throw new ParleyError(problem.code, problem.message, { details: numberFaults(contactNumber) })
}

/** The same as one of several faults. */
export function numberFaults(contactNumber: unknown): Fault[] {
  const problem = typeof contactNumber === 'string' ? phoneFault(contactNumber) : null
  return problem ? [fault('contact_number', problem.code.toLowerCase(), problem.message)] : []
}

/** A schema counts characters; whether they say something it cannot tell. */
export const nameFaults = ({ contact_name: name }: Record<string, unknown>): Fault[] =>
  typeof name === 'string' && name !== '' && name.trim() === ''
    ? [fault('contact_name', 'too_short', 'Write a name: spaces alone are none.')]
    : []
