import type { PatchTrackingBody } from '@parley/contract/slot-dates'
import type { Queryable } from '../platform/db.ts'
import { type Fault, fault, ParleyError } from '../platform/errors.ts'
import type { DaySlot } from './day.ts'
import { selectBookedAbove } from './day-slots.store.ts'
import type { WindowRecord } from './window.ts'

type Capacity = Pick<WindowRecord, 'maxSlots' | 'aiSlots'>
type Booked = Pick<DaySlot, 'date' | 'filled' | 'aiFilled'>

const areBooked = (count: number): string => (count === 1 ? '1 is booked' : `${count} are booked`)
const tooFew = ({ date, filled }: Booked): Fault =>
  fault('max_slots', 'below_booked', `On ${date} ${areBooked(filled)}: give at least ${filled}.`)
const tooFewForAi = ({ date, aiFilled }: Booked): Fault =>
  fault('ai_slots', 'below_booked', `On ${date} the AI agent has booked ${aiFilled}: give at least ${aiFilled}.`)

const refusal = (details: Fault[]): ParleyError =>
  new ParleyError('CAPACITY_BELOW_BOOKED', details.map((each) => each.message).join(' '), { details })

/**
 * A rule must not be lowered below what a coming date has booked (decisions 7). The window is locked: bookings under way
 * have ended and are seen here, later ones wait for the new rule. Holds are no bookings yet.
 */
export async function refuseBelowBooked(
  tx: Queryable,
  before: WindowRecord,
  next: Capacity,
  today: string,
): Promise<void> {
  // What is not lowered is no reason to refuse: a date may have been given more places than the rule has.
  const isFewer = next.maxSlots < before.maxSlots
  const isFewerForAi = next.aiSlots < before.aiSlots
  if (!isFewer && !isFewerForAi) return
  const booked = await selectBookedAbove(tx, before.calendarId, today, next)
  const fullest = booked.toSorted((a, b) => b.filled - a.filled)[0]
  const fullestOfAi = booked.toSorted((a, b) => b.aiFilled - a.aiFilled)[0]
  const details: Fault[] = []
  if (isFewer && fullest && fullest.filled > next.maxSlots) details.push(tooFew(fullest))
  if (isFewerForAi && fullestOfAi && fullestOfAi.aiFilled > next.aiSlots) details.push(tooFewForAi(fullestOfAi))
  if (details.length > 0) throw refusal(details)
}

/** The same for one date; what was not sent cannot be at fault. */
export function dateBelowBooked(slot: DaySlot, next: Capacity, patch: PatchTrackingBody): ParleyError {
  if (patch.reset) {
    const message =
      `The rule has ${next.maxSlots} places, ${next.aiSlots} of them for the AI agent; on ${slot.date} ` +
      `${areBooked(slot.filled)}, ${slot.aiFilled} of them by the AI agent.`
    return refusal([fault('reset', 'below_booked', message)])
  }
  const details: Fault[] = []
  if (slot.filled > next.maxSlots) details.push(tooFew(slot))
  if (slot.aiFilled > next.aiSlots) details.push(tooFewForAi(slot))
  return refusal(details)
}
