import type { CallAnalytics } from '@parley/contract/calls'
import type { AnalysisInput, ToolName, ToolUse } from '../../voice/ports.ts'

export type Appointment = { slot_id: string; label?: string }
export type CancelledAppointment = { appointment_id: string; label?: string }
/** What the tools prove; words alone prove nothing. */
export type Outcome = {
  disposition: CallAnalytics['disposition']
  /** Booked or moved, and not cancelled again. */
  appointment: Appointment | null
  wasMoved: boolean
  cancelled: CancelledAppointment | null
  /** ISO 8601, as it was arranged. */
  callbackTime: string | null
  wasTransferred: boolean
  bookingFailed: boolean
}

export function outcomeOf(input: AnalysisInput): Outcome {
  const { toolUses, ending } = input
  const booking = standingBooking(toolUses)
  const cancelling = succeeded(toolUses, 'cancel_appointment')
  const callback = succeeded(toolUses, 'schedule_callback')
  const wasTransferred = succeeded(toolUses, 'transfer_to_human') !== undefined || ending === 'transferred'
  return {
    disposition: dispositionOf(input, {
      booked: !!booking,
      wasTransferred,
      calledBack: !!callback,
      cancelled: !!cancelling,
    }),
    appointment: booking ? appointmentOf(booking, toolUses) : null,
    wasMoved: booking?.name === 'move_appointment',
    cancelled: cancelling ? cancelledOf(cancelling, toolUses) : null,
    callbackTime: callback ? timeOf(callback) : null,
    wasTransferred,
    bookingFailed: !booking && toolUses.some(({ name, result }) => bookings.includes(name) && !result.ok),
  }
}

function dispositionOf(
  { toolUses, ending }: AnalysisInput,
  proved: { booked: boolean; wasTransferred: boolean; calledBack: boolean; cancelled: boolean },
): CallAnalytics['disposition'] {
  if (proved.booked) return 'appointment_booked'
  if (proved.wasTransferred) return 'transferred'
  if (proved.calledBack) return 'callback_scheduled'
  if (ending === 'voicemail') return 'voicemail'
  const isRefusal = toolUses.some(({ name, args }) => name === 'end_call' && field(args, 'reason') === 'not_interested')
  if (isRefusal) return 'not_interested'
  // Something was settled: who hangs up then has not broken off.
  if (proved.cancelled) return 'session_ended'
  return ending === 'hung_up_by_callee' ? 'ended_by_customer' : 'session_ended'
}

const bookings: readonly ToolName[] = ['book_appointment', 'move_appointment']

/** The latest booking or move that was not cancelled later in the call. */
export function standingBooking(toolUses: readonly ToolUse[]): ToolUse | undefined {
  return toolUses.findLast((use, at) => {
    if (!bookings.includes(use.name) || !use.result.ok) return false
    const id = appointmentIdOf(use)
    const isCancellation = (later: ToolUse) =>
      later.name === 'cancel_appointment' && later.result.ok && appointmentIdOf(later) === id
    return id === null || !toolUses.slice(at + 1).some(isCancellation)
  })
}

export const wasCancelled = (toolUses: readonly ToolUse[]): boolean =>
  succeeded(toolUses, 'cancel_appointment') !== undefined

const appointmentIdOf = ({ args, result }: ToolUse): string | null =>
  field(result, 'appointment_id') ?? field(args, 'appointment_id')

function cancelledOf(use: ToolUse, toolUses: readonly ToolUse[]): CancelledAppointment | null {
  const appointment_id = appointmentIdOf(use)
  if (appointment_id === null) return null
  const found = toolUses
    .flatMap(({ name, result }) =>
      name === 'find_appointments' && Array.isArray(result.appointments) ? result.appointments : [],
    )
    .findLast((each: unknown) => field(each, 'appointment_id') === appointment_id)
  const label = field(use.result, 'label') ?? field(found, 'label')
  return label === null ? { appointment_id } : { appointment_id, label }
}

function succeeded(toolUses: readonly ToolUse[], wanted: ToolName): ToolUse | undefined {
  return toolUses.findLast(({ name, result }) => name === wanted && result.ok)
}

function appointmentOf(booking: ToolUse, toolUses: readonly ToolUse[]): Appointment | null {
  const slot_id = field(booking.args, 'slot_id')
  if (slot_id === null) return null
  const listed = toolUses
    .flatMap(({ name, result }) => (name === 'list_slots' && Array.isArray(result.slots) ? result.slots : []))
    .findLast((slot: unknown) => field(slot, 'slot_id') === slot_id)
  const label = field(booking.result, 'label') ?? field(listed, 'label')
  return label === null ? { slot_id } : { slot_id, label }
}

function timeOf({ args, result }: ToolUse): string | null {
  return [field(args, 'at'), field(result, 'at')].find((at) => at !== null && isoTime.test(at)) ?? null
}

export const isoTime = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/

function field(value: unknown, name: string): string | null {
  if (typeof value !== 'object' || value === null) return null
  const found = (value as Record<string, unknown>)[name]
  return typeof found === 'string' && found.trim() !== '' ? found : null
}
