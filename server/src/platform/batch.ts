export type BatchOptions = {
  lanes?: number
  fullAt?: number
  maxBatch?: number
  mayRetryAlone?: (error: unknown) => boolean
}

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void }

/**
 * Puts the work of concurrent requests into one statement. No timer: whatever has gathered by the end of this turn of
 * the event loop leaves at once while a lane is free; what comes while all lanes are busy leaves together when one
 * returns. Four lanes, because with one a slow fsync makes eight clients wait for each other. A full batch leaves in the
 * middle of a turn, so that the database works while the rest is still being read, and is alone on its way: two at once
 * take the cores from each other and from this process (docs/decisions/0004).
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { lanes = 4, fullAt = 20, maxBatch = 200, mayRetryAlone = () => true }: BatchOptions = {},
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let busyLanes = 0
  let underWay = 0
  let planned = false

  const mayLeave = () => busyLanes < lanes && underWay < fullAt
  const plan = () => {
    if (planned || !mayLeave() || waiting.length === 0) return
    planned = true
    setImmediate(() => {
      planned = false
      // A full batch may have left meanwhile.
      if (mayLeave()) void flush()
      plan()
    })
  }

  const flush = async () => {
    const batch = waiting.splice(0, maxBatch)
    if (batch.length === 0) return
    busyLanes += 1
    underWay += batch.length
    try {
      await settle(batch)
    } finally {
      busyLanes -= 1
      underWay -= batch.length
      plan()
    }
  }

  const settle = async (batch: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map((each) => each.item))
      for (const [index, each] of batch.entries()) each.resolve(results[index] as Result)
    } catch (error) {
      // One bad row may not fail its neighbours: each is tried alone and fails alone.
      if (batch.length > 1 && mayRetryAlone(error)) for (const each of batch) await settle([each])
      else for (const each of batch) each.reject(error)
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (waiting.length >= fullAt && mayLeave()) void flush()
      else plan()
    })
}
