/**
 * How long sound should wait before it is played: as long as all but the latest 3 % of the packets need. Every packet's
 * way is compared with the fastest of the last seconds, so a clock that runs faster or slower than ours is followed.
 */
export type DelayTarget = {
  /** One packet: its first sample's time by the sender's clock and its arrival by ours, both in milliseconds. */
  arrived(sentMs: number, arrivalMs: number): void
  /** How long after its fastest possible arrival a sample is played when it is played at `nowMs`. */
  delayOf(sentMs: number, nowMs: number): number
  wantedMs(): number
  reset(): void
}

const bucketMs = 10
const buckets = 40
const forgetting = 0.995
const covered = 0.97
const largestGain = 1e9
/** Half a second of packets is enough to go by. */
const packetsKnown = 24
const halfWindowMs = 4_000
/** A way this much longer is no jitter: the sender stood still, or its clock was set. */
const restartMs = 1_000

export function createDelayTarget(limits: { leastMs: number; mostMs: number; startMs: number }): DelayTarget {
  const shares = new Float64Array(buckets)
  let weight = 0
  let gain = 1
  let fastest = Number.POSITIVE_INFINITY
  let fastestBefore = Number.POSITIVE_INFINITY
  let windowEnds = Number.NEGATIVE_INFINITY
  let wanted = limits.startMs
  const least = () => Math.min(fastest, fastestBefore)

  function lighten(): void {
    for (let i = 0; i < buckets; i += 1) shares[i] = (shares[i] as number) / gain
    weight /= gain
    gain = 1
  }

  function reset(): void {
    shares.fill(0)
    weight = 0
    gain = 1
    fastest = Number.POSITIVE_INFINITY
    fastestBefore = Number.POSITIVE_INFINITY
    windowEnds = Number.NEGATIVE_INFINITY
    wanted = limits.startMs
  }

  /** Forgetting the old by weighing the new more: the same shares, without touching all of them for every packet. */
  function learn(lateMs: number): void {
    const index = Math.min(buckets - 1, Math.floor(lateMs / bucketMs))
    shares[index] = (shares[index] as number) + gain
    weight += gain
    gain /= forgetting
    if (gain > largestGain) lighten()
    let sum = 0
    let bucket = 0
    while (bucket < buckets - 1) {
      sum += shares[bucket] as number
      if (sum >= covered * weight) break
      bucket += 1
    }
    // The first packets know nothing yet.
    const known = Math.min(1, weight / gain / packetsKnown)
    const measured = known * (bucket + 1) * bucketMs + (1 - known) * limits.startMs
    wanted = Math.min(limits.mostMs, Math.max(limits.leastMs, measured))
  }

  return {
    arrived(sentMs, arrivalMs) {
      const way = arrivalMs - sentMs
      if (way - least() > restartMs) reset()
      if (arrivalMs >= windowEnds) {
        fastestBefore = fastest
        fastest = way
        windowEnds = arrivalMs + halfWindowMs
      }
      fastest = Math.min(fastest, way)
      learn(way - least())
    },
    delayOf: (sentMs, nowMs) => nowMs - sentMs - least(),
    wantedMs: () => wanted,
    reset,
  }
}
