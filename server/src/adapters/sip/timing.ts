/** RFC 3261 §17 in milliseconds, and what the RFC leaves open. Tests make them small. */
export type Timing = {
  /** A round trip. Everything else follows from it. */
  t1Ms: number
  /** The longest pause between two retransmissions. */
  t2Ms: number
  /** How long a message may linger in the network. */
  t4Ms: number
  /** How long opening a TCP or TLS connection may take. */
  connectMs: number
  /** What we propose for RFC 4028, and the shortest we accept. */
  sessionSeconds: number
  minSessionSeconds: number
}

export const rfcTiming: Timing = {
  t1Ms: 500,
  t2Ms: 4_000,
  t4Ms: 5_000,
  connectMs: 5_000,
  sessionSeconds: 1_800,
  minSessionSeconds: 90,
}

/** After so long without an answer a transaction has failed: timers B, F, H, J, L, M. */
export const giveUpMs = (timing: Timing): number => 64 * timing.t1Ms

/** Calls back after t1, then twice as long each time, up to `capMs`, until stopped. */
export function repeat(timing: Timing, capMs: number, again: () => void): () => void {
  let waitMs = timing.t1Ms
  let timer: NodeJS.Timeout
  const next = () => {
    timer = setTimeout(() => {
      again()
      waitMs = Math.min(waitMs * 2, capMs)
      next()
    }, waitMs)
    // The sockets keep the process alive, not what may have to be said again.
    timer.unref()
  }
  next()
  return () => clearTimeout(timer)
}
