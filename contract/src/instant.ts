const pattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})$/

export type InstantFault = 'format' | 'no_offset' | 'no_such_day'

/**
 * An ISO 8601 date and time with `Z` or an offset (§4.1). `new Date(text)` would read a time without an offset in
 * the machine's zone and roll 30 February into March: both would ring a phone at the wrong hour.
 */
export function parseInstant(text: string): Date | InstantFault {
  const match = pattern.exec(text)
  if (!match) return pattern.test(`${text}Z`) ? 'no_offset' : 'format'
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number) as [number, number, number, number, number]
  const second = Number(match[6] ?? 0)
  const millisecond = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  if (hour > 23 || minute > 59 || second > 59) return 'format'
  const offsetMinutes = parseOffset(match[8] as string)
  if (offsetMinutes === null) return 'format'
  const wall = new Date(0)
  wall.setUTCFullYear(year, month - 1, day)
  const isADay = wall.getUTCFullYear() === year && wall.getUTCMonth() === month - 1 && wall.getUTCDate() === day
  if (!isADay) return 'no_such_day'
  wall.setUTCHours(hour, minute - offsetMinutes, second, millisecond)
  return wall
}

function parseOffset(text: string): number | null {
  if (text === 'Z') return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(-2))
  if (hours > 23 || minutes > 59) return null
  return (hours * 60 + minutes) * (text.startsWith('-') ? -1 : 1)
}
