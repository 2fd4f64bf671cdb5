import type { PatchTrackingBody, TrackingRecord } from '@parley/contract/slot-dates'
import type { Clock } from '../platform/clock.ts'
import type { Database, Transaction } from '../platform/db.ts'
import { type Fault, fault, isFault, type ParleyError, validationError } from '../platform/errors.ts'
import { spanOn } from '../platform/local-time.ts'
import { recordEvents } from '../webhooks/events.service.ts'
import { dateBelowBooked } from './below-booked.ts'
import { capacityOf, type DaySlot, dayOf, fallsOn, hoursOf } from './day.ts'
import {
  type DayOverride,
  insertDaySlot,
  lockDaySlot,
  selectWindowDay,
  updateDayOverride,
  type WindowDay,
} from './day-slots.store.ts'
import { calendarIdIn, readDatedSlotId } from './slot-id.ts'
import { slotOnDateView } from './slot-views.ts'
import { recordOf } from './tracking.ts'
import { windowFaults } from './window.ts'
import { noSuchWindow } from './windows.service.ts'
import { shareWindow } from './windows.store.ts'

/** A body is either a reset or a list of settings. */
export function patchTrackingFaults(body: Record<string, unknown>): Fault[] {
  if (body.reset === undefined) return []
  if (body.reset !== true)
    return [fault('reset', 'not_allowed', 'Send true to return to the rule, or leave reset out.')]
  return Object.keys(body)
    .filter((name) => name !== 'reset')
    .map((name) => fault(name.slice(0, 200), 'not_allowed', 'Send reset without any other field.'))
}

/** What holds for one date only; `reset` returns it to the rule. Bookings stay whatever is changed. */
export async function changeDay(
  deps: { db: Database; clock: Clock },
  organisationId: string,
  slotId: string,
  patch: PatchTrackingBody,
): Promise<TrackingRecord> {
  if (calendarIdIn(slotId) === null) throw noSuchWindow()
  return deps.db.transaction(async (tx) => {
    const { calendarId, date, serviceId } = await datedIdOf(tx, organisationId, slotId)
    await insertDaySlot(tx, calendarId, date)
    await lockDaySlot(tx, calendarId, date)
    const found = await selectWindowDay(tx, organisationId, calendarId, date)
    if (!found?.slot || !takesService(found, serviceId)) throw noSuchWindow()
    if (!fallsOn(found.window, date) && found.slot.filled === 0) throw notOnThisDay(found, date)
    const next = patch.reset ? asTheRule(found) : overridden(found, found.slot, patch, date)
    const isChanged = Object.entries(next).some(([name, value]) => found.slot?.[name as keyof DaySlot] !== value)
    const slot = isChanged ? await updateDayOverride(tx, calendarId, date, next) : found.slot
    if (!slot) throw dateBelowBooked(found.slot, next, patch)
    const span = (on: string, start: string, end: string) => spanOn(on, start, end, found.branch.timezone)
    const day = dayOf(found.window, slot, date, found.branch, span, null)
    if (isChanged) {
      const data = slotOnDateView(day)
      await recordEvents(tx, [{ organisationId, type: 'slot.updated', callId: null, data }])
    }
    return recordOf(tx, organisationId, day, serviceId)
  })
}

async function datedIdOf(tx: Transaction, organisationId: string, slotId: string) {
  const calendarId = calendarIdIn(slotId) ?? ''
  // Shared, not locked: somebody who moves between two dates may hold one of them and wait for the window.
  if (!(await shareWindow(tx, organisationId, calendarId))) throw noSuchWindow()
  const read = readDatedSlotId(slotId)
  if (!isFault(read)) return { calendarId, date: read.date, serviceId: read.appointmentTypeId }
  throw read.code === 'not_found' ? noSuchWindow() : validationError([read])
}

/** A service that tracking would not show here names no record: 404, as for any id in a path (decisions 1). */
const takesService = ({ services }: WindowDay, serviceId: string | null): boolean =>
  serviceId === null || services.some((each) => each.appointmentTypeId === serviceId)

const notOnThisDay = ({ window }: WindowDay, date: string): ParleyError =>
  validationError([fault('slot_id', 'not_on_this_day', `This slot falls on a ${window.day}, and ${date} is none.`)])

const asTheRule = ({ window }: WindowDay): DayOverride => ({
  maxSlots: window.maxSlots,
  aiSlots: window.aiSlots,
  capacityOverride: false,
  startTime: null,
  endTime: null,
  status: null,
  note: null,
})

function overridden(found: WindowDay, slot: DaySlot, patch: PatchTrackingBody, date: string): DayOverride {
  const { window, branch } = found
  const capacity = capacityOf(window, slot)
  const hours = hoursOf(window, slot, branch, date)
  const maxSlots = patch.max_slots ?? capacity.maxSlots
  const aiSlots = patch.ai_slots ?? capacity.aiSlots
  const [startTime, endTime] = [patch.start_time ?? hours.start, patch.end_time ?? hours.end]
  const faults = windowFaults({ maxSlots, aiSlots, startTime, endTime }, patch)
  if (faults.length > 0) throw validationError(faults)
  return {
    maxSlots,
    aiSlots,
    capacityOverride: slot.capacityOverride || patch.max_slots !== undefined || patch.ai_slots !== undefined,
    startTime: patch.start_time ?? slot.startTime,
    endTime: patch.end_time ?? slot.endTime,
    status: patch.status ?? slot.status,
    note: patch.note === undefined ? slot.note : patch.note,
  }
}
