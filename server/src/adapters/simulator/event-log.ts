export type EventLog<T> = { add(event: T): void; close(): void; events: AsyncIterable<T> }

/** Whoever iterates sees every event from the first one on, whenever they begin. */
export function createEventLog<T>(): EventLog<T> {
  const log: T[] = []
  let closed = false
  let wake: () => void = () => {}
  let change = new Promise<void>((resolve) => {
    wake = resolve
  })
  const announce = () => {
    wake()
    change = new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  async function* read(): AsyncGenerator<T> {
    let next = 0
    for (;;) {
      const upcoming = change
      for (; next < log.length; next += 1) yield log[next] as T
      if (closed && next === log.length) return
      if (next === log.length) await upcoming
    }
  }
  return {
    add: (event) => {
      log.push(event)
      announce()
    },
    close: () => {
      closed = true
      announce()
    },
    events: { [Symbol.asyncIterator]: read },
  }
}
