/** One tick per frame for all lines of a worker. It does not drift, and what was missed is made up for at once. */
export type Ticker = { stop(): void; figures(): TickFigures }
export type TickFigures = {
  ticks: number
  /** Frames given up because the thread stood still for longer than a second. */
  skipped: number
  /** How late ticks were, in milliseconds, since this was asked last. */
  lateness: { p50: number; p99: number; max: number }
}

/** More than this at once would be a burst nobody can use. */
const mostBehindMs = 1_000
const samplesKept = 3_000
/** Timers may fire a little early. */
const earlyMs = 0.5

export type TickerOptions = {
  intervalMs: number
  now(): number
  /** `dueMs` is when this tick should have been, however late it is. */
  onTick(dueMs: number): void
  /** After the last tick of a turn. */
  onTurn(): void
}

export function startTicker({ intervalMs, now, onTick, onTurn }: TickerOptions): Ticker {
  let due = now() + intervalMs
  let ticks = 0
  let skipped = 0
  let lateness: number[] = []
  let stopped = false
  let timer: NodeJS.Timeout

  // After a stall the datagrams that came meanwhile are read first: timers run before them, immediates after.
  const wake = () => void setImmediate(run)
  const arm = () => {
    if (!stopped) timer = setTimeout(wake, Math.max(0, due - now()))
  }

  function run(): void {
    if (stopped) return
    const began = now()
    const late = began - due
    if (late > mostBehindMs) {
      const missed = Math.floor((late - mostBehindMs) / intervalMs)
      skipped += missed
      due += missed * intervalMs
    }
    let ran = false
    // Up to where this turn began and no further: under too much load, datagrams and messages still have their turn.
    while (due <= began + earlyMs) {
      note(Math.max(0, now() - due))
      onTick(due)
      due += intervalMs
      ran = true
    }
    if (ran) onTurn()
    arm()
  }

  function note(late: number): void {
    ticks += 1
    if (lateness.length < samplesKept) lateness.push(late)
  }

  arm()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
    figures() {
      const sorted = lateness.sort((a, b) => a - b)
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
      const figures = { ticks, skipped, lateness: { p50: at(0.5), p99: at(0.99), max: at(1) } }
      lateness = []
      return figures
    },
  }
}
