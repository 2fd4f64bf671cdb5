import type { Service } from '../branches/branch.ts'
import { isOfferedAt } from '../branches/branch.ts'
import { findService, servicesAt } from '../branches/branches.service.ts'
import type { Queryable } from '../platform/db.ts'
import { type Fault, fault, ParleyError, validationError } from '../platform/errors.ts'
import { phoneFault } from '../platform/phone.ts'
import type { SlotsDeps } from '../slots/availability.ts'
import type { Day } from '../slots/day.ts'
import { findDay } from '../slots/places.ts'
import { parseSlotId, type SlotId } from '../slots/slot-id.ts'

export type DatedSlotId = SlotId & { date: string }

/** A slot_id in a body: it must name a date. */
export function datedSlotId(slotId: string): DatedSlotId {
  const parsed = parseSlotId(slotId)
  if (!parsed) throw validationError([fault('slot_id', 'format', 'Give a slot_id as availability answers it.')])
  if (parsed.date === null) throw validationError([withoutDate])
  return { ...parsed, date: parsed.date }
}
const withoutDate = fault('slot_id', 'without_date', 'Say which date: <calendar_id>||<YYYY-MM-DD>.')

/** An id of another organisation is one that does not exist (decisions 1). */
export async function dayToBook(deps: SlotsDeps, organisationId: string, slot: DatedSlotId): Promise<Day> {
  const found = await findDay(deps, organisationId, slot.calendarId, slot.date)
  if (!found) throw validationError([fault('slot_id', 'not_found', 'There is no slot with this id.')])
  if (!found.falls) {
    const message = `This slot falls on a ${found.day.window.day}, and ${slot.date} is none.`
    throw validationError([fault('slot_id', 'not_on_this_day', message)])
  }
  return found.day
}

const wrongService = (code: string, message: string): Fault => fault('appointment_type_id', code, message)

/**
 * A window for one service gives it. In any other the caller says which; where the branch has only one, it is that, and
 * where it has none, there is none.
 */
export async function serviceFor(
  db: Queryable,
  organisationId: string,
  day: Day,
  wantedId: string | null,
): Promise<Service | Fault | null> {
  const { appointmentTypeId: onlyId, branchId } = day.window
  const serviceId = wantedId?.toLowerCase() ?? onlyId
  if (onlyId !== null && serviceId !== onlyId)
    return wrongService('not_in_this_slot', 'This slot is for another service.')
  if (serviceId === null) {
    const offered = await servicesAt(db, organisationId, branchId)
    if (offered.length > 1) return wrongService('required', 'This slot takes several services: say which.')
    return offered[0] ?? null
  }
  const service = await findService(db, organisationId, serviceId)
  if (!service) return wrongService('not_found', 'There is no service with this id.')
  if (onlyId === null && !isOfferedAt(service, branchId))
    return wrongService('not_offered', 'This service is not offered at this branch.')
  return service
}

export const isFault = (value: Service | Fault | null): value is Fault => value !== null && 'field' in value

/** Told last: when a field is faulty too, 400 wins (decisions 1). */
export function refuseBadNumber(contactNumber: string): void {
  const problem = phoneFault(contactNumber)
  if (!problem) return
  const details = [fault('contact_number', problem.code.toLowerCase(), problem.message)]
  throw new ParleyError(problem.code, problem.message, { details })
}
