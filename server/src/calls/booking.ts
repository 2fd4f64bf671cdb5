import type { AppointmentRecord } from '../appointments/appointment.ts'
import { findBookedInCall, findOfCall, upcomingOfContact } from '../appointments/appointments-in-calls.ts'
import { bookAppointment } from '../appointments/book-appointment.ts'
import { cancelAppointment, rescheduleAppointment } from '../appointments/change-appointment.ts'
import type { Service } from '../branches/branch.ts'
import { servicesAt } from '../branches/branches.service.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Transaction } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { findOpenSlots } from '../slots/availability.ts'
import type { Day } from '../slots/day.ts'
import { findDay, holdPlace, releaseHold } from '../slots/places.ts'
import { parseSlotId } from '../slots/slot-id.ts'
import { linkAppointment, lockLiveCall } from './booking.store.ts'
import type { ClaimedCall } from './claim-calls.ts'

export type BookingDeps = { db: Database; clock: Clock }
export type BookingCall = Pick<
  ClaimedCall,
  'callId' | 'organisationId' | 'language' | 'timezone' | 'to' | 'contactName' | 'contactEmail' | 'prompt'
> & { branchId: string }

/** A window on a date, as the counters know it. */
export type SlotOfCall = { calendarId: string; date: string }
/** The one place a call keeps free; given back when the call ends. */
export type HoldState = { hold: SlotOfCall | null }

const daysToLookAhead = 14
// Some of them say the same time: two windows side by side.
const daysToRead = 50

/** There is no such slot, it is taken, or it is another branch's: for the callee it is all the same. */
export class NotOpen extends Error {
  override readonly name = 'NotOpen'
}
export class NotTheirs extends Error {
  override readonly name = 'NotTheirs'
}
export class CallOver extends Error {
  override readonly name = 'CallOver'
}

/** What one call does to the calendar. Every change stands in a transaction that the call cannot end in between. */
export function bookingOf({ db, clock }: BookingDeps, call: BookingCall, state: HoldState) {
  const { callId, organisationId, branchId } = call
  const inCall = <T>(signal: AbortSignal, work: (tx: Transaction) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      if (!(await lockLiveCall(tx, organisationId, callId))) throw new CallOver()
      const result = await work(tx)
      // The brain was told by now that it did not work: then it must not have.
      signal.throwIfAborted()
      return result
    })

  const letGo = async (): Promise<void> => {
    const { hold } = state
    if (hold) await releaseHold(db, { ...hold, callId })
    state.hold = null
  }

  const hold = async (slot: SlotOfCall, signal: AbortSignal): Promise<void> => {
    if (!isSame(state.hold, slot)) await letGo()
    // Noted before it is done: whatever becomes of this tool, the end of the call gives it back.
    state.hold = slot
    const held = await inCall(signal, (tx) => holdPlace({ db: tx, clock }, organisationId, { ...slot, callId }))
    if (held) return
    state.hold = null
    throw new NotOpen()
  }

  /** Only slots of the agent's own branch. */
  const dayOf = async (tx: Transaction, slot: SlotOfCall): Promise<Day> => {
    const found = await findDay({ db: tx, clock }, organisationId, slot.calendarId, slot.date)
    if (!found?.falls || found.day.window.branchId !== branchId) throw new NotOpen()
    return found.day
  }

  const theirs = async (tx: Transaction, appointmentId: string): Promise<AppointmentRecord> => {
    const all = await upcomingOfContact({ db: tx, clock }, organisationId, call.to)
    const found = all.find((each) => each.appointmentId === appointmentId)
    if (!found) throw new NotTheirs()
    return found
  }

  return {
    letGo,
    services: (): Promise<Service[]> => servicesAt(db, organisationId, branchId),

    hold: async (slot: SlotOfCall, signal: AbortSignal): Promise<Day> => {
      const day = await db.transaction((tx) => dayOf(tx, slot))
      await hold(slot, signal)
      return day
    },

    /** Open ones with a place for the agent, earliest first; from a date on, if there are any then. */
    openDays: async (from: string | undefined): Promise<Day[]> => {
      const wanted = { branchId, bookedBy: 'ai', days: daysToLookAhead, limit: daysToRead } as const
      const days = await findOpenSlots({ db, clock }, organisationId, { ...wanted, from })
      if (days.length > 0 || from === undefined) return days
      return findOpenSlots({ db, clock }, organisationId, wanted)
    },

    book: async (slot: SlotOfCall, more: { service?: string }, signal: AbortSignal): Promise<AppointmentRecord> => {
      const appointment = await inCall(signal, async (tx) => {
        const known = await findBookedInCall(tx, organisationId, callId, slot)
        if (known) return known
        const { window } = await dayOf(tx, slot)
        const services = await servicesAt(tx, organisationId, branchId)
        const wanted = {
          slotId: `${slot.calendarId}||${slot.date}`,
          contactName: call.contactName?.trim() || call.to,
          contactNumber: call.to,
          contactEmail: call.contactEmail,
          appointmentTypeId: window.appointmentTypeId ?? serviceFor(services, more.service, call.prompt),
          bookedBy: 'ai',
          callId,
        } as const
        return refusable(() => bookAppointment({ db, clock }, organisationId, wanted, { tx }))
      })
      // Booking has used the hold up, if it was for this slot.
      if (isSame(state.hold, slot)) state.hold = null
      return appointment
    },

    upcoming: (): Promise<AppointmentRecord[]> => upcomingOfContact({ db, clock }, organisationId, call.to),

    cancel: (appointmentId: string, reason: string | null, signal: AbortSignal): Promise<AppointmentRecord> =>
      inCall(signal, async (tx) => {
        const done = await findOfCall(tx, organisationId, callId, appointmentId)
        if (done?.status === 'cancelled') return done
        await theirs(tx, appointmentId)
        await linkAppointment(tx, organisationId, callId, appointmentId)
        return cancelAppointment({ db, clock }, organisationId, appointmentId, reason, { tx })
      }),

    /** Where the agent has a place: it is held first, in a transaction of its own, so that no two moves lock crosswise. */
    move: async (appointmentId: string, slot: SlotOfCall, signal: AbortSignal): Promise<AppointmentRecord> => {
      const before = await db.transaction(async (tx) => {
        await dayOf(tx, slot)
        return theirs(tx, appointmentId)
      })
      if (isSame(before, slot)) return before
      await hold(slot, signal)
      const slotId = `${slot.calendarId}||${slot.date}`
      const moved = await inCall(signal, async (tx) => {
        await theirs(tx, appointmentId)
        await linkAppointment(tx, organisationId, callId, appointmentId)
        const options = { tx, heldBy: callId }
        return refusable(() => rescheduleAppointment({ db, clock }, organisationId, appointmentId, slotId, options))
      })
      state.hold = null
      return moved
    },
  }
}
export type Booking = ReturnType<typeof bookingOf>

/** A refusal of the calendar, in the one word the tools know. Trouble of ours stays trouble. */
async function refusable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isRefusal = error instanceof ParleyError && !['UNAVAILABLE', 'INTERNAL'].includes(error.code)
    throw isRefusal ? new NotOpen(error.message, { cause: error }) : error
  }
}

const isSame = (a: SlotOfCall | null, b: SlotOfCall): boolean => a?.calendarId === b.calendarId && a.date === b.date

/** Where a window is open to several services: the one that was asked for, the one the agent's prompt names, or the first. */
function serviceFor(services: readonly Service[], wanted: string | undefined, prompt: string): string | null {
  const is = ({ name, appointmentTypeId }: Service) =>
    [name.toLowerCase(), appointmentTypeId].includes(wanted?.trim().toLowerCase() ?? '')
  const named = services.filter(({ name }) => prompt.toLowerCase().includes(name.toLowerCase()))
  const service = services.find(is) ?? (named.length === 1 ? named[0] : services[0])
  return service?.appointmentTypeId ?? null
}

export function slotOf(slotId: unknown): SlotOfCall {
  const parsed = typeof slotId === 'string' ? parseSlotId(slotId) : null
  if (!parsed?.date) throw new NotOpen()
  return { calendarId: parsed.calendarId, date: parsed.date }
}
