/** Pairs of ports, RTP even and RTCP above it. The one given back longest ago is next: late packets of its last line are over. */
export type PortRange = { readonly size: number; take(): number | null; giveBack(port: number): void }

export function createPortRange([from, to]: readonly [number, number]): PortRange {
  const free: number[] = []
  for (let port = from + (from % 2); port + 1 <= to; port += 2) free.push(port)
  const size = free.length
  return { size, take: () => free.shift() ?? null, giveBack: (port) => void free.push(port) }
}
