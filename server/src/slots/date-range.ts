import { type Fault, fault } from '../platform/errors.ts'
import { addDays, dateProblem, daysBetween } from '../platform/local-time.ts'

export type DateRange = { from: string; to: string }
type Given = { date?: string; start_date?: string; end_date?: string }

const weekLater = 6

/** What can be said about the dates without knowing what day it is at the branch. */
export function dateFaults(given: Record<string, unknown>, mostDays: number): Fault[] {
  const faults: Fault[] = []
  const texts = ['date', 'start_date', 'end_date'].flatMap((field) => {
    const value = given[field]
    return typeof value === 'string' ? [{ field, value }] : []
  })
  for (const { field, value } of texts) {
    const problem = dateProblem(value)
    if (problem) faults.push(fault(field, problem.code, problem.message))
  }
  if (given.date !== undefined && (given.start_date !== undefined || given.end_date !== undefined))
    faults.push(fault('date', 'not_allowed', 'Give date, or start_date and end_date.'))
  const { start_date: from, end_date: to } = given
  if (faults.length === 0 && typeof from === 'string' && typeof to === 'string')
    faults.push(...orderFaults({ from, to }, mostDays))
  return faults
}

export function orderFaults({ from, to }: DateRange, mostDays: number): Fault[] {
  const days = daysBetween(from, to)
  if (days < 1) return [fault('end_date', 'order', 'end_date is before start_date.')]
  return days > mostDays ? [fault('end_date', 'too_long', `At most ${mostDays} days at a time.`)] : []
}

/** Today and the six days after, unless told otherwise. */
export function rangeOf(given: Given, today: string): DateRange {
  const from = given.date ?? given.start_date ?? today
  return { from, to: given.date ?? given.end_date ?? addDays(from, weekLater) }
}
