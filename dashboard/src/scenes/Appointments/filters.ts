import { sessions } from '@parley/contract/appointment-slots'
import { appointmentStatuses } from '@parley/contract/appointments'
import { bookers } from '@parley/contract/slot-dates'
import type { Query } from '../../api.ts'
import { isDate } from '../../calendar/dates.ts'
import type { Filters } from '../../use-filters.ts'

const oneOf = (list: readonly string[], text: string | undefined): string | undefined =>
  text !== undefined && list.includes(text) ? text : undefined

/** What people type: spaces and dashes are not part of a number. */
export const plainNumber = (text: string): string => text.replace(/[\s().-]/g, '')
export const isNumber = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text)

/** The address as a query; what makes no sense there is left out. */
export function listQuery(filters: Filters): Query {
  const contact = plainNumber(filters.contact ?? '')
  return {
    branch_id: filters.branch,
    start_date: isDate(filters.from) ? filters.from : undefined,
    end_date: isDate(filters.to) ? filters.to : undefined,
    session: oneOf(sessions, filters.session),
    appointment_type_id: filters.service,
    status: oneOf(appointmentStatuses, filters.status),
    booked_by: oneOf(bookers, filters.booked_by),
    contact_number: isNumber(contact) ? contact : undefined,
  }
}
