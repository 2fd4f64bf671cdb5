import type { AppointmentRecord } from '../appointments/appointment.ts'
import { isDate } from '../platform/local-time.ts'
import type { Day } from '../slots/day.ts'
import { slotIdOf } from '../slots/slot-id.ts'
import type { Tool, ToolResult } from '../voice/ports.ts'
import {
  type Booking,
  type BookingCall,
  type BookingDeps,
  bookingOf,
  CallOver,
  type HoldState,
  NotOpen,
  NotTheirs,
  slotOf,
} from './booking.ts'
import { type BookingWords, bookingWords } from './booking-words.ts'
import { type BookingTools, object, text } from './call-tools.ts'

const slotsToList = 5

type Slot = { slot_id: string; label: string }

/** The agent's hands in the calendar, for one call. All messages are for the callee's ears. */
export function bookingTools(deps: BookingDeps, call: BookingCall, state: HoldState): BookingTools {
  const booking = bookingOf(deps, call, state)
  const words = bookingWords(call.language)
  const labelOf = (at: Date, timezone = call.timezone) => words.label(at, timezone, deps.clock.now())
  const bookedView = (each: AppointmentRecord) => ({
    appointment_id: each.appointmentId,
    slot_id: slotIdOf(each.calendarId, each.date),
    label: labelOf(each.startsAt, each.timezone),
  })
  const open = async (from?: string): Promise<Slot[]> =>
    toSlots(await booking.openDays(from), await booking.services(), (day) =>
      labelOf(day.span.startsAt.at, day.timezone),
    )

  const tool = (run: (args: Arguments, signal: AbortSignal) => Promise<ToolResult>): Tool['run'] => {
    return async (args, signal) => {
      try {
        return await run((args ?? {}) as Arguments, signal)
      } catch (error) {
        return explain(error, words, open)
      }
    }
  }

  return {
    list_slots: {
      description:
        'The next open appointments, earliest first. The first of them is kept free for the person for five minutes.',
      parameters: object({ from_date: text('YYYY-MM-DD: begin with this date, when the person wishes for one') }, []),
      run: tool(async ({ from_date: from }, signal) => {
        // What this call holds itself must not look taken.
        await booking.letGo()
        const slots = await open(typeof from === 'string' && isDate(from) ? from : undefined)
        const kept = await holdFirst(booking, slots, signal)
        const [first] = kept
        const message = first ? words.nextOpening(first.label) : words.noOpening
        return { ok: true, message, slots: kept.slice(0, slotsToList) }
      }),
    },
    hold_slot: {
      description:
        'Keep one of the slots of list_slots free for up to five minutes while the person decides. Lets go of the one before.',
      parameters: object({ slot_id: text('from list_slots') }),
      run: tool(async ({ slot_id }, signal) => {
        const { span, timezone } = await booking.hold(slotOf(slot_id), signal)
        const label = labelOf(span.startsAt.at, timezone)
        return { ok: true, message: words.held(label), slot_id, label }
      }),
    },
    book_appointment: {
      description: 'Book one of the slots of list_slots, after the person has agreed to it.',
      parameters: object(
        { slot_id: text('from list_slots'), service: text('What it is for, when the person said so') },
        ['slot_id'],
      ),
      run: tool(async ({ slot_id, service }, signal) => {
        const more = typeof service === 'string' ? { service } : {}
        const booked = bookedView(await booking.book(slotOf(slot_id), more, signal))
        return { ok: true, message: words.booked(booked.label), ...booked }
      }),
    },
    find_appointments: {
      description: 'The appointments this person has, earliest first. Needed before one is cancelled or moved.',
      parameters: object({}),
      run: tool(async () => {
        const appointments = (await booking.upcoming()).map(bookedView)
        const labels = appointments.map((each) => each.label)
        return { ok: true, message: labels.length > 0 ? words.theirs(labels) : words.noneOfTheirs, appointments }
      }),
    },
    cancel_appointment: {
      description: 'Cancel an appointment of find_appointments, after you have said it back and the person confirmed.',
      parameters: object({ appointment_id: text('from find_appointments'), reason: text('If they gave one') }, [
        'appointment_id',
      ]),
      run: tool(async ({ appointment_id: id, reason }, signal) => {
        const why = typeof reason === 'string' && reason.trim() !== '' ? reason.trim().slice(0, 500) : null
        const cancelled = bookedView(await booking.cancel(String(id), why, signal))
        return { ok: true, message: words.cancelled(cancelled.label), ...cancelled }
      }),
    },
    move_appointment: {
      description:
        'Move an appointment of find_appointments to a slot of list_slots, after the person has agreed to the new time.',
      parameters: object({ appointment_id: text('from find_appointments'), slot_id: text('from list_slots') }),
      run: tool(async ({ appointment_id: id, slot_id }, signal) => {
        const moved = bookedView(await booking.move(String(id), slotOf(slot_id), signal))
        return { ok: true, message: words.moved(moved.label), ...moved }
      }),
    },
  }
}

type Arguments = Record<string, unknown>

/** One per time: where two windows begin together the first one is offered, unless they are for different services. */
function toSlots(days: Day[], services: { appointmentTypeId: string; name: string }[], labelOf: (day: Day) => string) {
  const kinds = new Set(days.map((day) => day.window.appointmentTypeId))
  const nameOf = ({ window }: Day) =>
    kinds.size > 1 ? services.find((each) => each.appointmentTypeId === window.appointmentTypeId)?.name : undefined
  const slots = days.map((day) => {
    const name = nameOf(day)
    const label = labelOf(day)
    return { slot_id: slotIdOf(day.window.calendarId, day.date), label: name ? `${label}, ${name}` : label }
  })
  return [...new Map(slots.toReversed().map((slot) => [slot.label, slot])).values()].toReversed()
}

/** The first that can be had, and those after it. */
async function holdFirst(booking: Booking, slots: Slot[], signal: AbortSignal): Promise<Slot[]> {
  for (const [at, slot] of slots.entries()) {
    try {
      await booking.hold(slotOf(slot.slot_id), signal)
      return slots.slice(at)
    } catch (error) {
      // Gone between the look and the hold.
      if (!(error instanceof NotOpen)) throw error
    }
  }
  return []
}

/** Refusals in plain words; what is open instead goes along. Anything else is trouble of ours, and told as such. */
async function explain(error: unknown, words: BookingWords, open: () => Promise<Slot[]>): Promise<ToolResult> {
  if (error instanceof NotOpen) {
    const slots = await open().catch(() => [])
    return { ok: false, message: words.taken, slots: slots.slice(0, slotsToList) }
  }
  if (error instanceof NotTheirs) return { ok: false, message: words.notTheirs }
  if (error instanceof CallOver) return { ok: false, message: words.over }
  throw error
}
