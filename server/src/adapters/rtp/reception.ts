/** What one source sends us, counted as RFC 3550 A.1, A.3 and A.8 say. */
export type Reception = {
  readonly ssrc: number
  /** False for a packet that was here before, or is nowhere near the others. */
  accept(sequence: number): boolean
  /** Interarrival jitter from a packet's timestamp and its arrival, both in samples. */
  arrived(timestamp: number, arrival: number): void
  report(): ReceptionFigures
  /** The share lost since this was asked last, in 256ths: what a report block carries. */
  fractionLost(): number
}
export type ReceptionFigures = {
  received: number
  /** Negative when duplicates came, as the RFC has it. */
  lost: number
  duplicates: number
  highestSequence: number
  /** In samples. */
  jitter: number
}

const sequenceModulus = 0x1_0000
const mostDropout = 3_000
const mostMisorder = 100
/** How far back a repeated packet is recognised. */
const memory = 128

export function createReception(ssrc: number, first: number): Reception {
  let base = first
  let highest = first - 1
  let bad = -1
  let received = 0
  let duplicates = 0
  let jitter = 0
  let lastTransit: number | null = null
  let reported = { expected: 0, received: 0 }
  const seen = new Float64Array(memory).fill(Number.NEGATIVE_INFINITY)
  const expected = () => highest - base + 1

  function restart(sequence: number): void {
    base = sequence
    highest = sequence - 1
    received = 0
    reported = { expected: 0, received: 0 }
    lastTransit = null
    seen.fill(Number.NEGATIVE_INFINITY)
  }

  function remember(extended: number): boolean {
    const slot = ((extended % memory) + memory) % memory
    if (seen[slot] === extended) {
      duplicates += 1
      return false
    }
    // A straggler does not push out what came after it.
    if (extended > (seen[slot] as number)) seen[slot] = extended
    received += 1
    return true
  }

  return {
    ssrc,
    accept(sequence) {
      const ahead = (sequence - highest) & 0xffff
      if (ahead === 0) return remember(highest)
      if (ahead < mostDropout) {
        highest += ahead
        bad = -1
        return remember(highest)
      }
      if (ahead > sequenceModulus - mostMisorder) return remember(highest + ahead - sequenceModulus)
      // A jump that goes on by the next packet: the other side has started anew.
      if (sequence !== bad) {
        bad = (sequence + 1) & 0xffff
        return false
      }
      bad = -1
      restart(sequence)
      highest = sequence
      return remember(sequence)
    },
    arrived(timestamp, arrival) {
      const transit = arrival - timestamp
      if (lastTransit !== null) {
        // Timestamps go round at 32 bits.
        const difference = Math.abs((transit - lastTransit) | 0)
        jitter += (difference - jitter) / 16
      }
      lastTransit = transit
    },
    report: () => ({
      received,
      lost: expected() - received,
      duplicates,
      highestSequence: highest >>> 0,
      jitter: Math.round(jitter),
    }),
    fractionLost() {
      const now = { expected: expected(), received }
      const wanted = now.expected - reported.expected
      const lost = wanted - (now.received - reported.received)
      reported = now
      return wanted <= 0 || lost <= 0 ? 0 : Math.min(255, Math.floor((lost * 256) / wanted))
    },
  }
}
