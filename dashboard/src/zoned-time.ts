// Wall-clock times and instants. A gap in spring shifts forward, a repeated hour means the first one: as the server reads them.
const minuteMs = 60_000
const dayMs = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  formats.set(zone, made)
  return made
}

export interface Wall {
  /** YYYY-MM-DD */
  date: string
  /** HH:MM */
  time: string
}

export function wallOf(at: Date, zone: string): Wall {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return { date: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}` }
}

const asIfUtc = ({ date, time }: Wall): number => Date.parse(`${date}T${time}:00Z`)

export function offsetMinutes(at: Date, zone: string): number {
  const whole = Math.floor(at.getTime() / minuteMs) * minuteMs
  return (asIfUtc(wallOf(new Date(whole), zone)) - whole) / minuteMs
}

/** null when it is no date and time at all. */
export function instantOf(wall: Wall, zone: string): Date | null {
  const local = asIfUtc(wall)
  // Browsers read more into a broken date than is there.
  const isWhole = /^\d{4}-\d{2}-\d{2}$/.test(wall.date) && /^\d{2}:\d{2}$/.test(wall.time)
  if (!isWhole || Number.isNaN(local)) return null
  const by = (offset: number) => new Date(local - offset * minuteMs)
  const before = by(offsetMinutes(new Date(local - dayMs), zone))
  const after = by(offsetMinutes(new Date(local + dayMs), zone))
  const isRight = (at: Date) => asIfUtc(wallOf(at, zone)) === local
  return !isRight(before) && isRight(after) ? after : before
}

/** 2026-11-16T10:00:00+05:30 */
export function isoWithOffset(at: Date, zone: string): string {
  const offset = offsetMinutes(at, zone)
  const { date, time } = wallOf(at, zone)
  const two = (value: number) => String(value).padStart(2, '0')
  const size = Math.abs(offset)
  return `${date}T${time}:00${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

export const nextDate = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)

/** A name the browser knows: anything else would make it throw. */
export function isZone(zone: string): boolean {
  try {
    return zone !== '' && formatOf(zone) !== null
  } catch {
    return false
  }
}

/** `2026-11-15T14:30`, as an input of the browser's for date and time holds it. */
export function wallTime(at: Date, zone: string): string {
  const { date, time } = wallOf(at, zone)
  return `${date}T${time}`
}

export function instantOfText(text: string, zone: string): string | null {
  const [date = '', time = ''] = text.split('T')
  return instantOf({ date, time }, zone)?.toISOString() ?? null
}
