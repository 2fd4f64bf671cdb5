const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

/** `200ms`, `15s`, `2m`, `1h` → milliseconds; null for anything else. */
export function parseDurationMs(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h)$/.exec(text)
  if (!match) return null
  return Number(match[1]) * unitsMs[match[2] as keyof typeof unitsMs]
}

/** The largest unit that says it whole: 90000 → `90s`, 120000 → `2m`. */
export function durationText(ms: number): string {
  const unit = (['h', 'm', 's'] as const).find((each) => ms > 0 && ms % unitsMs[each] === 0) ?? 'ms'
  return `${ms / unitsMs[unit]}${unit}`
}
