import type { CreateSlotBody, ListSlotsQuery, PatchSlotBody, Slot } from '@parley/contract/appointment-slots'
import { type Branch, isOfferedAt } from '../branches/branch.ts'
import { branchesById, findBranch, findService } from '../branches/branches.service.ts'
import type { Clock } from '../platform/clock.ts'
import { decodeUuidCursor, type Page, toPage } from '../platform/cursor.ts'
import type { Database, Queryable, Transaction } from '../platform/db.ts'
import { type Fault, fault, ParleyError, validationError } from '../platform/errors.ts'
import { isUuid, newUuid } from '../platform/ids.ts'
import { todayIn } from '../platform/local-time.ts'
import { recordEvents } from '../webhooks/events.service.ts'
import { refuseBelowBooked } from './below-booked.ts'
import { calendarIdIn } from './slot-id.ts'
import { slotView } from './slot-views.ts'
import { patched, type WindowRecord, windowFaults } from './window.ts'
import { bumpRevisions, insertWindow, lockWindow, selectWindow, selectWindows, updateWindow } from './windows.store.ts'

export const noSuchWindow = () => new ParleyError('NOT_FOUND', 'There is no slot with this id.')
export const noSuchBranch = fault('branch_id', 'not_found', 'There is no branch with this id.')
export const noSuchService = fault('appointment_type_id', 'not_found', 'There is no service with this id.')

/** In the caller's transaction, so that an idempotency key can stand or fall with it. */
export async function createWindow(tx: Transaction, organisationId: string, body: CreateSlotBody): Promise<Slot> {
  const faults: Fault[] = []
  const branch = await findBranch(tx, organisationId, body.branch_id)
  if (!branch) faults.push(noSuchBranch)
  if (body.appointment_type_id !== undefined)
    faults.push(...(await serviceFaults(tx, organisationId, body.appointment_type_id, branch)))
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

async function serviceFaults(
  db: Queryable,
  organisationId: string,
  serviceId: string,
  branch: Branch | null,
): Promise<Fault[]> {
  const service = await findService(db, organisationId, serviceId)
  if (!service) return [noSuchService]
  if (!branch || isOfferedAt(service, branch.branchId)) return []
  return [fault('appointment_type_id', 'not_offered', 'This service is not offered at this branch.')]
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

export const isWindowOf = async (db: Queryable, organisationId: string, calendarId: string): Promise<boolean> =>
  isUuid(calendarId) && (await selectWindow(db, organisationId, calendarId)) !== null

export async function getWindow(db: Queryable, organisationId: string, slotId: string): Promise<Slot> {
  const calendarId = calendarIdIn(slotId)
  const window = calendarId && (await selectWindow(db, organisationId, calendarId))
  const branch = window && (await findBranch(db, organisationId, window.branchId))
  if (!window || !branch) throw noSuchWindow()
  return slotView(window, branch.sessionHours)
}

export async function listWindows(db: Queryable, organisationId: string, query: ListSlotsQuery): Promise<Page<Slot>> {
  const faults: Fault[] = []
  if (query.branch_id !== undefined && !(await findBranch(db, organisationId, query.branch_id)))
    faults.push(noSuchBranch)
  if (query.appointment_type_id !== undefined && !(await findService(db, organisationId, query.appointment_type_id)))
    faults.push(noSuchService)
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
