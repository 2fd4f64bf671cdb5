export type CallClock = {
  /** Simulated milliseconds since the call was dialled. */
  now(): number
  /** True when that moment has come, false when the clock was stopped or the signal aborted before it. */
  waitUntil(atMs: number, signal?: AbortSignal): Promise<boolean>
  /** Ends every wait; the clock stands still from here. */
  stop(): void
}

const longestTimerMs = 2 ** 31 - 1

/**
 * The time of one call. A wait that runs its course moves the clock by exactly its length, however late the machine's
 * timer fires, so a call has the same log at every speed. Only what is cut short from outside depends on real time.
 */
export function createCallClock(speed: number): CallClock {
  let nowMs = 0
  let stopped = false
  /** Real milliseconds not waited yet: less than one is carried over to the next wait. */
  let owedMs = 0
  const running = new Set<() => void>()

  const wait = (atMs: number, signal: AbortSignal | undefined): Promise<boolean> =>
    new Promise((resolve) => {
      const startedMs = nowMs
      const startedReal = performance.now()
      const finish = (reached: boolean) => {
        running.delete(cut)
        signal?.removeEventListener('abort', cut)
        cancelTimer()
        const passedMs = reached ? atMs : startedMs + Math.round((performance.now() - startedReal) * speed)
        nowMs = Math.max(nowMs, Math.min(passedMs, atMs))
        resolve(reached)
      }
      const cut = () => finish(false)
      owedMs += (atMs - startedMs) / speed
      const timerMs = Math.min(Math.floor(owedMs), longestTimerMs)
      owedMs = Math.max(0, owedMs - timerMs)
      const cancelTimer = startTimer(timerMs, () => finish(true))
      running.add(cut)
      signal?.addEventListener('abort', cut)
    })

  return {
    now: () => nowMs,
    waitUntil: async (atMs, signal) => {
      if (stopped || signal?.aborted) return false
      return atMs <= nowMs || wait(atMs, signal)
    },
    stop: () => {
      stopped = true
      for (const cut of running) cut()
    },
  }
}

/** Below a millisecond no timer is worth its cost, yet others must have their turn. */
function startTimer(ms: number, done: () => void): () => void {
  if (ms < 1) {
    const immediate = setImmediate(done)
    return () => clearImmediate(immediate)
  }
  const timer = setTimeout(done, ms)
  return () => clearTimeout(timer)
}
