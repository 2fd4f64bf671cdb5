import type { AppointmentStatus, PatchAppointmentBody } from '@parley/contract/appointments'
import type { Clock } from '../platform/clock.ts'
import { brokenUniqueness, type Transaction } from '../platform/db.ts'
import { fault, ParleyError, validationError } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { type Day, refusalOf } from '../slots/day.ts'
import { NoPlaceError, withAlternatives } from '../slots/no-place.ts'
import { isHeldBy, type Place, prepareDay, release, reserve } from '../slots/places.ts'
import { OutrunError, untilSettled } from '../slots/settle.ts'
import { recordEvents } from '../webhooks/events.service.ts'
import { type AppointmentRecord, eventOf, placementOf } from './appointment.ts'
import { appointmentView } from './appointment-view.ts'
import { lockAppointment, updateAppointment } from './appointments.store.ts'
import { type AppointmentsDeps, alreadyBooked } from './book-appointment.ts'
import { numberFaults, refuseBadNumber } from './booking-rules.ts'
import { isSame, planChange } from './plan-change.ts'
import { whereTo } from './where-to.ts'

export const noSuchAppointment = () => new ParleyError('NOT_FOUND', 'There is no appointment with this id.')

/** `heldBy`: the call whose hold, where it has one, is the place to be taken. */
export type ChangeOptions = { tx?: Transaction; heldBy?: string | null }

/** Changes, moves, cancels: one transaction, one event, or none when nothing changes (decisions 7). */
export const changeAppointment = (
  deps: AppointmentsDeps,
  organisationId: string,
  appointmentId: string,
  patch: PatchAppointmentBody,
  { tx, heldBy = null }: ChangeOptions = {},
): Promise<AppointmentRecord> => {
  const changeIn = (own: Transaction) => changeWithin(deps.clock, own, organisationId, appointmentId, patch, heldBy)
  return tx
    ? untilSettled(async () => {
        await tx.query('savepoint change')
        return changeIn(tx).catch(async (error: unknown) => {
          await tx.query('rollback to savepoint change')
          throw error
        })
      })
    : withAlternatives(deps, organisationId, () => untilSettled(() => deps.db.transaction(changeIn)))
}

export const cancelAppointment = (
  deps: AppointmentsDeps,
  organisationId: string,
  appointmentId: string,
  reason: string | null,
  options: ChangeOptions = {},
): Promise<AppointmentRecord> => {
  const patch = { status: 'cancelled', ...(reason === null ? {} : { cancellation_reason: reason }) } as const
  return changeAppointment(deps, organisationId, appointmentId, patch, options)
}

export const rescheduleAppointment = (
  deps: AppointmentsDeps,
  organisationId: string,
  appointmentId: string,
  slotId: string,
  options: ChangeOptions = {},
): Promise<AppointmentRecord> => changeAppointment(deps, organisationId, appointmentId, { slot_id: slotId }, options)

async function changeWithin(
  clock: Clock,
  tx: Transaction,
  organisationId: string,
  appointmentId: string,
  patch: PatchAppointmentBody,
  heldBy: string | null,
): Promise<AppointmentRecord> {
  const before = isUuid(appointmentId) ? await lockAppointment(tx, organisationId, appointmentId) : null
  if (!before) throw noSuchAppointment()
  const next = await nextOf(clock, tx, organisationId, before, patch, heldBy)
  return isSame(before, next.appointment) ? before : change(tx, organisationId, before, next, heldBy)
}

type Next = { appointment: AppointmentRecord; gives: Place | null; takes: Day | null }

/** What it will be, with every rule checked; nothing is written yet. */
async function nextOf(
  clock: Clock,
  tx: Transaction,
  organisationId: string,
  before: AppointmentRecord,
  patch: PatchAppointmentBody,
  heldBy: string | null,
): Promise<Next> {
  const plan = planChange(before, patch)
  const { target, current, service, faults } = await whereTo(clock, tx, organisationId, before, patch, plan.takesPlace)
  faults.push(...plan.faults)
  if (faults.length > 0) throw validationError([...faults, ...numberFaults(patch.contact_number)])
  if (target && plan.status !== 'confirmed') throw statusConflict(before.status, 'moved')
  if (patch.contact_number !== undefined) refuseBadNumber(patch.contact_number)
  const here = { calendarId: before.calendarId, date: before.date, isAi: before.bookedBy === 'ai' }
  const takes = (target ?? (plan.takesPlace ? current : null))?.day ?? null
  const isHeld = takes && heldBy ? await isHeldBy(tx, takes.window.calendarId, takes.date, heldBy) : false
  const refusal = takes && refusalOf(takes, before.bookedBy, isHeld)
  if (refusal) {
    const appointmentTypeId = (service ?? before).appointmentTypeId ?? undefined
    throw new NoPlaceError(takes, refusal, { bookedBy: before.bookedBy, appointmentTypeId })
  }
  const appointment = {
    ...plan.appointment,
    ...(target ? placementOf(target.day) : {}),
    ...(service === undefined
      ? {}
      : { appointmentTypeId: service?.appointmentTypeId ?? null, appointmentTypeName: service?.name ?? null }),
  }
  const gives = plan.givesPlace || (target !== null && before.status !== 'cancelled') ? here : null
  return { appointment, gives, takes }
}

/** Places come last and in one order, whoever moves where: two that swap cannot wait for each other. */
async function change(
  tx: Transaction,
  organisationId: string,
  before: AppointmentRecord,
  { appointment, gives, takes }: Next,
  heldBy: string | null,
): Promise<AppointmentRecord> {
  const changed = await updateAppointment(tx, organisationId, appointment).catch((error: unknown) => {
    throw brokenUniqueness(error) === null ? error : alreadyBooked()
  })
  const type = eventOf(before.status, changed.status)
  await recordEvents(tx, [{ organisationId, type, callId: changed.callId, data: appointmentView(changed) }])
  const give = async () => {
    if (gives) await release(tx, gives)
    return true
  }
  const take = async () => {
    if (!takes) return true
    await prepareDay(tx, takes)
    return reserve(tx, organisationId, takes, { isAi: before.bookedBy === 'ai', heldBy })
  }
  const isGivenFirst = !takes || !gives || orderOf(gives) < orderOf({ ...takes.window, date: takes.date })
  const steps = isGivenFirst ? [give, take] : [take, give]
  for (const step of steps) if (!(await step())) throw new OutrunError()
  return changed
}

const orderOf = ({ calendarId, date }: { calendarId: string; date: string }): string => `${calendarId} ${date}`

export const statusConflict = (status: AppointmentStatus, what: string): ParleyError =>
  new ParleyError('APPOINTMENT_STATUS_CONFLICT', `The appointment is ${status} and cannot be ${what}.`, {
    details: [fault('status', 'conflict', 'Only a confirmed appointment can. Set status to confirmed first.')],
  })
