import { numbersToDigits } from './numbers.ts'
import { plain } from './plain.ts'
import { hindiToEnglish } from './time-hi.ts'

export const weekdays: readonly string[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
]
export const months: readonly string[] = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

const days = `today|tomorrow|overmorrow|${weekdays.join('|')}|morning|afternoon|evening|night`
type Rewrite = readonly [RegExp, string | ((...match: string[]) => string)]
const minutes = (hours: string, more = '0') => `${Number(hours) * 60 + Number(more)} minutes`

/** Every way to say a thing becomes one: all durations are minutes, "noon" is a clock time, greetings are gone. */
const rewrites: readonly Rewrite[] = [
  [/\bgood (?:morning|afternoon|evening|night|day)\b/g, ' '],
  [/\bo clock\b/g, 'oclock'],
  [/(\d) ([ap]) m\b/g, '$1 $2m'],
  [/\b(?:noon|midday)\b/g, '12:00 pm'],
  [/\bmidnight\b/g, '12:00 am'],
  [/\b(?:the )?day after tomorrow\b/g, 'overmorrow'],
  [/\btonight\b/g, 'today night'],
  [/\bthis (morning|afternoon|evening)\b/g, 'today $1'],
  [/\b(?:hour|hrs?)\b/g, 'hours'],
  [/\b(?:minute|mins?)\b/g, 'minutes'],
  [/\bday\b/g, 'days'],
  [/\bnext (week|month)s?\b/g, 'next$1'],
  [/\b(week|month)\b/g, '$1s'],
  [/\b(?:an?|one) (?=(?:hours|minutes|days|weeks|months)\b)/g, '1 '],
  [/\b(?:a )?couple (?:of )?(?=(?:hours|minutes|days|weeks|months)\b)/g, '2 '],
  [/\b(?:a )?few (?=(?:hours|minutes|days|weeks|months)\b)/g, '3 '],
  [/\b(\d{1,2}) (?:hours and a half|and a half hours)\b/g, (_all, hours = '') => minutes(hours, '30')],
  [/\bhalf(?: of)?(?: 1)? hours\b/g, '30 minutes'],
  [/\bquarter(?: of)?(?: 1)? hours\b/g, '15 minutes'],
  [/\b(?:the )?next hours\b/g, '60 minutes'],
  [/\b1:30 hours\b/g, '90 minutes'],
  [/\b2:30 hours\b/g, '150 minutes'],
  [/\bhalf past (\d{1,2}) hours\b/g, (_all, hours = '') => minutes(hours, '30')],
  [/\b(\d{1,2}) hours (?:and )?(\d{1,2}) minutes\b/g, (_all, hours = '', more = '') => minutes(hours, more)],
  [/\b(\d{1,3}) hours\b/g, (_all, hours = '') => minutes(hours)],
  [/\b(?:later (?:on )?today|today later)\b/g, 'in 120 minutes'],
  [new RegExp(`\\b(?:not|except|busy)(?: on| in the| at)? (?:${days})\\b`, 'g'), ' '],
  [new RegExp(`\\b(?:${days})(?: ko)? (?:nahi|nahin|नहीं|नही)(?= |$)`, 'g'), ' '],
]

/** One canonical English text with digits, for the patterns of time-parts.ts. */
export function timeText(text: string): string {
  const english = numbersToDigits(hindiToEnglish(plain(text).split(' '))).join(' ')
  const rewritten = rewrites.reduce(
    (read, [pattern, by]) => (typeof by === 'string' ? read.replace(pattern, by) : read.replace(pattern, by)),
    english,
  )
  return rewritten.replace(/ +/g, ' ').trim()
}
