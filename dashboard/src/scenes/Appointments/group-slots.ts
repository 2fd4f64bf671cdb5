import type { ServiceSettings } from '@parley/contract/branch-settings'
import type { BookedBy, SlotOnDate } from '@parley/contract/slot-dates'

export const freeIn = (slot: SlotOnDate, bookedBy: BookedBy): number =>
  bookedBy === 'ai' ? slot.ai_available_slots : slot.available_slots

/** By date, in time order. */
export function byDate(slots: readonly SlotOnDate[]): [string, SlotOnDate[]][] {
  const days = new Map<string, SlotOnDate[]>()
  for (const slot of slots) days.set(slot.date, [...(days.get(slot.date) ?? []), slot])
  return [...days]
}

/** Morning · A · Check-up: what tells windows of one day apart. */
export function slotLabel(
  slot: Pick<SlotOnDate, 'session' | 'batch' | 'appointment_type'>,
  services: readonly Pick<ServiceSettings, 'appointment_type_id' | 'name'>[],
): string {
  const service = services.find((each) => each.appointment_type_id === slot.appointment_type)?.name
  return [slot.session, slot.batch, service].filter((each) => each).join(' · ')
}
