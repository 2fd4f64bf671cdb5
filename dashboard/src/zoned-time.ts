// Wall-clock times of a zone, as date and time inputs hold them, and the instants they mean.

const partsOf = (at: Date, zone: string): Record<string, string> =>
  Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )

/** `2026-11-15T14:30`: what a clock in that zone shows. */
export function wallTime(at: Date, zone: string): string {
  const { year, month, day, hour, minute } = partsOf(at, zone)
  return `${year?.padStart(4, '0')}-${month}-${day}T${hour}:${minute}`
}

const offsetMs = (at: Date, zone: string): number => {
  const { second } = partsOf(at, zone)
  const shown = Date.parse(`${wallTime(at, zone)}:${second}Z`)
  return shown - Math.floor(at.getTime() / 1_000) * 1_000
}

/** The instant at which a clock in that zone shows this; of a repeated hour the first, of a skipped one the next. */
export function instantOf(wall: string, zone: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall)) return null
  const asUtc = Date.parse(`${wall}:00Z`)
  if (Number.isNaN(asUtc)) return null
  // The offsets of the day before and after are the only two it can have.
  const candidates = [-86_400_000, 86_400_000].map((ms) => asUtc - offsetMs(new Date(asUtc + ms), zone))
  const right = candidates.filter((ms) => wallTime(new Date(ms), zone) === wall)
  return new Date(right.length > 0 ? Math.min(...right) : Math.max(...candidates)).toISOString()
}
