/**
 * Reads on while the listener is busy speaking: a limit on the source then counts the source's time, and never the time
 * its words take on the phone. `leave` is called when the listener goes; an aborted reading ends without an error.
 */
export async function* readAhead<T>(source: AsyncIterable<T>, signal: AbortSignal, leave: () => void) {
  const ready: T[] = []
  const state: { ended: boolean; failure?: { error: unknown }; wake: () => void } = { ended: false, wake: () => {} }
  const read = async () => {
    try {
      for await (const each of source) {
        ready.push(each)
        state.wake()
      }
    } catch (error) {
      state.failure = { error }
    }
    state.ended = true
    state.wake()
  }
  void read()
  try {
    while (!signal.aborted) {
      const next = ready.shift()
      if (next !== undefined) yield next
      else if (state.ended) break
      else
        await new Promise<void>((resolve) => {
          state.wake = resolve
        })
    }
    if (state.failure && !signal.aborted) throw state.failure.error
  } finally {
    leave()
  }
}
