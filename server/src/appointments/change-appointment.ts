import type { AppointmentStatus, PatchAppointmentBody } from '@parley/contract/appointments'
import type { Clock } from '../platform/clock.ts'
import { brokenUniqueness, type Transaction } from '../platform/db.ts'
import { type Fault, fault, isFault, ParleyError, validationError } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { type Day, refusalOf } from '../slots/day.ts'
import { NoPlaceError, withAlternatives } from '../slots/no-place.ts'
import {
  type FoundDay,
  findDay,
  isHeldBy,
  type OfferedService,
  type Place,
  prepareDay,
  release,
  reserve,
} from '../slots/places.ts'
import { OutrunError, untilSettled } from '../slots/settle.ts'
import { readDatedSlotId } from '../slots/slot-id.ts'
import { recordEvents } from '../webhooks/events.service.ts'
import { type AppointmentRecord, eventOf, placementOf } from './appointment.ts'
import { appointmentView } from './appointment-view.ts'
import { lockAppointment, updateAppointment } from './appointments.store.ts'
import { type AppointmentsDeps, alreadyBooked } from './book-appointment.ts'
import { dayToBook, numberFaults, refuseBadNumber, serviceFor } from './booking-rules.ts'
import { isSame, planChange } from './plan-change.ts'
import { serviceFault } from './read-booking.ts'

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
async function whereTo(
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
