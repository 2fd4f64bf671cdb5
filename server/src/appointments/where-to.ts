import type { PatchAppointmentBody } from '@parley/contract/appointments'
import type { Clock } from '../platform/clock.ts'
import type { Transaction } from '../platform/db.ts'
import { type Fault, fault, isFault } from '../platform/errors.ts'
import { type FoundDay, findDay, type OfferedService } from '../slots/places.ts'
import { readDatedSlotId } from '../slots/slot-id.ts'
import type { AppointmentRecord } from './appointment.ts'
import { dayToBook, serviceFor } from './booking-rules.ts'
import { serviceFault } from './read-booking.ts'

type Where = {
  /** The day it is to be moved to. */
  target: FoundDay | null
  /** The day it has, where that matters. */
  current: FoundDay | null
  /** Undefined: stays as it is. */
  service: OfferedService | null | undefined
  faults: Fault[]
}

/** What a patch says about slot and service, with all that is wrong with it at once. */
export async function whereTo(
  clock: Clock,
  tx: Transaction,
  organisationId: string,
  before: AppointmentRecord,
  patch: PatchAppointmentBody,
  takesPlace: boolean,
): Promise<Where> {
  const wantedId = patch.appointment_type_id
  const slot = patch.slot_id === undefined ? null : readDatedSlotId(patch.slot_id)
  if (isFault(slot)) return lost([slot])
  const isMove = slot !== null && (slot.calendarId !== before.calendarId || slot.date !== before.date)
  const to = isMove ? await dayToBook({ db: tx, clock }, organisationId, slot) : { found: null, faults: [] }
  if (isMove && !to.found) return lost(to.faults)
  const wantsService = wantedId !== undefined || isMove
  const current = !isMove && (wantsService || takesPlace) ? await dayNow(tx, clock, organisationId, before) : null
  const found = to.found ?? current
  const service = wantsService && found ? await serviceAfter(tx, organisationId, found, before, wantedId) : undefined
  if (!isFault(service)) return { target: to.found, current, service, faults: to.faults }
  // One fault a field: a slot on the wrong day need not be told to be for another service besides.
  const isTold = to.faults.some((each) => each.field === service.field)
  return { target: to.found, current, service: undefined, faults: isTold ? to.faults : [...to.faults, service] }

  async function lost(faults: Fault[]): Promise<Where> {
    const unknown = await serviceFault(tx, organisationId, wantedId ?? null)
    return { target: null, current: null, service: undefined, faults: unknown ? [...faults, unknown] : faults }
  }
}

async function dayNow(
  tx: Transaction,
  clock: Clock,
  organisationId: string,
  { calendarId, date }: AppointmentRecord,
): Promise<FoundDay> {
  const found = await findDay({ db: tx, clock }, organisationId, calendarId, date)
  // Windows are never deleted.
  if (!found) throw new Error(`window ${calendarId} of an appointment is gone`)
  return found
}

/** The service it has goes along, unless the window it goes to is for another. */
async function serviceAfter(
  tx: Transaction,
  organisationId: string,
  found: FoundDay,
  before: AppointmentRecord,
  wantedId: string | undefined,
): Promise<OfferedService | Fault | null> {
  const service = await serviceFor(tx, organisationId, found, wantedId ?? before.appointmentTypeId)
  return isFault(service) && wantedId === undefined ? fault('slot_id', service.code, service.message) : service
}
