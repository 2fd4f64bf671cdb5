import type { Appointment, AppointmentStatus } from '@parley/contract/appointments'
import type { BookedBy, SlotOnDate } from '@parley/contract/slot-dates'
import { shortDay } from '../../calendar/dates.ts'
import type { IconName } from '../../ui/icons.tsx'
import type { Tone } from '../../ui/mark.tsx'

export const statusMarks: Record<AppointmentStatus, { tone: Tone; icon: IconName; word: string }> = {
  confirmed: { tone: 'busy', icon: 'calendar', word: 'Confirmed' },
  completed: { tone: 'good', icon: 'check', word: 'Completed' },
  no_show: { tone: 'warn', icon: 'alert', word: 'No-show' },
  cancelled: { tone: 'calm', icon: 'close', word: 'Cancelled' },
}

export const bookedByWords: Record<BookedBy, string> = { ai: 'AI agent', staff: 'Staff', api: 'API' }

export const whoOf = ({ contact_name, contact_number }: Appointment): string =>
  contact_name ?? contact_number ?? 'Somebody'

export const hoursText = ({ start_time, end_time }: { start_time: string; end_time: string }): string =>
  `${start_time}–${end_time}`

/** Mon 16 Nov, 09:00–12:00 */
export const slotText = (slot: Pick<SlotOnDate, 'date' | 'start_time' | 'end_time'>): string =>
  `${shortDay(slot.date)}, ${hoursText(slot)}`

export const freeText = (free: number, max: number): string => (free === 0 ? 'Full' : `${free} of ${max} free`)

/** What was done, for the toast. */
export const doneWords: Record<AppointmentStatus, string> = {
  confirmed: 'is confirmed again',
  completed: 'is marked as completed',
  no_show: 'is marked as a no-show',
  cancelled: 'is cancelled',
}
