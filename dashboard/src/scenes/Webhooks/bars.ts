type Hour = { succeeded: number; failed: number }

/** Heights for one hour each. The busiest fills the height; whatever is there at all can be seen. */
export function barsOf(hours: readonly Hour[], height: number): { hour: number; good: number; bad: number }[] {
  const most = Math.max(1, ...hours.map((each) => each.succeeded + each.failed))
  const scaled = (count: number) => (count === 0 ? 0 : Math.max(2, Math.round((count / most) * height)))
  return hours.map(({ succeeded, failed }, hour) => {
    const bad = scaled(failed)
    return { hour, bad, good: Math.min(scaled(succeeded), height - bad) }
  })
}
