// Where the bars of a chart stand.

export interface Bar {
  /** In full: Monday 16 November. */
  name: string
  /** Under the bar; empty where there is no room for every one. */
  label: string
  /** One for each series, from the ground up. */
  parts: number[]
}

/** The top of the scale: 1, 2 or 5 times a power of ten, and never below four. */
export function niceTop(most: number): number {
  if (most <= 4) return 4
  const power = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 5, 10].find((each) => each * power >= most) ?? 10) * power
}

export function barsOf(bars: readonly Bar[], { width, height }: { width: number; height: number }) {
  const top = niceTop(Math.max(0, ...bars.map((bar) => bar.parts.reduce((sum, each) => sum + each, 0))))
  const step = width / Math.max(1, bars.length)
  const thick = Math.min(step * 0.7, 32)
  const scale = height / top
  const rects = bars.flatMap((bar, at) => {
    let ground = height
    return bar.parts.flatMap((part, series) => {
      if (part === 0) return []
      ground -= part * scale
      return [
        {
          key: `${bar.name} ${series}`,
          series,
          box: { x: at * step + (step - thick) / 2, y: ground, width: thick, height: part * scale },
          words: (names: readonly string[]) => `${bar.name}: ${part} ${names[series]?.toLowerCase()}`,
        },
      ]
    })
  })
  return {
    rects,
    ticks: [0, top / 2, top].map((value) => ({ value, y: height - value * scale })),
    // The last one ends with its bar: centred, it would leave the picture.
    labels: bars.flatMap((bar, at) => {
      if (bar.label === '') return []
      const isLast = at === bars.length - 1
      return [{ text: bar.label, x: isLast ? width : at * step + step / 2, anchor: isLast ? 'end' : 'middle' } as const]
    }),
  }
}

/** 2026-11-16 → Mon 16 Nov. A date, so no zone can move it; browsers disagree about the comma. */
export const dayName = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' })
    .format(new Date(`${date}T00:00:00Z`))
    .replaceAll(',', '')
/** The same without the weekday. */
export const shortDay = (date: string): string => dayName(date).slice(4)
export const hourName = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
