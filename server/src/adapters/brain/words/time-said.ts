import type { Temporal } from 'temporal-polyfill'
import { months, weekdays } from './time-text.ts'

const hindiWeekdays = ['सोमवार', 'मंगलवार', 'बुधवार', 'गुरुवार', 'शुक्रवार', 'शनिवार', 'रविवार']
const hindiMonths = ['जनवरी', 'फरवरी', 'मार्च', 'अप्रैल', 'मई', 'जून', 'जुलाई', 'अगस्त', 'सितंबर', 'अक्टूबर', 'नवंबर', 'दिसंबर']
/** Beyond this the year is said, for "20 November" could be this year's. */
const daysWithoutYear = 300

/** Tomorrow carries its weekday: said before midnight and confirmed after it, it still is the same day. */
export function englishTime(moment: Temporal.ZonedDateTime, daysAhead: number): string {
  const clock = `${clock12(moment)} ${moment.hour < 12 ? 'AM' : 'PM'}`
  if (daysAhead === 0) return `today at ${clock}`
  const weekday = capital(weekdays[moment.dayOfWeek - 1] ?? '')
  if (daysAhead === 1) return `tomorrow, ${weekday}, at ${clock}`
  const month = capital(months[moment.month - 1] ?? '')
  return `on ${weekday} ${moment.day} ${month}${yearOf(moment, daysAhead)} at ${clock}`
}

export function hindiTime(moment: Temporal.ZonedDateTime, daysAhead: number): string {
  const clock = `${hindiPeriod(moment.hour)} ${clock12(moment)} बजे`
  if (daysAhead === 0) return `आज ${clock}`
  const weekday = hindiWeekdays[moment.dayOfWeek - 1] ?? ''
  if (daysAhead === 1) return `कल, ${weekday}, ${clock}`
  return `${weekday} ${moment.day} ${hindiMonths[moment.month - 1] ?? ''}${yearOf(moment, daysAhead)} को ${clock}`
}

function yearOf(moment: Temporal.ZonedDateTime, daysAhead: number): string {
  return daysAhead > daysWithoutYear ? ` ${moment.year}` : ''
}

function clock12(moment: Temporal.ZonedDateTime): string {
  return `${moment.hour % 12 || 12}:${String(moment.minute).padStart(2, '0')}`
}

function hindiPeriod(hour: number): string {
  if (hour < 4 || hour >= 20) return 'रात'
  if (hour < 12) return 'सुबह'
  return hour < 16 ? 'दोपहर' : 'शाम'
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
