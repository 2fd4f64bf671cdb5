/** Where a line's sound comes from and goes to (decision 0033): the first that is valid, then nobody else without proof. */
export type Address = { address: string; port: number }
export type Arrival = {
  from: Address
  ssrc: number
  sequence: number
  /** The packet carried a valid SRTP tag. */
  authentic: boolean
  nowMs: number
}
export type SourceLatch = {
  /** What the signalling says. A new address lets go of the old source. */
  signal(address: Address | null): void
  /** Whether this packet is the other side's. */
  judge(arrival: Arrival): boolean
  /** Where to send. */
  target(): Address | null
  heardAtMs(): number | null
  /** The source that was signalled and is being heard: until it falls quiet nobody else would be believed. */
  settled(nowMs: number): Address | null
}

const same = (a: Address, b: Address) => a.port === b.port && a.address === b.address
const quietBeforeMoveMs = 200
/** Before the first moment at which somebody else would be listened to. */
const settledMs = quietBeforeMoveMs / 2
const quietBeforeReplacementMs = 1_000
/** A stream that goes on elsewhere goes on nearby: two seconds of packets. */
const mostMissed = 100

export function createSourceLatch(): SourceLatch {
  let signalled: Address | null = null
  let latched: (Address & { ssrc: number; sequence: number; heardAtMs: number }) | null = null

  function mayReplace(old: NonNullable<typeof latched>, { from, ssrc, sequence, authentic, nowMs }: Arrival): boolean {
    if (authentic) return true
    if (signalled && same(from, signalled)) return true
    const quietMs = nowMs - old.heardAtMs
    const ahead = (sequence - old.sequence) & 0xffff
    if (ssrc === old.ssrc) return quietMs >= quietBeforeMoveMs && ahead > 0 && ahead <= mostMissed
    return from.address === old.address && quietMs >= quietBeforeReplacementMs
  }

  return {
    signal(address) {
      if (address && signalled && same(address, signalled)) return
      signalled = address
      latched = null
    },
    judge(arrival) {
      if (signalled === null) return false
      const { from, ssrc, sequence, nowMs } = arrival
      if (latched && same(latched, from)) {
        if (ssrc !== latched.ssrc || ((sequence - latched.sequence) & 0xffff) < 0x8000) latched.sequence = sequence
        latched.ssrc = ssrc
        latched.heardAtMs = nowMs
        return true
      }
      if (latched && !mayReplace(latched, arrival)) return false
      latched = { address: from.address, port: from.port, ssrc, sequence, heardAtMs: nowMs }
      return true
    },
    target: () => latched ?? signalled,
    heardAtMs: () => latched?.heardAtMs ?? null,
    settled: (nowMs) =>
      latched && signalled && same(latched, signalled) && nowMs - latched.heardAtMs < settledMs ? signalled : null,
  }
}
