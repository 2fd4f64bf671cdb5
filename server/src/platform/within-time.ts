import { unlessAborted } from './unless-aborted.ts'

/**
 * Does the work until it is done, the time is up or `stop` says so; in the last two cases its signal is aborted and this
 * rejects, whatever the work does. Not with AbortSignal.any and AbortSignal.timeout: in Node 20 nobody holds the timeout
 * then, so that it goes with the next clearing away and never fires, and what listens to the combination stays for ever.
 */
export async function withinTime<T>(
  limitMs: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  const { signal } = ending
  const onStop = () => ending.abort(stop.reason)
  const timer = setTimeout(() => ending.abort(new DOMException('The time is up.', 'TimeoutError')), limitMs)
  timer.unref()
  if (stop.aborted) onStop()
  else stop.addEventListener('abort', onStop, { once: true })
  try {
    return await unlessAborted(work(signal), signal)
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', onStop)
  }
}
