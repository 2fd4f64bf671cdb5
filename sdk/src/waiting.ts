type Signal = AbortSignal | undefined

/** Ends early, with the signal's reason, when the caller gives up. */
export function pause(ms: number, signal: Signal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}

export class TimeUp extends Error {
  override readonly name = 'TimeUp'
}

/**
 * The work, unless its time or the caller's patience ends first. A race besides the signal: a fetch that does not
 * listen to it must not hold the caller.
 */
export async function withinTime<T>(work: (stop: AbortSignal) => Promise<T>, ms: number, signal: Signal): Promise<T> {
  const stop = new AbortController()
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true })
  })
  const giveUp = () => stop.abort(signal?.reason)
  signal?.addEventListener('abort', giveUp, { once: true })
  const timer = setTimeout(() => stop.abort(new TimeUp(`${ms} ms are over.`)), ms)
  try {
    return await Promise.race([work(stop.signal), stopped])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
