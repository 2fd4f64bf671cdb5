import type { Appointment } from '@parley/contract/appointments'
import type { Clock } from '../platform/clock.ts'
import type { Database, Transaction } from '../platform/db.ts'
import { fault, ParleyError, validationError } from '../platform/errors.ts'
import { answerOnce, type IdempotencyClaim, type OnceAnswered } from '../platform/idempotency.ts'
import { newUuid } from '../platform/ids.ts'
import { type Day, refusalOf } from '../slots/day.ts'
import { NoPlaceError, withAlternatives } from '../slots/no-place.ts'
import { isHeldBy, type OfferedService, prepareDay, reserve } from '../slots/places.ts'
import { OutrunError, untilSettled } from '../slots/settle.ts'
import { recordEvents } from '../webhooks/events.service.ts'
import { type AppointmentRecord, type NewAppointment, placementOf } from './appointment.ts'
import { appointmentView } from './appointment-view.ts'
import { insertAppointment, selectExternalIdInUse } from './appointments.store.ts'
import { numberFaults, refuseBadNumber } from './booking-rules.ts'
import { readBooking } from './read-booking.ts'

export type AppointmentsDeps = { db: Database; clock: Clock }

/** With an Idempotency-Key one appointment, however often it is asked for. */
export const createAppointment = (
  deps: AppointmentsDeps,
  organisationId: string,
  wanted: NewAppointment,
  claim: IdempotencyClaim | null,
): Promise<OnceAnswered> =>
  withAlternatives(deps, organisationId, () =>
    untilSettled(() =>
      answerOnce(deps.db, claim, async (tx) => {
        const data: Appointment = appointmentView(await bookWithin(deps.clock, tx, organisationId, wanted))
        return JSON.stringify({ success: true, data })
      }),
    ),
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
    ? untilSettled(async () => {
        await tx.query('savepoint booking')
        return bookWithin(deps.clock, tx, organisationId, wanted).catch(async (error: unknown) => {
          await tx.query('rollback to savepoint booking')
          throw error
        })
      })
    : withAlternatives(deps, organisationId, () =>
        untilSettled(() => deps.db.transaction((own) => bookWithin(deps.clock, own, organisationId, wanted))),
      )

/** In the transaction of the key or of the caller. Throws OutrunError when it is to be undone and tried again. */
async function bookWithin(
  clock: Clock,
  tx: Transaction,
  organisationId: string,
  wanted: NewAppointment,
): Promise<AppointmentRecord> {
  const { found, service, faults } = await readBooking({ db: tx, clock }, organisationId, wanted)
  if (!found || faults.length > 0) throw validationError([...faults, ...numberFaults(wanted.contactNumber)])
  refuseBadNumber(wanted.contactNumber)
  await refuseWithoutPlace(tx, organisationId, found.day, wanted, service)
  return book(tx, organisationId, found.day, wanted, service)
}

async function refuseWithoutPlace(
  tx: Transaction,
  organisationId: string,
  day: Day,
  wanted: NewAppointment,
  service: OfferedService | null,
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
async function book(
  tx: Transaction,
  organisationId: string,
  day: Day,
  wanted: NewAppointment,
  service: OfferedService | null,
): Promise<AppointmentRecord> {
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
  if (!isTaken) throw new OutrunError()
  return appointment
}
