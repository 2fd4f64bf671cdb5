/** RTP packets (RFC 3550 §5.1). */
export type RtpPacket = {
  payloadType: number
  marker: boolean
  sequence: number
  timestamp: number
  ssrc: number
  /** The datagram. What it carries begins behind the header; padding may follow. */
  data: Buffer
  /** Fixed header, CSRC list and extension: what SRTP leaves unencrypted. */
  headerLength: number
  payloadLength: number
}

export const rtpHeaderLength = 12

/** Where the payload begins; null when this is no RTP packet. */
export function rtpHeaderLengthOf(data: Buffer): number | null {
  if (data.length < rtpHeaderLength) return null
  const first = data[0] as number
  if (first >> 6 !== 2) return null
  let length = rtpHeaderLength + 4 * (first & 15)
  if (first & 0x10) {
    if (data.length < length + 4) return null
    length += 4 + 4 * data.readUInt16BE(length + 2)
  }
  return length <= data.length ? length : null
}

export function parseRtp(data: Buffer): RtpPacket | null {
  const headerLength = rtpHeaderLengthOf(data)
  if (headerLength === null) return null
  let end = data.length
  if ((data[0] as number) & 0x20) {
    const padding = data[end - 1] as number
    if (padding === 0 || headerLength + padding > end) return null
    end -= padding
  }
  const second = data[1] as number
  return {
    payloadType: second & 0x7f,
    marker: second > 0x7f,
    sequence: data.readUInt16BE(2),
    timestamp: data.readUInt32BE(4),
    ssrc: data.readUInt32BE(8),
    data,
    headerLength,
    payloadLength: end - headerLength,
  }
}

/** For those who can spare the time to make one; sound is read where it lies. */
export const payloadOf = ({ data, headerLength, payloadLength }: RtpPacket): Buffer =>
  data.subarray(headerLength, headerLength + payloadLength)

/** On a shared port RTCP is told apart by its second byte (RFC 5761 §4). */
export const looksLikeRtcp = (data: Uint8Array) => {
  const second = data[1] ?? 0
  return second >= 192 && second <= 223
}

export type RtpHeader = Pick<RtpPacket, 'payloadType' | 'marker' | 'sequence' | 'timestamp' | 'ssrc'>

/** A packet with room for its payload behind the header. */
export function buildRtp(header: RtpHeader, payloadLength: number): Buffer {
  const data = Buffer.allocUnsafe(rtpHeaderLength + payloadLength)
  data[0] = 0x80
  data[1] = (header.payloadType & 0x7f) | (header.marker ? 0x80 : 0)
  data.writeUInt16BE(header.sequence & 0xffff, 2)
  data.writeUInt32BE(header.timestamp >>> 0, 4)
  data.writeUInt32BE(header.ssrc >>> 0, 8)
  return data
}
