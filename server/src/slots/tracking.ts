import type { TrackingQuery, TrackingRecord } from '@parley/contract/slot-dates'
import type { Service } from '../branches/branch.ts'
import { findService, servicesAt } from '../branches/branches.service.ts'
import type { Queryable } from '../platform/db.ts'
import { branchAndDates, daysAt, isShown, type SlotsDeps } from './availability.ts'
import { selectServiceCounts } from './bookings.store.ts'
import type { Day } from './day.ts'
import { trackingView } from './slot-views.ts'

type CountOf = (day: Day, serviceId: string) => number

/** How full each window is on each date, service by service; dates that have passed too (decisions 7). */
export async function listTracking(
  deps: SlotsDeps,
  organisationId: string,
  query: TrackingQuery,
): Promise<TrackingRecord[]> {
  const { db } = deps
  const { branch, range } = await branchAndDates(deps, organisationId, query)
  const { session, day, appointment_type_id: appointmentTypeId } = query
  const filter = { ...range, session, day, appointmentTypeId, withStrays: true }
  const days = await daysAt(db, organisationId, branch, filter, null)
  const services = await servicesAt(db, organisationId, branch.branchId)
  const countOf = await countsAt(db, branch.branchId, range.from, range.to)
  const shown = { ...query, include_full: query.include_full ?? true, include_closed: query.include_closed ?? true }
  return days
    .filter((each) => isShown(each, shown))
    .flatMap((each) => recordsOf(each, services, countOf))
    .filter((each) => appointmentTypeId === undefined || each.appointment_type === appointmentTypeId.toLowerCase())
}

async function countsAt(db: Queryable, branchId: string, from: string, to: string): Promise<CountOf> {
  const counts = await selectServiceCounts(db, branchId, from, to)
  const byKey = new Map(
    counts.map((each) => [`${each.calendarId} ${each.date} ${each.appointmentTypeId}`, each.filled]),
  )
  return (day, serviceId) => byKey.get(`${day.window.calendarId} ${day.date} ${serviceId}`) ?? 0
}

/** One per service; where there is none to name, one for the window. */
function recordsOf(day: Day, services: Service[], countOf: CountOf): TrackingRecord[] {
  const { appointmentTypeId } = day.window
  if (appointmentTypeId !== null) {
    const service = services.find((each) => each.appointmentTypeId === appointmentTypeId) ?? null
    return [trackingView(day, service, day.filled)]
  }
  if (services.length === 0) return [trackingView(day, null, day.filled)]
  return services.map((each) => trackingView(day, each, countOf(day, each.appointmentTypeId)))
}

/** The record of one day: of the service named, of the window's own, or of the window as a whole. */
export async function recordOf(
  db: Queryable,
  organisationId: string,
  day: Day,
  serviceId: string | null,
): Promise<TrackingRecord> {
  const wantedId = day.window.appointmentTypeId ?? serviceId
  const service = wantedId === null ? null : await findService(db, organisationId, wantedId)
  if (!service || day.window.appointmentTypeId !== null) return trackingView(day, service, day.filled)
  const countOf = await countsAt(db, day.window.branchId, day.date, day.date)
  return trackingView(day, service, countOf(day, service.appointmentTypeId))
}
