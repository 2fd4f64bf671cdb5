/** Keys pressed at the other side (RFC 4733): many packets per press, each press told once. */
export type DigitReader = { read(payload: Uint8Array, timestamp: number): string | null; reset(): void }

export const keys = '0123456789*#ABCD'
const remembered = 8

type Press = { key: number; timestamp: number; duration: number }

export function createDigitReader(): DigitReader {
  let presses: Press[] = []

  return {
    read(payload, timestamp) {
      if (payload.length < 4) return null
      const key = payload[0] as number
      if (key >= keys.length) return null
      const duration = ((payload[2] as number) << 8) | (payload[3] as number)
      // A press that lasts is cut into parts with timestamps of their own, and some senders move the timestamp with every
      // packet: what begins before the other has ended is the same press.
      const known = presses.find((each) => {
        const after = (timestamp - each.timestamp) | 0
        return each.key === key && after >= 0 && after <= each.duration
      })
      if (known) {
        known.duration = Math.max(known.duration, ((timestamp - known.timestamp) | 0) + duration)
        return null
      }
      presses = [{ key, timestamp, duration }, ...presses].slice(0, remembered)
      return keys.charAt(key)
    },
    reset() {
      presses = []
    },
  }
}
