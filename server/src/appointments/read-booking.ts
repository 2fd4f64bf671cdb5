import { findService } from '../branches/branches.service.ts'
import type { Queryable } from '../platform/db.ts'
import { type Fault, fault, isFault } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import type { SlotsDeps } from '../slots/availability.ts'
import { noSuchService } from '../slots/named-ids.ts'
import type { OfferedService } from '../slots/places.ts'
import { readDatedSlotId } from '../slots/slot-id.ts'
import { isWindowOf } from '../slots/windows.service.ts'
import type { NewAppointment } from './appointment.ts'
import { selectCallExists } from './appointments.store.ts'
import { type DayToBook, dayToBook, noSuchSlot, numberFaults, serviceFor } from './booking-rules.ts'

type Asked = Partial<Pick<NewAppointment, 'slotId' | 'appointmentTypeId' | 'callId'>>

/** Where and for what somebody asks, with all that is wrong with it at once (decisions 1). */
export async function readBooking(
  deps: SlotsDeps,
  organisationId: string,
  { slotId, appointmentTypeId = null, callId }: Asked,
): Promise<DayToBook & { service: OfferedService | null }> {
  const slot = slotId === undefined ? null : readDatedSlotId(slotId)
  const isRead = slot !== null && !isFault(slot)
  const { found, faults } = isRead
    ? await dayToBook(deps, organisationId, slot)
    : { found: null, faults: slot ? [slot] : [] }
  const inSlotId = isRead ? slot.appointmentTypeId : null
  const service = found
    ? await serviceFor(deps.db, organisationId, found, appointmentTypeId ?? inSlotId)
    : await serviceFault(deps.db, organisationId, appointmentTypeId)
  if (isFault(service)) faults.push(service)
  if (appointmentTypeId !== null && inSlotId !== null && appointmentTypeId.toLowerCase() !== inSlotId)
    faults.push(fault('appointment_type_id', 'contradicts', 'The slot_id names another service.'))
  if (callId && !(await isCallOf(deps.db, organisationId, callId)))
    faults.push(fault('call_id', 'not_found', 'There is no call with this id.'))
  return { found, faults, service: isFault(service) ? null : service }
}

/** Without a day there is nothing to hold a service against, but it must be one. */
export const serviceFault = async (
  db: Queryable,
  organisationId: string,
  serviceId: string | null,
): Promise<Fault | null> =>
  serviceId === null || (await findService(db, organisationId, serviceId)) ? null : noSuchService

const isCallOf = async (db: Queryable, organisationId: string, callId: string): Promise<boolean> =>
  isId('call', callId) && selectCallExists(db, organisationId, callId)

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** What else is wrong with a booking that is refused already. */
export async function bookingFaults(
  deps: SlotsDeps,
  organisationId: string,
  body: Record<string, unknown>,
): Promise<Fault[]> {
  const [slotId, callId] = [textOf(body.slot_id), textOf(body.call_id)]
  const asked = { ...(slotId === undefined ? {} : { slotId }), callId: callId ?? null }
  const appointmentTypeId = textOf(body.appointment_type_id) ?? null
  const { faults } = await readBooking(deps, organisationId, { ...asked, appointmentTypeId })
  return [...faults, ...numberFaults(body.contact_number)]
}

/** What else is wrong with a change that is refused already, whatever the appointment is. */
export async function changeFaults(
  db: Queryable,
  organisationId: string,
  body: Record<string, unknown>,
): Promise<Fault[]> {
  const slotId = textOf(body.slot_id)
  const slot = slotId === undefined ? null : readDatedSlotId(slotId)
  const service = await serviceFault(db, organisationId, textOf(body.appointment_type_id) ?? null)
  const faults = [slot, service].filter(isFault)
  if (slot && !isFault(slot) && !(await isWindowOf(db, organisationId, slot.calendarId))) faults.push(noSuchSlot)
  return [...faults, ...numberFaults(body.contact_number)]
}
