import type { SipResponse } from './message.ts'
import type { ServerTransaction } from './server-transaction.ts'
import { giveUpMs, repeat, type Timing } from './timing.ts'

/** A 2xx is said again, on every transport, until it is acknowledged (RFC 3261 §13.3.1.4). */
export function answerUntilAck(
  timing: Timing,
  transaction: ServerTransaction,
  response: SipResponse,
  onNoAck: () => void,
): { acknowledged(): void } {
  transaction.respond(response)
  const stopRepeating = repeat(timing, timing.t2Ms, () => transaction.respond(response))
  const limit = setTimeout(() => {
    stopRepeating()
    onNoAck()
  }, giveUpMs(timing)).unref()
  return {
    acknowledged: () => {
      stopRepeating()
      clearTimeout(limit)
    },
  }
}
