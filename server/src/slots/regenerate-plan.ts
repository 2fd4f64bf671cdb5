import type { RegenerateConflict } from '@parley/contract/slot-dates'
import { type BranchRules, type DaySlot, dayOf, fallsOn, isOverridden, type SpanOn } from './day.ts'
import type { DayOverride } from './day-slots.store.ts'
import { slotIdOf } from './slot-id.ts'
import type { WindowRecord } from './window.ts'

export type Counts = { filled: number; aiFilled: number }
export type DayPlan = {
  window: WindowRecord
  slot: DaySlot
  /** Null: nothing to write. */
  next: (DayOverride & Counts) | null
  isRepaired: boolean
  conflict: RegenerateConflict | null
}

/** What one stored date should be: the rule's capacity, the real counts. A booking is never dropped for it. */
export function planDay(
  window: WindowRecord,
  slot: DaySlot,
  counts: Counts,
  keepOverrides: boolean,
  branch: BranchRules,
  spanOn: SpanOn,
): DayPlan {
  const isRepaired = slot.filled !== counts.filled || slot.aiFilled !== counts.aiFilled
  const kept = keepOverrides || !isOverridden(slot)
  const wanted: DayOverride = {
    maxSlots: keepOverrides && slot.capacityOverride ? slot.maxSlots : window.maxSlots,
    aiSlots: keepOverrides && slot.capacityOverride ? slot.aiSlots : window.aiSlots,
    capacityOverride: kept ? slot.capacityOverride : false,
    startTime: kept ? slot.startTime : null,
    endTime: kept ? slot.endTime : null,
    status: kept ? slot.status : null,
    note: kept ? slot.note : null,
  }
  const isTooSmall = wanted.maxSlots < counts.filled || wanted.aiSlots < counts.aiFilled
  // Where the rule has too few places, as many stay as are needed.
  const fitted = isTooSmall
    ? {
        ...wanted,
        maxSlots: Math.max(slot.maxSlots, counts.filled, counts.aiFilled),
        aiSlots: Math.max(slot.aiSlots, counts.aiFilled),
      }
    : wanted
  const next = { ...fitted, ...counts }
  const isChanged = Object.entries(next).some(([name, value]) => slot[name as keyof DaySlot] !== value)
  return { window, slot, next: isChanged ? next : null, isRepaired, conflict: conflictOf() }

  function conflictOf(): RegenerateConflict | null {
    if (counts.filled === 0) return null
    const told = (code: RegenerateConflict['code'], message: string): RegenerateConflict => ({
      slot_id: slotIdOf(slot.calendarId, slot.date),
      calendar_id: slot.calendarId,
      date: slot.date,
      code,
      message,
      max_slots: window.maxSlots,
      ai_slots: window.aiSlots,
      filled_slots: counts.filled,
      ai_filled_slots: counts.aiFilled,
    })
    if (!fallsOn(window, slot.date))
      return told('not_on_this_day', `The window falls on a ${window.day} now; the bookings of this date stay.`)
    if (isTooSmall) return told('capacity_below_booked', 'More is booked than the rule allows; the capacity stays.')
    const day = dayOf(window, { ...slot, ...fitted }, slot.date, branch, spanOn, null)
    return day.status === 'CLOSED' ? told('booked_while_closed', 'It is closed; the bookings of this date stay.') : null
  }
}
