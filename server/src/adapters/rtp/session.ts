import type { RemoteInfo } from 'node:dgram'
import { createInbound } from './inbound.ts'
import type { MediaParameters, OpenParameters } from './media-parameters.ts'
import { createOutbound } from './outbound.ts'
import { looksLikeRtcp } from './packet.ts'
import { createReports, type ReportFigures } from './reports.ts'
import { type Address, createSourceLatch } from './source-latch.ts'
import { createProtector, createUnprotector, type Protector, type Unprotector } from './srtp.ts'

/** One line's sound, in the worker. Knows no socket and no clock. */
export type Session = {
  receive(data: Buffer, from: RemoteInfo, nowMs: number): void
  receiveRtcp(data: Buffer, from: RemoteInfo): void
  /** One frame both ways. `live` is false until the other side's address is known: then there is nothing to hear. */
  tick(nowMs: number, heard: Int16Array, played: Int16Array): { live: boolean; didPlay: boolean }
  add(samples: Int16Array): void
  press(digits: string): void
  update(parameters: MediaParameters): void
  stats(nowMs: number): MediaStats
  goodbye(nowMs: number): void
}
export type SessionPorts = {
  sendRtp(data: Buffer, to: Address): void
  sendRtcp(data: Buffer, to: Address): void
  /** Only this source would be heard now; null: others might. */
  tie(to: Address | null): void
  onDigit(key: string): void
  /** The wall clock's time for a time of the worker's own clock. */
  epochMsOf(nowMs: number): number
  /** The time at which a datagram was read. */
  nowMs(): number
}

export type MediaStats = {
  sent: { packets: number; octets: number }
  received: {
    packets: number
    octets: number
    /** By gaps in the sequence of the present source. */
    lost: number
    duplicates: number
    late: number
    jitterMs: number
    invalid: number
    rejected: number
    foreign: number
    /** Since the last packet; null before the first. */
    quietForMs: number | null
  }
  playout: {
    concealedMs: number
    skippedFrames: number
    repeatedFrames: number
    delayMs: number
    wantedDelayMs: number
  }
  reports: ReportFigures
  /** Where our sound goes now. */
  remote: Address | null
}

export function createSession(parameters: OpenParameters, counters: Int32Array, ports: SessionPorts): Session {
  const latch = createSourceLatch()
  const outbound = createOutbound(counters)
  const inbound = createInbound(latch, parameters.jitter, ports.onDigit)
  const reports = createReports(outbound.ssrc, ports.epochMsOf)
  let terms: MediaParameters = parameters
  let protector: Protector | null = null
  let unprotector: Unprotector | null = null

  function agree(next: MediaParameters, before: MediaParameters | null): void {
    // The same key keeps its counters: starting them anew would send two packets under one index.
    if (!sameBytes(next, before, 'send')) {
      protector = next.crypto ? createProtector(next.crypto.suite, next.crypto.send) : null
    }
    if (!sameBytes(next, before, 'receive')) {
      unprotector = next.crypto ? createUnprotector(next.crypto.suite, next.crypto.receive) : null
    }
    terms = next
    const { direction = 'sendrecv', telephoneEvent } = next
    latch.signal(next.remote)
    inbound.useUnprotector(unprotector)
    inbound.expectEvents(telephoneEvent?.receive ?? null)
    inbound.listen(direction === 'sendrecv' || direction === 'recvonly')
    const sending = next.remote !== null && (direction === 'sendrecv' || direction === 'sendonly')
    outbound.agree({ codec: next.codec, eventType: telephoneEvent?.send ?? null, protector, sending })
  }

  function rtcpTarget(): Address | null {
    const { rtcp = 'next' } = terms
    if (typeof rtcp === 'object') return rtcp
    const target = latch.target()
    return target && rtcp === 'next' ? { address: target.address, port: target.port + 1 } : target
  }

  function sendReport(report: Buffer): void {
    const target = rtcpTarget()
    if (!target || target.port > 65_535) return
    const data = protector ? protector.rtcp(report) : report
    if (terms.rtcp === 'mux') ports.sendRtp(data, target)
    else ports.sendRtcp(data, target)
  }

  function readReport(data: Buffer, from: RemoteInfo): void {
    if (from.address !== rtcpTarget()?.address) return
    const clear = unprotector ? unprotector.rtcp(data) : data
    if (clear) reports.read(clear, ports.nowMs())
  }

  agree(parameters, null)
  return {
    receive(data, from, nowMs) {
      if (looksLikeRtcp(data)) readReport(data, from)
      else inbound.receive(data, from, nowMs)
    },
    receiveRtcp: readReport,
    tick(nowMs, heard, played) {
      if (terms.remote === null) return { live: false, didPlay: false }
      inbound.take(heard, nowMs)
      const { packet, didPlay } = outbound.next(played)
      const target = latch.target()
      if (packet && target) ports.sendRtp(packet, target)
      // With SRTP whoever has the key may take over at any moment.
      ports.tie(unprotector ? null : latch.settled(nowMs))
      if (reports.isDue(nowMs)) sendReport(reports.report(nowMs, outbound.figures(), inbound.reception()))
      return { live: true, didPlay }
    },
    add: outbound.add,
    press: outbound.press,
    update: (next) => agree(next, terms),
    stats: (nowMs) => statsOf(nowMs, { inbound, outbound, latch, reports }),
    goodbye(nowMs) {
      if (terms.remote) sendReport(reports.goodbye(nowMs, outbound.figures(), inbound.reception()))
    },
  }
}

function sameBytes(a: MediaParameters, b: MediaParameters | null, side: 'send' | 'receive'): boolean {
  if (!a.crypto || !b?.crypto) return !a.crypto && b !== null && !b.crypto
  return a.crypto.suite === b.crypto.suite && Buffer.from(a.crypto[side]).equals(b.crypto[side])
}

type Parts = {
  inbound: ReturnType<typeof createInbound>
  outbound: ReturnType<typeof createOutbound>
  latch: ReturnType<typeof createSourceLatch>
  reports: ReturnType<typeof createReports>
}

function statsOf(nowMs: number, { inbound, outbound, latch, reports }: Parts): MediaStats {
  const figures = inbound.figures()
  const reception = inbound.reception()?.report()
  const heardAtMs = latch.heardAtMs()
  const { packets, octets } = outbound.figures()
  const target = latch.target()
  return {
    sent: { packets, octets },
    received: {
      packets: figures.packets,
      octets: figures.octets,
      lost: Math.max(0, reception?.lost ?? 0),
      duplicates: reception?.duplicates ?? 0,
      late: figures.late,
      jitterMs: Math.round((reception?.jitter ?? 0) / 8),
      invalid: figures.invalid,
      rejected: figures.rejected,
      foreign: figures.foreign,
      quietForMs: heardAtMs === null ? null : Math.round(nowMs - heardAtMs),
    },
    playout: {
      concealedMs: Math.round(figures.concealedSamples / 8),
      skippedFrames: figures.skipped,
      repeatedFrames: figures.repeated,
      delayMs: figures.delayMs,
      wantedDelayMs: figures.wantedMs,
    },
    reports: reports.figures(),
    remote: target ? { address: target.address, port: target.port } : null,
  }
}
