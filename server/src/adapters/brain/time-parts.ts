import { months, timeText, weekdays } from './words/time-text.ts'

export type Period = 'morning' | 'afternoon' | 'evening' | 'night'
/** `half` null: "five", for the day to decide which. '24': hours above 12, and "08:05". */
export type Clock = { hour: number; minute: number; half: 'am' | 'pm' | '24' | null }
export type Day =
  | { kind: 'ahead'; days: number; months: number }
  /** `near`: today counts too, as in "tomorrow, Tuesday" said back after midnight. `next`: in the week after this one. */
  | { kind: 'weekday'; weekday: number; which: 'near' | 'coming' | 'next' }
  | { kind: 'date'; day: number; month: number | null; year: number | null }
export type TimeParts = {
  minutesAhead: number | null
  day: Day | null
  clock: Clock | null
  period: Period | null
  /** "before five" is not five. */
  before: boolean
}

const monthNames = months.join('|')
const weekdayNames = weekdays.join('|')
const about = '(?:about |around |maybe |like |say |at |roughly |approximately |the |another )*'
const notACount = '(?! (?:people|persons|guests|adults|of|percent|dollars|rupees|minutes|days|weeks|months|\\d))'
const fillerWords = `yes yeah no ok okay maybe perhaps please about around say um uh well lets then its is fine good would
  be better like make it at`
const fillers = new RegExp(`\\b(?:${fillerWords.split(/\s+/).join('|')})\\b`, 'g')

export function readParts(text: string): TimeParts {
  const words = timeText(text)
  const { day, rest } = readDay(words)
  const bare = rest.replace(fillers, ' ').replace(/ +/g, ' ').trim()
  const clock = readClock(rest) ?? clockAlone(bare)
  const period = /\b(morning|afternoon|evening|night)\b/.exec(rest)?.[1] as Period | undefined
  return {
    minutesAhead: readMinutes(rest, bare),
    day,
    clock,
    period: period ?? null,
    before: /\bbefore (?:about |around )?\d/.test(rest),
  }
}

const minutesAhead = new RegExp(`\\b(?:in|after|within|for|give me) ${about}(\\d{1,4}) minutes\\b`)

function readMinutes(words: string, bare: string): number | null {
  const match =
    minutesAhead.exec(words) ??
    /\b(\d{1,4}) minutes (?:later|from now|hence|in|me|main)\b/.exec(words) ??
    /^(\d{1,4}) minutes$/.exec(bare)
  const minutes = Number(match?.[1] ?? 0)
  return minutes > 0 ? minutes : null
}

const dayPatterns: readonly (readonly [RegExp, (match: RegExpExecArray) => Day | null])[] = [
  [
    new RegExp(`\\b(\\d{1,2})(?:th)?(?: of)? (${monthNames})(?: (20\\d\\d))?\\b`),
    (match) => dateOf(match[1], match[2], match[3]),
  ],
  [
    new RegExp(`\\b(${monthNames})(?: the)? (\\d{1,2})(?:th)?(?!:)(?: (20\\d\\d))?\\b`),
    (match) => dateOf(match[2], match[1], match[3]),
  ],
  [/\bon the (\d{1,2})th\b/, (match) => dateOf(match[1], undefined, undefined)],
  [/\b(?:in|after) (\d{1,2}) (days|weeks|months)\b/, (match) => aheadOf(match[1], match[2])],
  [/\b(\d{1,2}) (days|weeks|months) (?:later|from now|in)\b/, (match) => aheadOf(match[1], match[2])],
  [
    new RegExp(`\\b(?:today|tomorrow)(?: on)? (${weekdayNames})\\b`),
    (match) => ({ kind: 'weekday', weekday: weekdayOf(match[1]), which: 'near' }),
  ],
  [
    new RegExp(
      `\\bnextweek(?: on)? (${weekdayNames})\\b|\\b(${weekdayNames})(?: of)? nextweek\\b|\\bnext (${weekdayNames})\\b`,
    ),
    (match) => ({ kind: 'weekday', weekday: weekdayOf(match[1] ?? match[2] ?? match[3]), which: 'next' }),
  ],
  [
    new RegExp(`\\b(${weekdayNames})s?\\b`),
    (match) => ({ kind: 'weekday', weekday: weekdayOf(match[1]), which: 'coming' }),
  ],
  [/\bnextweek\b/, () => ({ kind: 'weekday', weekday: 1, which: 'next' })],
  [/\bnextmonth\b/, () => ({ kind: 'ahead', days: 0, months: 1 })],
  [/\bovermorrow\b/, () => ({ kind: 'ahead', days: 2, months: 0 })],
  [/\btomorrow\b/, () => ({ kind: 'ahead', days: 1, months: 0 })],
  [/\btoday\b/, () => ({ kind: 'ahead', days: 0, months: 0 })],
]

/** `rest` is the text with the day replaced by a marker, so that "the 16th at 9" keeps only one number for the clock. */
function readDay(words: string): { day: Day | null; rest: string } {
  for (const [pattern, read] of dayPatterns) {
    const match = pattern.exec(words)
    const day = match && read(match)
    if (match && day) return { day, rest: words.replace(match[0], '#') }
  }
  return { day: null, rest: words }
}

function dateOf(day: string | undefined, month: string | undefined, year: string | undefined): Day | null {
  const number = Number(day)
  if (number < 1 || number > 31) return null
  const at = months.indexOf(month ?? '')
  return { kind: 'date', day: number, month: at < 0 ? null : at + 1, year: year === undefined ? null : Number(year) }
}

function aheadOf(count: string | undefined, unit: string | undefined): Day {
  const number = Number(count)
  if (unit === 'months') return { kind: 'ahead', days: 0, months: number }
  return { kind: 'ahead', days: unit === 'weeks' ? number * 7 : number, months: 0 }
}

function weekdayOf(name: string | undefined): number {
  return weekdays.indexOf(name ?? '') + 1
}

const half = '(am|pm|oclock)'
const clockMarkers = 'at|by|around|about|after|before|until|till|from|between|morning|afternoon|evening|night'
const clockPatterns: readonly RegExp[] = [
  new RegExp(`\\b(\\d{1,2}):(\\d{2})(?: ${half})?\\b`),
  new RegExp(`\\b(\\d{1,2})(?: (\\d{2}))? ${half}\\b`),
  new RegExp(`(?:\\b(?:${clockMarkers})|#) ${about}(\\d{1,2})(?: (\\d{2}))?\\b${notACount}`),
  /\b(\d{1,2})(?: (\d{2}))? (?:in the |at )?(?:morning|afternoon|evening|night)\b/,
  /\b(\d{1,2})(?: (\d{2}))? (?:on )?#/,
]

function readClock(words: string): Clock | null {
  const past = /\b(half|quarter|\d{1,2})(?: minutes)? past (\d{1,2})\b(?: (am|pm))?/.exec(words)
  if (past) return clockOf(past[2], past[1], past[3])
  const to = /(?<!from |between )\b(quarter|\d{1,2} minutes|10|20|25) to (\d{1,2})\b(?: (am|pm))?/.exec(words)
  if (to) return minutesBefore(clockOf(to[2], '0', to[3]), minutesOf(to[1]))
  for (const pattern of clockPatterns) {
    const match = pattern.exec(words)
    const clock = match && clockOf(match[1], match[2] ?? '0', match[3])
    if (clock) return clock
  }
  return null
}

function clockAlone(bare: string): Clock | null {
  const match = /^(\d{1,2})(?: (\d{2}))?$/.exec(bare)
  return match && clockOf(match[1], match[2] ?? '0', undefined)
}

function minutesOf(text: string | undefined): number {
  if (text === 'half') return 30
  return text === 'quarter' ? 15 : Number.parseInt(text ?? '0', 10)
}

function clockOf(hours: string | undefined, minutes: string | undefined, halfWord: string | undefined): Clock | null {
  const hour = Number(hours)
  const minute = minutesOf(minutes)
  if (hour > 23 || minute > 59) return null
  const isPlain = hour > 12 || hour === 0 || /^0\d$/.test(hours ?? '')
  if (isPlain) return { hour, minute, half: '24' }
  return { hour, minute, half: halfWord === 'am' || halfWord === 'pm' ? halfWord : null }
}

function minutesBefore(clock: Clock | null, minutes: number): Clock | null {
  if (!clock || minutes > 59) return null
  if (minutes === 0) return clock
  const hour = clock.hour === 1 ? 12 : (clock.hour + 23) % 24
  // "Quarter to twelve pm" is 11:45 before noon; "quarter to one pm" stays after it.
  const turned = clock.hour === 12 && clock.half !== null && clock.half !== '24'
  const other = clock.half === 'am' ? 'pm' : 'am'
  return { hour, minute: 60 - minutes, half: turned ? other : clock.half }
}
