/** What arrives for one reader. Waits for it up to a limit, then the oldest goes: nobody may fill the memory by not reading. */
export type Arrivals<Item> = {
  items: AsyncIterable<Item>
  push(item: Item): void
  /** Somebody waits for the next one. */
  isAwaited(): boolean
  /** What is there can still be read. */
  end(): void
}

export function createArrivals<Item>(most: number): Arrivals<Item> {
  const waiting: Item[] = []
  let readers: ((result: IteratorResult<Item>) => void)[] = []
  let ended = false

  function next(): Promise<IteratorResult<Item>> {
    const item = waiting.shift()
    if (item !== undefined) return Promise.resolve({ done: false, value: item })
    if (ended) return Promise.resolve({ done: true, value: undefined })
    return new Promise((resolve) => readers.push(resolve))
  }

  return {
    // Leaving the loop ends nothing: whoever comes next reads on.
    items: { [Symbol.asyncIterator]: () => ({ next }) },
    isAwaited: () => readers.length > 0,
    push(item) {
      if (ended) return
      const reader = readers.shift()
      if (reader) return reader({ done: false, value: item })
      waiting.push(item)
      if (waiting.length > most) waiting.shift()
    },
    end() {
      ended = true
      for (const reader of readers) reader({ done: true, value: undefined })
      readers = []
    },
  }
}
