import { Temporal } from 'temporal-polyfill'

/** What the booking tools say to a callee, in plain words; and a moment as people say it. */
export type BookingWords = {
  label(at: Date, timezone: string, now: Date): string
  nextOpening(label: string): string
  noOpening: string
  held(label: string): string
  taken: string
  booked(label: string): string
  theirs(labels: string[]): string
  noneOfTheirs: string
  cancelled(label: string): string
  moved(label: string): string
  notTheirs: string
  over: string
}

/** Beyond this the year is said, for "20 November" could be this year's. */
const daysWithoutYear = 300

function partsOf(at: Date, timezone: string, now: Date, locale: string) {
  const moment = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)
  const name = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: timezone }).format(at)
  const isFar = at.getTime() - now.getTime() > daysWithoutYear * 86_400_000
  const year = isFar ? ` ${moment.year}` : ''
  return {
    hour: moment.hour,
    minute: String(moment.minute).padStart(2, '0'),
    day: `${name({ weekday: 'long' })}, ${moment.day} ${name({ month: 'long' })}${year}`,
  }
}

const english: BookingWords = {
  label: (at, timezone, now) => {
    const { day, hour, minute } = partsOf(at, timezone, now, 'en-GB')
    return `${day} at ${hour}:${minute}`
  },
  nextOpening: (label) => `The next opening is ${label}.`,
  noOpening: 'I am sorry, there are no open appointments at the moment.',
  held: (label) => `I am keeping ${label} free for you.`,
  taken: 'I am sorry, that time is not open any more.',
  booked: (label) => `Your appointment is booked for ${label}.`,
  theirs: (labels) => `Your appointment is on ${labels.join(', and another on ')}.`,
  noneOfTheirs: 'I am sorry, I cannot find an appointment of yours.',
  cancelled: (label) => `Your appointment on ${label} is cancelled.`,
  moved: (label) => `Your appointment is now on ${label}.`,
  notTheirs: 'I am sorry, I cannot find that appointment.',
  over: 'I am sorry, that did not work.',
}

const hindi: BookingWords = {
  label: (at, timezone, now) => {
    const { day, hour, minute } = partsOf(at, timezone, now, 'hi-IN')
    return `${day} को ${hindiPeriod(hour)} ${hour % 12 || 12}:${minute} बजे`
  },
  nextOpening: (label) => `अगला खाली समय ${label} है।`,
  noOpening: 'माफ़ कीजिए, अभी कोई समय खाली नहीं है।',
  held: (label) => `${label} का समय आपके लिए रोक लिया गया है।`,
  taken: 'माफ़ कीजिए, यह समय अब खाली नहीं है।',
  booked: (label) => `आपका अपॉइंटमेंट ${label} बुक हो गया है।`,
  theirs: (labels) => `आपका अपॉइंटमेंट ${labels.join(', और एक ')} है।`,
  noneOfTheirs: 'माफ़ कीजिए, आपका कोई अपॉइंटमेंट नहीं मिला।',
  cancelled: (label) => `आपका ${label} का अपॉइंटमेंट रद्द हो गया है।`,
  moved: (label) => `आपका अपॉइंटमेंट अब ${label} है।`,
  notTheirs: 'माफ़ कीजिए, वह अपॉइंटमेंट नहीं मिला।',
  over: 'माफ़ कीजिए, यह नहीं हो सका।',
}

function hindiPeriod(hour: number): string {
  if (hour < 4 || hour >= 20) return 'रात'
  if (hour < 12) return 'सुबह'
  return hour < 16 ? 'दोपहर' : 'शाम'
}

/** Agents carry a code ("hi", "hi-IN") or a name ("Hindi"). */
export const isHindi = (language: string): boolean =>
  /^(?:hi(?:$|[-_])|hindi\b|हिन्दी|हिंदी)/.test(language.trim().toLowerCase())

export const bookingWords = (language: string): BookingWords => (isHindi(language) ? hindi : english)
