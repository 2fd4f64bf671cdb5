import type { Heard } from './ports.ts'

type Listener = { resolve(heard: Heard): void; reject(error: Error): void; givesUpMs: number }
export type Listening = ReturnType<typeof createListening>

/** Between what happens on the line and whoever waits for it: until something was said, until it has been quiet for too long. */
export function createListening() {
  let listener: Listener | null = null
  /** What happened while nobody listened. */
  const unheard: Heard[] = []
  let failure: Error | null = null
  const answer = (heard: Heard) => {
    listener?.resolve(heard)
    listener = null
  }
  return {
    hasUnheard: () => unheard.length > 0,
    tell: (heard: Heard) => {
      if (listener) answer(heard)
      else unheard.push(heard)
    },
    /** From now on nothing will be understood. */
    fail: (error: Error) => {
      failure = error
      listener?.reject(error)
      listener = null
    },
    /** So much of the call has passed, and the callee is saying nothing. */
    passed: (elapsedMs: number) => {
      if (listener && elapsedMs >= listener.givesUpMs) answer({ type: 'silence' })
    },
    gone: () => answer({ type: 'gone' }),
    listen: async (givesUpMs: number, signal: AbortSignal): Promise<Heard> => {
      if (failure) throw failure
      const known = unheard.shift()
      if (known) return known
      const leave = () => answer({ type: 'gone' })
      signal.addEventListener('abort', leave, { once: true })
      try {
        return await new Promise<Heard>((resolve, reject) => {
          listener = { resolve, reject, givesUpMs }
        })
      } finally {
        signal.removeEventListener('abort', leave)
      }
    },
  }
}
