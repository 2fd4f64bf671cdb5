import type { CreateSlotBody, ListSlotsQuery, PatchSlotBody, Slot } from '@parley/contract/appointment-slots'
import type { Branch } from '../branches/branch.ts'
import { branchesById, findBranch } from '../branches/branches.service.ts'
import type { Clock } from '../platform/clock.ts'
import { decodeUuidCursor, type Page, toPage } from '../platform/cursor.ts'
import type { Database, Queryable, Transaction } from '../platform/db.ts'
import { ParleyError, validationError } from '../platform/errors.ts'
import { isUuid, newUuid } from '../platform/ids.ts'
import { todayIn } from '../platform/local-time.ts'
import { recordEvents } from '../webhooks/events.service.ts'
import { refuseBelowBooked } from './below-booked.ts'
import { findForWindow, findNamed } from './named-ids.ts'
import { calendarIdIn } from './slot-id.ts'
import { slotView } from './slot-views.ts'
import { patched, type WindowRecord, windowFaults } from './window.ts'
import { bumpRevisions, insertWindow, lockWindow, selectWindow, selectWindows, updateWindow } from './windows.store.ts'

export const noSuchWindow = () => new ParleyError('NOT_FOUND', 'There is no slot with this id.')

/** In the caller's transaction, so that an idempotency key can stand or fall with it. */
export async function createWindow(tx: Transaction, organisationId: string, body: CreateSlotBody): Promise<Slot> {
  const { branch, faults } = await findForWindow(tx, organisationId, body)
  if (!branch || faults.length > 0) throw validationError(faults)
  const window = await insertWindow(tx, organisationId, newUuid(), {
    branchId: branch.branchId,
    day: body.day,
    session: body.session,
    batch: body.batch_name ?? null,
    startTime: body.start_time ?? null,
    endTime: body.end_time ?? null,
    appointmentTypeId: body.appointment_type_id ?? null,
    maxSlots: body.max_slots ?? body.ai_slots,
    aiSlots: body.ai_slots,
    status: body.status ?? 'OPEN',
  })
  return reportWindow(tx, organisationId, window, branch)
}

async function reportWindow(
  tx: Transaction,
  organisationId: string,
  window: WindowRecord,
  branch: Branch,
): Promise<Slot> {
  const data = slotView(window, branch.sessionHours)
  await recordEvents(tx, [{ organisationId, type: 'slot.updated', callId: null, data }])
  return data
}

/** Dates that are booked keep their capacity; less than is booked on one of them is refused (decisions 7). */
export async function changeWindow(
  { db, clock }: { db: Database; clock: Clock },
  organisationId: string,
  slotId: string,
  patch: PatchSlotBody,
): Promise<Slot> {
  const calendarId = calendarIdIn(slotId)
  if (!calendarId) throw noSuchWindow()
  return db.transaction(async (tx) => {
    const window = await lockWindow(tx, organisationId, calendarId)
    const branch = window && (await findBranch(tx, organisationId, window.branchId))
    if (!window || !branch) throw noSuchWindow()
    const next = patched(window, patch)
    const faults = windowFaults(next, patch)
    if (faults.length > 0) throw validationError(faults)
    await refuseBelowBooked(tx, window, next, todayIn(branch.timezone, clock.now()))
    const isSame = Object.entries(next).every(([name, value]) => window[name as keyof WindowRecord] === value)
    if (isSame) return slotView(window, branch.sessionHours)
    return reportWindow(tx, organisationId, await updateWindow(tx, organisationId, next), branch)
  })
}

/** Once this has answered, nothing more is booked into it: bookings under way have ended, later ones see it closed. */
export const disableWindow = (
  deps: { db: Database; clock: Clock },
  organisationId: string,
  slotId: string,
): Promise<Slot> => changeWindow(deps, organisationId, slotId, { status: 'CLOSED' })

/** The branch is no longer as it was: bookings under way are waited for, later ones read it again. */
export const renewWindows: (tx: Transaction, organisationId: string, branchId: string) => Promise<void> = bumpRevisions

export async function isWindowOf(
  db: Queryable,
  organisationId: string,
  calendarId: string,
  branchId?: string,
): Promise<boolean> {
  const window = isUuid(calendarId) ? await selectWindow(db, organisationId, calendarId) : null
  return window !== null && (branchId === undefined || window.branchId === branchId)
}

export async function getWindow(db: Queryable, organisationId: string, slotId: string): Promise<Slot> {
  const calendarId = calendarIdIn(slotId)
  const window = calendarId && (await selectWindow(db, organisationId, calendarId))
  const branch = window && (await findBranch(db, organisationId, window.branchId))
  if (!window || !branch) throw noSuchWindow()
  return slotView(window, branch.sessionHours)
}

export async function listWindows(db: Queryable, organisationId: string, query: ListSlotsQuery): Promise<Page<Slot>> {
  const { faults } = await findNamed(db, organisationId, query)
  if (faults.length > 0) throw validationError(faults)
  const limit = query.limit ?? 20
  const windows = await selectWindows(db, organisationId, {
    branchId: query.branch_id ?? null,
    day: query.day ?? null,
    session: query.session ?? null,
    status: query.status ?? null,
    appointmentTypeId: query.appointment_type_id ?? null,
    after: query.cursor === undefined ? null : decodeUuidCursor(query.cursor),
    limit: limit + 1,
  })
  const { items, nextCursor } = toPage(windows, limit, (each) => ({ at: each.createdAt, id: each.calendarId }))
  const branches = await branchesById(
    db,
    organisationId,
    items.map((each) => each.branchId),
  )
  const views = items.flatMap((each) => {
    const branch = branches.get(each.branchId)
    return branch ? [slotView(each, branch.sessionHours)] : []
  })
  return { items: views, nextCursor }
}
