import type { CallAnalytics } from '@parley/contract/calls'
import type { AnalysisInput, ToolName, ToolUse } from '../../voice/ports.ts'

export type Appointment = { slot_id: string; label?: string }
/** What the tools prove; words alone prove nothing. */
export type Outcome = {
  disposition: CallAnalytics['disposition']
  appointment: Appointment | null
  /** ISO 8601, as it was arranged. */
  callbackTime: string | null
  wasTransferred: boolean
  bookingFailed: boolean
}

export function outcomeOf(input: AnalysisInput): Outcome {
  const { toolUses, ending } = input
  const booking = succeeded(toolUses, 'book_appointment')
  const callback = succeeded(toolUses, 'schedule_callback')
  const wasTransferred = succeeded(toolUses, 'transfer_to_human') !== undefined || ending === 'transferred'
  return {
    disposition: dispositionOf(input, { booked: !!booking, wasTransferred, calledBack: !!callback }),
    appointment: booking ? appointmentOf(booking, toolUses) : null,
    callbackTime: callback ? timeOf(callback) : null,
    wasTransferred,
    bookingFailed: !booking && toolUses.some(({ name, result }) => name === 'book_appointment' && !result.ok),
  }
}

function dispositionOf(
  { toolUses, ending }: AnalysisInput,
  proved: { booked: boolean; wasTransferred: boolean; calledBack: boolean },
): CallAnalytics['disposition'] {
  if (proved.booked) return 'appointment_booked'
  if (proved.wasTransferred) return 'transferred'
  if (proved.calledBack) return 'callback_scheduled'
  if (ending === 'voicemail') return 'voicemail'
  const isRefusal = toolUses.some(({ name, args }) => name === 'end_call' && field(args, 'reason') === 'not_interested')
  if (isRefusal) return 'not_interested'
  return ending === 'hung_up_by_callee' ? 'ended_by_customer' : 'session_ended'
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
