import { availabilityDays, type SlotOnDate } from '@parley/contract/slot-dates'
import { fault, ParleyError } from '../platform/errors.ts'
import { addDays } from '../platform/local-time.ts'
import { findOpenSlots, type OpenSlotsWanted, type SlotsDeps } from './availability.ts'
import type { Day, refusalOf } from './day.ts'
import { slotOnDateView } from './slot-views.ts'

type Wanted = Pick<OpenSlotsWanted, 'bookedBy' | 'appointmentTypeId'>

/** There was no place: knows what was wanted, so that something else can be offered. */
export class NoPlaceError extends ParleyError {
  readonly day: Day
  readonly wanted: Wanted

  constructor(day: Day, { code, message }: NonNullable<ReturnType<typeof refusalOf>>, wanted: Wanted) {
    super(code, message, { details: [fault('slot_id', code.toLowerCase(), message)] })
    this.day = day
    this.wanted = wanted
  }
}

/** A refusal for want of a place says where there is one. Asked after the transaction: it needs none, and holds none up. */
export async function withAlternatives<T>(deps: SlotsDeps, organisationId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NoPlaceError)) throw error
    const alternatives = await alternativesTo(deps, organisationId, error.day, error.wanted)
    throw new ParleyError(error.code, error.message, { details: error.details, alternatives })
  }
}

const alternativesWanted = 3
const searches = 3

/** The next three open slots of the same branch, from the wanted date on. */
async function alternativesTo(
  deps: SlotsDeps,
  organisationId: string,
  day: Day,
  wanted: Wanted,
): Promise<SlotOnDate[]> {
  const keyOf = (each: Day): string => `${each.window.calendarId} ${each.date}`
  const found = new Map<string, Day>()
  for (let at = 0; at < searches && found.size < alternativesWanted; at += 1) {
    const from = addDays(day.date, at * availabilityDays)
    const open = await findOpenSlots(deps, organisationId, { ...wanted, branchId: day.window.branchId, from })
    for (const each of open) if (keyOf(each) !== keyOf(day)) found.set(keyOf(each), each)
  }
  return [...found.values()].slice(0, alternativesWanted).map(slotOnDateView)
}
