/** Waits for work that does not listen to the signal; whoever leaves is let go at once. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = () => {}
  work.catch(() => {})
  try {
    return await Promise.race([
      work,
      new Promise<never>((_resolve, reject) => {
        leave = () => reject(signal.reason)
        if (signal.aborted) leave()
        else signal.addEventListener('abort', leave, { once: true })
      }),
    ])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
