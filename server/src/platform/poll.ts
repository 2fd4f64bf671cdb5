import { setTimeout as sleep } from 'node:timers/promises'

export type Loop = {
  /** Does the work again soon, without waiting for the time. */
  wake(): void
  stop(): Promise<void>
}

/** Does its work, waits, does it again. An error never ends the loop; stopping waits for the work under way. */
export function startLoop(options: {
  everyMs: number
  /** What is gathered before a woken loop works again, so that it does not run for every single waking. */
  gatherMs?: number
  /** Answering 'again' skips the wait. */
  work: () => Promise<'again' | undefined>
  onError: (error: unknown) => void
}): Loop {
  let stopping = false
  let woken = false
  let endWait = () => {}
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, options.everyMs).unref()
      endWait = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async () => {
    while (!stopping) {
      woken = false
      const next = await options.work().catch(options.onError)
      if (next === 'again' || stopping) continue
      if (!woken) await pause()
      if (woken && options.gatherMs && !stopping) await sleep(options.gatherMs)
    }
  }
  const running = run()
  return {
    wake: () => {
      woken = true
      endWait()
    },
    stop: () => {
      stopping = true
      endWait()
      return running
    },
  }
}
