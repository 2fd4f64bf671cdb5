import type { Appointment } from '@parley/contract/appointments'
import type { Service } from '../branches/branch.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Transaction } from '../platform/db.ts'
import { type Fault, fault, ParleyError, validationError } from '../platform/errors.ts'
import { answerOnce, type IdempotencyClaim, type OnceAnswered } from '../platform/idempotency.ts'
import { isId, newUuid } from '../platform/ids.ts'
import { type Day, refusalOf } from '../slots/day.ts'
import { NoPlaceError, withAlternatives } from '../slots/no-place.ts'
import { isHeldBy, prepareDay, reserve } from '../slots/places.ts'
import { recordEvents } from '../webhooks/events.service.ts'
import { type AppointmentRecord, type NewAppointment, placementOf } from './appointment.ts'
import { appointmentView } from './appointment-view.ts'
import { insertAppointment, selectCallExists, selectExternalIdInUse } from './appointments.store.ts'
import { datedSlotId, dayToBook, isFault, refuseBadNumber, serviceFor } from './booking-rules.ts'

export type AppointmentsDeps = { db: Database; clock: Clock }

/** With an Idempotency-Key one appointment, however often it is asked for. */
export const createAppointment = (
  deps: AppointmentsDeps,
  organisationId: string,
  wanted: NewAppointment,
  claim: IdempotencyClaim | null,
): Promise<OnceAnswered> =>
  withAlternatives(deps, organisationId, () =>
    answerOnce(deps.db, claim, async (tx) => {
      const data: Appointment = appointmentView(await bookWithin(deps.clock, tx, organisationId, wanted))
      return JSON.stringify({ success: true, data })
    }),
  )

/**
 * Books a place, or refuses with the codes of decisions 7. With `tx` it is part of that transaction, which goes on when
 * the booking is refused; the refusal then names no alternatives.
 */
export const bookAppointment = (
  deps: AppointmentsDeps,
  organisationId: string,
  wanted: NewAppointment,
  { tx }: { tx?: Transaction } = {},
): Promise<AppointmentRecord> =>
  tx
    ? bookWithin(deps.clock, tx, organisationId, wanted)
    : withAlternatives(deps, organisationId, () =>
        deps.db.transaction((own) => bookWithin(deps.clock, own, organisationId, wanted)),
      )

const mostTries = 10

async function bookWithin(
  clock: Clock,
  tx: Transaction,
  organisationId: string,
  wanted: NewAppointment,
): Promise<AppointmentRecord> {
  const slot = datedSlotId(wanted.slotId)
  await tx.query('savepoint booking')
  for (let tries = 0; tries < mostTries; tries += 1) {
    const day = await dayToBook({ db: tx, clock }, organisationId, slot)
    const service = await serviceOf(tx, organisationId, day, { ...wanted, slotServiceId: slot.appointmentTypeId })
    refuseBadNumber(wanted.contactNumber)
    await refuseWithoutPlace(tx, organisationId, day, wanted, service)
    const booked = await tryToBook(tx, organisationId, day, wanted, service)
    if (booked) return booked
    // Somebody was quicker, or the rule has changed: look again, and say what it is now.
    await tx.query('rollback to savepoint booking')
  }
  throw new ParleyError('UNAVAILABLE', 'Try again.', { headers: { 'retry-after': '1' } })
}

async function serviceOf(
  tx: Transaction,
  organisationId: string,
  day: Day,
  wanted: NewAppointment & { slotServiceId: string | null },
): Promise<Service | null> {
  const faults: Fault[] = []
  const wantedId = wanted.appointmentTypeId ?? null
  const service = await serviceFor(tx, organisationId, day, wantedId ?? wanted.slotServiceId)
  if (isFault(service)) faults.push(service)
  if (wantedId !== null && wanted.slotServiceId !== null && wantedId.toLowerCase() !== wanted.slotServiceId)
    faults.push(fault('appointment_type_id', 'contradicts', 'The slot_id names another service.'))
  if (wanted.callId) {
    const exists = isId('call', wanted.callId) && (await selectCallExists(tx, organisationId, wanted.callId))
    if (!exists) faults.push(fault('call_id', 'not_found', 'There is no call with this id.'))
  }
  if (faults.length > 0 || isFault(service)) throw validationError(faults)
  return service
}

async function refuseWithoutPlace(
  tx: Transaction,
  organisationId: string,
  day: Day,
  wanted: NewAppointment,
  service: Service | null,
): Promise<void> {
  const bookedBy = wanted.bookedBy ?? 'api'
  const isHeld = wanted.callId ? await isHeldBy(tx, day.window.calendarId, day.date, wanted.callId) : false
  const refusal = refusalOf(day, bookedBy, isHeld)
  if (!refusal) return
  // A repeat of a booking that stands is told so, even though it took the last place itself.
  if (wanted.externalId && (await selectExternalIdInUse(tx, organisationId, wanted.externalId))) throw alreadyBooked()
  throw new NoPlaceError(day, refusal, { bookedBy, appointmentTypeId: service?.appointmentTypeId })
}

const inUse = 'There is an appointment with this external_id that is not cancelled.'
export const alreadyBooked = () =>
  new ParleyError('ALREADY_BOOKED', inUse, { details: [fault('external_id', 'already_booked', inUse)] })

/** The shared row comes last: it is held only while the transaction commits. */
async function tryToBook(
  tx: Transaction,
  organisationId: string,
  day: Day,
  wanted: NewAppointment,
  service: Service | null,
): Promise<AppointmentRecord | null> {
  await prepareDay(tx, day)
  const bookedBy = wanted.bookedBy ?? 'api'
  const appointment = await insertAppointment(tx, organisationId, {
    ...placementOf(day),
    appointmentId: newUuid(),
    status: 'confirmed',
    appointmentTypeId: service?.appointmentTypeId ?? null,
    appointmentTypeName: service?.name ?? null,
    contactName: wanted.contactName,
    contactNumber: wanted.contactNumber,
    contactEmail: wanted.contactEmail ?? null,
    notes: wanted.notes ?? null,
    bookedBy,
    callId: wanted.callId ?? null,
    externalId: wanted.externalId ?? null,
    cancellationReason: null,
  })
  if (!appointment) throw alreadyBooked()
  const { callId } = appointment
  const data = appointmentView(appointment)
  await recordEvents(tx, [{ organisationId, type: 'appointment.created', callId, data }])
  const isTaken = await reserve(tx, organisationId, day, { isAi: bookedBy === 'ai', heldBy: callId })
  return isTaken ? appointment : null
}
