type CleanUp = () => unknown

const waiting: CleanUp[] = []

/**
 * Does this at the end of the test file, last first. The runner forgets an `afterAll` that is registered while hooks or
 * tests run, which is when most things are started.
 */
export const atEnd = (cleanUp: CleanUp): void => void waiting.push(cleanUp)

/** All of them, whatever one of them does; the first fault is told. */
export async function cleanUp(): Promise<void> {
  const faults: unknown[] = []
  for (const each of waiting.splice(0).reverse()) {
    try {
      await each()
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
}
