import { setTimeout as sleep } from 'node:timers/promises'

export type Loop = { stop(): Promise<void> }

/** Does its work, waits, does it again. An error never ends the loop; stopping waits for the work under way. */
export function startLoop(options: {
  everyMs: number
  work: (signal: AbortSignal) => Promise<void>
  onError: (error: unknown) => void
}): Loop {
  const stopping = new AbortController()
  const run = async () => {
    while (!stopping.signal.aborted) {
      await options.work(stopping.signal).catch(options.onError)
      await sleep(options.everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  const running = run()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
