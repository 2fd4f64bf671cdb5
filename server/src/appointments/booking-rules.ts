import { findService } from '../branches/branches.service.ts'
import type { Queryable } from '../platform/db.ts'
import { type Fault, fault, isFault, ParleyError, validationError } from '../platform/errors.ts'
import { phoneFault } from '../platform/phone.ts'
import type { SlotsDeps } from '../slots/availability.ts'
import { type FoundDay, findDay, type OfferedService } from '../slots/places.ts'
import { type DatedSlotId, readDatedSlotId } from '../slots/slot-id.ts'

/** A slot_id in a body: it must name a date. */
export function datedSlotId(slotId: string): DatedSlotId {
  const read = readDatedSlotId(slotId)
  if (isFault(read)) throw validationError([read])
  return read
}

/** An id of another organisation is one that does not exist (decisions 1). */
export async function dayToBook(deps: SlotsDeps, organisationId: string, slot: DatedSlotId): Promise<FoundDay> {
  const found = await findDay(deps, organisationId, slot.calendarId, slot.date)
  if (!found) throw validationError([fault('slot_id', 'not_found', 'There is no slot with this id.')])
  if (!found.falls) {
    const message = `This slot falls on a ${found.day.window.day}, and ${slot.date} is none.`
    throw validationError([fault('slot_id', 'not_on_this_day', message)])
  }
  return found
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
  if (!problem) return
  const details = [fault('contact_number', problem.code.toLowerCase(), problem.message)]
  throw new ParleyError(problem.code, problem.message, { details })
}
