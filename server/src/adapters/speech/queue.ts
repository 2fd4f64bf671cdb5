export type Queue = {
  /** Waits for a free lane. Rejects at once when too many wait already, and as soon as the signal says so. */
  run<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result>
}

export class SpeechQueueFull extends Error {
  override readonly name = 'SpeechQueueFull'
}

/** So many tasks at a time, so many waiting, first come first served. */
export function createQueue({ lanes, longest }: { lanes: number; longest: number }): Queue {
  const waiting: (() => void)[] = []
  let busy = 0

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (busy < lanes) {
      busy += 1
      return
    }
    if (waiting.length >= longest) throw new SpeechQueueFull('Too much is waiting to be spoken')
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(enterNow), 1)
        reject(signal.reason)
      }
      const enterNow = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      waiting.push(enterNow)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** The lane goes to the next in line, or becomes free. */
  function exit(): void {
    const next = waiting.shift()
    if (next) next()
    else busy -= 1
  }

  return {
    async run(task, signal) {
      await enter(signal)
      try {
        return await task()
      } finally {
        exit()
      }
    },
  }
}
