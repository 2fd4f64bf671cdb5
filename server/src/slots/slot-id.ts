import { type Fault, fault } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { dateProblem, isDate } from '../platform/local-time.ts'

/** The three forms of §2.4: a window, a window on a date, and that for one service. */
export type SlotId = { calendarId: string; date: string | null; appointmentTypeId: string | null }

const separator = '||'

/** Only the first part, which is all that PATCH and disable use. Null: this names no window. */
export function calendarIdIn(slotId: string): string | null {
  const [first = ''] = slotId.split(separator, 1)
  return isUuid(first) ? first.toLowerCase() : null
}

/** All parts, each of which must be right. */
export function parseSlotId(slotId: string): SlotId | null {
  const [first = '', date = null, service = null, ...rest] = slotId.split(separator)
  const isRight =
    isUuid(first) && (date === null || isDate(date)) && (service === null || isUuid(service)) && rest.length === 0
  if (!isRight) return null
  return { calendarId: first.toLowerCase(), date, appointmentTypeId: service?.toLowerCase() ?? null }
}

export type DatedSlotId = SlotId & { date: string }

/** Where a date is needed; a fault says which part is wrong, and how. */
export function readDatedSlotId(slotId: string): DatedSlotId | Fault {
  const parsed = parseSlotId(slotId)
  if (parsed && parsed.date !== null) return { ...parsed, date: parsed.date }
  const [first = '', date, service, ...rest] = slotId.split(separator)
  if (!isUuid(first) || rest.length > 0) return wrong('format', `${asAnswered}: <calendar_id>||<YYYY-MM-DD>.`)
  if (date === undefined) return wrong('without_date', 'Say which date: <calendar_id>||<YYYY-MM-DD>.')
  const problem = dateProblem(date)
  if (problem) return wrong(problem.code, problem.message)
  return wrong('not_found', `There is no service with the id ${service?.slice(0, 64)}.`)
}
const asAnswered = 'Give a slot_id as availability and tracking answer it'
const wrong = (code: string, message: string): Fault => fault('slot_id', code, message)

export const slotIdOf = (calendarId: string, ...rest: (string | null)[]): string =>
  [calendarId, ...rest.filter((each) => each !== null)].join(separator)
