import { ApiFailure } from '../../api-failure.ts'

export interface Cancelled {
  cancelled: number
  begun: number
}

const atOnce = 4

/** Several at a time. A call that has begun (409) or is gone (404) is counted; anything else stops and is told. */
export async function cancelAll(
  callIds: readonly string[],
  cancel: (callId: string) => Promise<unknown>,
): Promise<Cancelled> {
  const result: Cancelled = { cancelled: 0, begun: 0 }
  const waiting = [...callIds]
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await cancel(id)
        result.cancelled += 1
      } catch (failure) {
        if (!(failure instanceof ApiFailure && [404, 409].includes(failure.facts.status))) throw failure
        result.begun += 1
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return result
}

export function cancelledWords({ cancelled, begun }: Cancelled): string {
  const calls = (count: number) => (count === 1 ? '1 call' : `${count} calls`)
  if (begun === 0) return `${calls(cancelled)} cancelled.`
  const late = begun === 1 ? '1 had already begun' : `${begun} had already begun`
  return cancelled === 0 ? `Nothing was cancelled: ${late}.` : `${calls(cancelled)} cancelled; ${late}.`
}
