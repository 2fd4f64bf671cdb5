import { sessions } from '@parley/contract/appointment-slots'
import { type Fault, fault } from '../platform/errors.ts'
import { dateProblem, daysBetween } from '../platform/local-time.ts'
import type { Hours, Session, SessionHours } from './branch.ts'

/** Some days at a branch: closed, or with other hours for some sessions. Three weeks are one entry. */
export type NewHoliday = {
  startDate: string
  endDate: string
  reason: string | null
  /** Null: closed. */
  hours: Partial<SessionHours> | null
}
export type Holiday = NewHoliday & { holidayId: string; branchId: string; createdAt: Date }

export const longestHolidayDays = 366

const covers = (holiday: NewHoliday, date: string): boolean => holiday.startDate <= date && date <= holiday.endDate

/** Closed wins over other hours, whichever was entered first. */
export const closureOn = <T extends NewHoliday>(holidays: T[], date: string): T | null =>
  holidays.find((each) => each.hours === null && covers(each, date)) ?? null

/** Of several the one entered last. `holidays` in the order they were entered. */
export const hoursOn = (holidays: NewHoliday[], date: string, session: Session): Hours | null =>
  holidays.findLast((each) => each.hours?.[session] !== undefined && covers(each, date))?.hours?.[session] ?? null

/** What is wrong with an entry; `at` is where it stands. */
export function holidayFaults(holiday: NewHoliday, at: string): Fault[] {
  const faults: Fault[] = []
  const say = (field: string, code: string, message: string) => void faults.push(fault(`${at}${field}`, code, message))
  const { startDate, endDate, hours } = holiday
  for (const [field, date] of [
    ['start_date', startDate],
    ['end_date', endDate],
  ] as const) {
    const problem = dateProblem(date)
    if (problem) say(field, problem.code, problem.message)
  }
  if (faults.length === 0) {
    const days = daysBetween(startDate, endDate)
    if (days < 1) say('end_date', 'order', 'The last day is before the first.')
    if (days > longestHolidayDays) say('end_date', 'too_long', `At most ${longestHolidayDays} days are one entry.`)
  }
  for (const session of sessions) {
    const each = hours?.[session]
    if (each && each.start >= each.end) say(`hours.${session}`, 'order', 'The start must be before the end.')
  }
  if (hours && Object.keys(hours).length === 0) say('hours', 'too_few', 'Name at least one session.')
  return faults
}
