/** RTCP (RFC 3550 §6): what we tell the other side about its sound, and what it tells us about ours. */
export type ReportBlock = {
  ssrc: number
  /** In 256ths since the last report. */
  fractionLost: number
  cumulativeLost: number
  highestSequence: number
  /** In samples. */
  jitter: number
  /** The middle 32 bits of the NTP time of the last sender report, and how long ago it came, in 65536ths of a second. */
  lastReport: number
  sinceLastReport: number
}
export type SenderInfo = { ntp: NtpTime; timestamp: number; packets: number; octets: number }
export type NtpTime = { seconds: number; fraction: number }
export type RtcpPacket =
  | { type: 'sender_report'; ssrc: number; sender: SenderInfo; blocks: ReportBlock[] }
  | { type: 'receiver_report'; ssrc: number; blocks: ReportBlock[] }
  | { type: 'bye'; ssrcs: number[] }

const types = { senderReport: 200, receiverReport: 201, description: 202, bye: 203 } as const
const from1900To1970 = 2_208_988_800
const cnameItem = 1
const blockLength = 24

export function ntpTime(epochMs: number): NtpTime {
  const seconds = Math.floor(epochMs / 1_000)
  return {
    seconds: (seconds + from1900To1970) >>> 0,
    fraction: Math.floor(((epochMs - seconds * 1_000) / 1_000) * 0x1_0000_0000) >>> 0,
  }
}
export const middleOf = ({ seconds, fraction }: NtpTime) => (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0

function packet(type: number, count: number, body: Buffer): Buffer {
  const header = Buffer.from([0x80 | count, type, 0, 0])
  header.writeUInt16BE(body.length / 4, 2)
  return Buffer.concat([header, body])
}

function blockBytes(block: ReportBlock): Buffer {
  const data = Buffer.alloc(blockLength)
  data.writeUInt32BE(block.ssrc, 0)
  const lost = Math.max(-0x80_0000, Math.min(0x7f_ffff, block.cumulativeLost))
  data.writeUInt32BE(((block.fractionLost << 24) | (lost & 0xff_ffff)) >>> 0, 4)
  data.writeUInt32BE(block.highestSequence >>> 0, 8)
  data.writeUInt32BE(block.jitter >>> 0, 12)
  data.writeUInt32BE(block.lastReport >>> 0, 16)
  data.writeUInt32BE(block.sinceLastReport >>> 0, 20)
  return data
}

function description(ssrc: number, cname: string): Buffer {
  const text = Buffer.from(cname, 'ascii').subarray(0, 255)
  const length = 4 + 2 + text.length
  const body = Buffer.alloc(length + 4 - (length % 4))
  body.writeUInt32BE(ssrc, 0)
  body[4] = cnameItem
  body[5] = text.length
  body.set(text, 6)
  return packet(types.description, 1, body)
}

export type Report = {
  ssrc: number
  cname: string
  sender: SenderInfo | null
  block: ReportBlock | null
  bye?: boolean
}

/** One compound packet: report, description and, at the end, goodbye. */
export function buildRtcp({ ssrc, cname, sender, block, bye = false }: Report): Buffer {
  const head = Buffer.alloc(sender ? 24 : 4)
  head.writeUInt32BE(ssrc, 0)
  if (sender) {
    head.writeUInt32BE(sender.ntp.seconds, 4)
    head.writeUInt32BE(sender.ntp.fraction, 8)
    head.writeUInt32BE(sender.timestamp >>> 0, 12)
    head.writeUInt32BE(sender.packets >>> 0, 16)
    head.writeUInt32BE(sender.octets >>> 0, 20)
  }
  const body = block ? Buffer.concat([head, blockBytes(block)]) : head
  const parts = [
    packet(sender ? types.senderReport : types.receiverReport, block ? 1 : 0, body),
    description(ssrc, cname),
  ]
  if (bye) parts.push(packet(types.bye, 1, head.subarray(0, 4)))
  return Buffer.concat(parts)
}

function readBlocks(body: Buffer, at: number, count: number): ReportBlock[] {
  const blocks: ReportBlock[] = []
  for (let start = at; blocks.length < count && start + blockLength <= body.length; start += blockLength) {
    blocks.push({
      ssrc: body.readUInt32BE(start),
      fractionLost: body.readUInt8(start + 4),
      cumulativeLost: (body.readUInt32BE(start + 4) << 8) >> 8,
      highestSequence: body.readUInt32BE(start + 8),
      jitter: body.readUInt32BE(start + 12),
      lastReport: body.readUInt32BE(start + 16),
      sinceLastReport: body.readUInt32BE(start + 20),
    })
  }
  return blocks
}

function readPacket(type: number, count: number, body: Buffer): RtcpPacket | null {
  if (type === types.bye) {
    const ssrcs = Array.from({ length: Math.min(count, body.length >> 2) }, (_, index) => body.readUInt32BE(4 * index))
    return { type: 'bye', ssrcs }
  }
  if (type === types.receiverReport && body.length >= 4) {
    return { type: 'receiver_report', ssrc: body.readUInt32BE(0), blocks: readBlocks(body, 4, count) }
  }
  if (type !== types.senderReport || body.length < 24) return null
  const sender = {
    ntp: { seconds: body.readUInt32BE(4), fraction: body.readUInt32BE(8) },
    timestamp: body.readUInt32BE(12),
    packets: body.readUInt32BE(16),
    octets: body.readUInt32BE(20),
  }
  return { type: 'sender_report', ssrc: body.readUInt32BE(0), sender, blocks: readBlocks(body, 24, count) }
}

/** Everything in a compound packet that we understand; stops at the first thing that is none. */
export function parseRtcp(data: Buffer): RtcpPacket[] {
  const packets: RtcpPacket[] = []
  for (let at = 0; at + 4 <= data.length; ) {
    const first = data[at] as number
    const end = at + 4 + 4 * data.readUInt16BE(at + 2)
    if (first >> 6 !== 2 || end > data.length) break
    const read = readPacket(data[at + 1] as number, first & 31, data.subarray(at + 4, end))
    if (read) packets.push(read)
    at = end
  }
  return packets
}
