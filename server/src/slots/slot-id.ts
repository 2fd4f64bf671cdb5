import { isUuid } from '../platform/ids.ts'
import { isDate } from '../platform/local-time.ts'

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

export const slotIdOf = (calendarId: string, ...rest: (string | null)[]): string =>
  [calendarId, ...rest.filter((each) => each !== null)].join(separator)
