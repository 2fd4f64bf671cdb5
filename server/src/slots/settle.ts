import { ParleyError } from '../platform/errors.ts'

/** Somebody was quicker, or the rule has changed since it was read: what was written is undone, and it is tried again. */
export class OutrunError extends Error {
  override readonly name = 'OutrunError'
}

const mostTries = 10

/** Until it is done or refused. Every try reads anew, so it sees what outran the last one. */
export async function untilSettled<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OutrunError)) throw error
    }
  }
  throw new ParleyError('UNAVAILABLE', 'Try again.', { headers: { 'retry-after': '1' } })
}
