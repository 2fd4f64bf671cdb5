import type { Heard } from './ports.ts'

export type Listener = {
  done(heard: Heard): void
  fail(error: Error): void
  /** So much of the call has passed, and the callee is saying nothing. */
  passed(elapsedMs: number): void
}

/** Somebody who waits for the callee: until they have said something, until it has been quiet for too long, or the end. */
export function listenerOf(givesUpMs: number, signal: AbortSignal): { listener: Listener; heard: Promise<Heard> } {
  const { promise, resolve, reject } = withResolvers<Heard>()
  const leave = () => resolve({ type: 'gone' })
  signal.addEventListener('abort', leave, { once: true })
  const heard = promise.finally(() => signal.removeEventListener('abort', leave))
  return {
    heard,
    listener: {
      done: resolve,
      fail: reject,
      passed: (elapsedMs) => {
        if (elapsedMs >= givesUpMs) resolve({ type: 'silence' })
      },
    },
  }
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
