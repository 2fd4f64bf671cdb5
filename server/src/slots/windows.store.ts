import type { Day, Session, WindowStatus } from '@parley/contract/appointment-slots'
import type { Position } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import type { NewWindow, WindowRecord } from './window.ts'

export type WindowRow = {
  calendar_id: string
  parent_calendar_id: string | null
  branch_id: string
  day: Day
  session: Session
  batch: string | null
  start_time: string | null
  end_time: string | null
  appointment_type_id: string | null
  max_slots: number
  ai_slots: number
  status: WindowStatus
  revision: number
  created_at: Date
  updated_at: Date
}
export const windowColumns = `w.calendar_id, w.parent_calendar_id, w.branch_id, w.day, w.session, w.batch, w.start_time,
  w.end_time, w.appointment_type_id, w.max_slots, w.ai_slots, w.status, w.revision, w.created_at, w.updated_at`

export const fromWindowRow = (row: WindowRow): WindowRecord => ({
  calendarId: row.calendar_id,
  parentCalendarId: row.parent_calendar_id,
  branchId: row.branch_id,
  day: row.day,
  session: row.session,
  batch: row.batch,
  startTime: row.start_time,
  endTime: row.end_time,
  appointmentTypeId: row.appointment_type_id,
  maxSlots: row.max_slots,
  aiSlots: row.ai_slots,
  status: row.status,
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export async function insertWindow(
  tx: Queryable,
  organisationId: string,
  calendarId: string,
  window: NewWindow,
): Promise<WindowRecord> {
  const rows = await tx.query<WindowRow>(
    `insert into windows as w (calendar_id, organisation_id, branch_id, day, session, batch, start_time, end_time,
       appointment_type_id, max_slots, ai_slots, status)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning ${windowColumns}`,
    [
      calendarId,
      organisationId,
      window.branchId,
      window.day,
      window.session,
      window.batch,
      window.startTime,
      window.endTime,
      window.appointmentTypeId,
      window.maxSlots,
      window.aiSlots,
      window.status,
    ],
  )
  return fromWindowRow(rows[0] as WindowRow)
}

export async function selectWindow(
  db: Queryable,
  organisationId: string,
  calendarId: string,
): Promise<WindowRecord | null> {
  const [row] = await db.query<WindowRow>(
    `select ${windowColumns} from windows w where w.organisation_id = $1 and w.calendar_id = $2`,
    [organisationId, calendarId],
  )
  return row ? fromWindowRow(row) : null
}

/** Bookings share the row while they happen: whoever changes it waits for them, and they for whoever is changing it. */
export async function lockWindow(
  tx: Queryable,
  organisationId: string,
  calendarId: string,
): Promise<WindowRecord | null> {
  const [row] = await tx.query<WindowRow>(
    `select ${windowColumns} from windows w where w.organisation_id = $1 and w.calendar_id = $2 for no key update`,
    [organisationId, calendarId],
  )
  return row ? fromWindowRow(row) : null
}

/** As a booking does it: the rule stays as it is until the transaction ends. */
export async function shareWindow(tx: Queryable, organisationId: string, calendarId: string): Promise<boolean> {
  const rows = await tx.query('select 1 from windows where organisation_id = $1 and calendar_id = $2 for share', [
    organisationId,
    calendarId,
  ])
  return rows.length === 1
}

export async function updateWindow(tx: Queryable, organisationId: string, window: WindowRecord): Promise<WindowRecord> {
  const rows = await tx.query<WindowRow>(
    `update windows w set day = $3, session = $4, batch = $5, start_time = $6, end_time = $7, max_slots = $8,
       ai_slots = $9, status = $10, revision = revision + 1, updated_at = now()
     where w.organisation_id = $1 and w.calendar_id = $2 returning ${windowColumns}`,
    [
      organisationId,
      window.calendarId,
      window.day,
      window.session,
      window.batch,
      window.startTime,
      window.endTime,
      window.maxSlots,
      window.aiSlots,
      window.status,
    ],
  )
  return fromWindowRow(rows[0] as WindowRow)
}

/** As if each had been changed: whoever read one before notices, and who is booking is waited for. */
export async function bumpRevisions(tx: Queryable, organisationId: string, branchId: string): Promise<void> {
  await tx.query('update windows set revision = revision + 1 where organisation_id = $1 and branch_id = $2', [
    organisationId,
    branchId,
  ])
}

export type WindowFilter = {
  branchId: string | null
  day: Day | null
  session: Session | null
  status: WindowStatus | null
  appointmentTypeId: string | null
  after: Position | null
  limit: number
}

/** Newest first. */
export async function selectWindows(
  db: Queryable,
  organisationId: string,
  filter: WindowFilter,
): Promise<WindowRecord[]> {
  const rows = await db.query<WindowRow>(
    `select ${windowColumns} from windows w
     where w.organisation_id = $1 and ($2::uuid is null or w.branch_id = $2) and ($3::text is null or w.day = $3)
       and ($4::text is null or w.session = $4) and ($5::text is null or w.status = $5)
       and ($6::uuid is null or w.appointment_type_id = $6)
       and ($7::timestamptz is null or (w.created_at, w.calendar_id) < ($7, $8::uuid))
     order by w.created_at desc, w.calendar_id desc limit $9`,
    [
      organisationId,
      filter.branchId,
      filter.day,
      filter.session,
      filter.status,
      filter.appointmentTypeId,
      filter.after?.at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  )
  return rows.map(fromWindowRow)
}

/** All windows of a branch that take this service: those for it, and those for every service the branch offers. */
export async function selectBranchWindows(
  db: Queryable,
  organisationId: string,
  filter: {
    branchId: string
    calendarId: string | null
    session: Session | null
    day: Day | null
    appointmentTypeId: string | null
  },
): Promise<WindowRecord[]> {
  const rows = await db.query<WindowRow>(
    `select ${windowColumns} from windows w
     where w.organisation_id = $1 and w.branch_id = $2 and ($3::uuid is null or w.calendar_id = $3)
       and ($4::text is null or w.session = $4) and ($5::text is null or w.day = $5)
       and ($6::uuid is null or w.appointment_type_id = $6
         or w.appointment_type_id is null and (exists (
             select 1 from service_branches o where o.appointment_type_id = $6 and o.branch_id = w.branch_id)
           or not exists (select 1 from service_branches o where o.appointment_type_id = $6)))`,
    [organisationId, filter.branchId, filter.calendarId, filter.session, filter.day, filter.appointmentTypeId],
  )
  return rows.map(fromWindowRow)
}
