import { Temporal } from 'temporal-polyfill'
import type { BookingTools } from './call-tools.ts'

const openings = [9, 11, 15]

/**
 * Stands in until calendar windows exist: offers tomorrow's hours and remembers nothing beyond the call. The booking
 * shows in the call's outcome only.
 */
export function standInBooking(now: Date, timezone: string): BookingTools {
  const tomorrow = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .add({ days: 1 })
  const slots = openings.map((hour) => {
    const time = tomorrow.toZonedDateTime({ timeZone: timezone, plainTime: { hour } })
    const day = time.toLocaleString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
    return { slot_id: time.toString({ timeZoneName: 'never' }), label: `${day} at ${hour}:00` }
  })
  return {
    list_slots: {
      description: 'The next open appointments, earliest first.',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
      run: async () => ({ ok: true, message: `The next opening is ${slots[0]?.label}.`, slots }),
    },
    book_appointment: {
      description: 'Book one of the slots of list_slots, after the person has agreed to it.',
      parameters: {
        type: 'object',
        properties: { slot_id: { type: 'string' } },
        required: ['slot_id'],
        additionalProperties: false,
      },
      run: async (args) => {
        const slot = slots.find((each) => each.slot_id === (args as { slot_id?: string })?.slot_id)
        if (!slot) return { ok: false, message: 'That time is not open.' }
        return {
          ok: true,
          message: `Your appointment is booked for ${slot.label}.`,
          slot_id: slot.slot_id,
          label: slot.label,
        }
      },
    },
  }
}
