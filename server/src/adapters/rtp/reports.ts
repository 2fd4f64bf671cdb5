import { randomBytes } from 'node:crypto'
import type { Reception } from './reception.ts'
import { buildRtcp, middleOf, ntpTime, parseRtcp, type ReportBlock, type RtcpPacket } from './rtcp.ts'

/** The reports of one line: when to send, what to say, what the other side said. */
export type Reports = {
  /** Whether it is time for one; asked once per frame. */
  isDue(nowMs: number): boolean
  report(nowMs: number, sent: Sent, reception: Reception | null): Buffer
  goodbye(nowMs: number, sent: Sent, reception: Reception | null): Buffer
  read(data: Buffer, nowMs: number): void
  figures(): ReportFigures
}
export type Sent = { packets: number; octets: number; timestamp: number }
export type ReportFigures = {
  roundTripMs: number | null
  /** What the other side says about our sound: share lost lately, packets lost in all, jitter. */
  remote: { fractionLost: number; lost: number; jitterMs: number } | null
  /** It has said goodbye. The line itself ends by signalling only: this needs no proof. */
  bye: boolean
}

const intervalMs = 5_000

export function createReports(ssrc: number, epochMsOf: (nowMs: number) => number): Reports {
  // Nothing of the machine or the call is in the name (RFC 7022).
  const cname = randomBytes(12).toString('base64')
  let dueAtMs: number | null = null
  let lastSender: { middle: number; atMs: number; ssrc: number } | null = null
  const figures: ReportFigures = { roundTripMs: null, remote: null, bye: false }

  /** Between half and one and a half intervals, so that lines do not all report at once (RFC 3550 §6.3.1). */
  const spread = () => intervalMs * (0.5 + randomBytes(1).readUInt8() / 255)

  function blockOf(reception: Reception, nowMs: number): ReportBlock {
    const { lost, highestSequence, jitter } = reception.report()
    const known = lastSender?.ssrc === reception.ssrc ? lastSender : null
    return {
      ssrc: reception.ssrc,
      fractionLost: reception.fractionLost(),
      cumulativeLost: lost,
      highestSequence,
      jitter,
      lastReport: known?.middle ?? 0,
      sinceLastReport: known ? Math.round(((nowMs - known.atMs) * 65_536) / 1_000) : 0,
    }
  }

  function build(nowMs: number, sent: Sent, reception: Reception | null, bye: boolean): Buffer {
    const sender = sent.packets > 0 ? { ...sent, ntp: ntpTime(epochMsOf(nowMs)) } : null
    return buildRtcp({ ssrc, cname, sender, block: reception ? blockOf(reception, nowMs) : null, bye })
  }

  function learn(packet: RtcpPacket, nowMs: number): void {
    if (packet.type === 'bye') {
      figures.bye = true
      return
    }
    if (packet.type === 'sender_report') {
      lastSender = { middle: middleOf(packet.sender.ntp), atMs: nowMs, ssrc: packet.ssrc }
    }
    const about = packet.blocks.find((block) => block.ssrc === ssrc)
    if (!about) return
    figures.remote = {
      fractionLost: about.fractionLost / 256,
      lost: about.cumulativeLost,
      jitterMs: Math.round(about.jitter / 8),
    }
    if (about.lastReport === 0) return
    const passed = (middleOf(ntpTime(epochMsOf(nowMs))) - about.lastReport - about.sinceLastReport) | 0
    if (passed >= 0) figures.roundTripMs = Math.round((passed * 1_000) / 65_536)
  }

  return {
    isDue(nowMs) {
      dueAtMs ??= nowMs + spread() / 2
      return nowMs >= dueAtMs
    },
    report(nowMs, sent, reception) {
      dueAtMs = nowMs + spread()
      return build(nowMs, sent, reception, false)
    },
    goodbye: (nowMs, sent, reception) => build(nowMs, sent, reception, true),
    read(data, nowMs) {
      for (const packet of parseRtcp(data)) learn(packet, nowMs)
    },
    figures: () => figures,
  }
}
