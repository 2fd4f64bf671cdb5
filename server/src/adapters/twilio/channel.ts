/** From whoever has something to whoever reads it, in order; one reader. */
export function createChannel<T>() {
  const waiting: T[] = []
  let closed = false
  let wake = () => {}
  async function* read(): AsyncGenerator<T> {
    for (;;) {
      if (waiting.length > 0) yield waiting.shift() as T
      else if (closed) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  return {
    add: (item: T) => {
      if (closed) return
      waiting.push(item)
      wake()
    },
    /** What is waiting is still read. */
    close: () => {
      closed = true
      wake()
    },
    read,
  }
}
