import { timingSafeEqual } from 'node:crypto'
import { rtpHeaderLengthOf } from './packet.ts'
import { createReplayWindow, type ReplayWindow } from './replay-window.ts'
import { authenticate, type CryptoSuite, cryptoSuites, packetIv, sessionKeys } from './srtp-keys.ts'

export type Protector = { rtp(packet: Buffer): Buffer; rtcp(packet: Buffer): Buffer }
/** Null for what is forged, repeated or no packet at all. */
export type Unprotector = { rtp(data: Buffer): Buffer | null; rtcp(data: Buffer): Buffer | null }

const rtcpHeaderLength = 8
/** SRTCP keeps the long tag in both suites (RFC 4568 §6.2). */
const rtcpTagLength = 10
const encryptedFlag = 0x8000_0000
/** Sources whose counters are kept; a peer has one, or a few after transfers. */
const mostSources = 4

export function createProtector(suite: CryptoSuite, master: Uint8Array): Protector {
  const rtpKeys = sessionKeys(master, 'rtp')
  const rtcpKeys = sessionKeys(master, 'rtcp')
  const iv = Buffer.alloc(16)
  const rolloverBytes = Buffer.alloc(4)
  let rollover = 0
  let last: number | null = null
  let rtcpIndex = 0

  return {
    rtp(packet) {
      const sequence = packet.readUInt16BE(2)
      if (last !== null && sequence < last && last - sequence > 0x8000) rollover += 1
      last = sequence
      const index = rollover * 0x1_0000 + sequence
      const header = rtpHeaderLengthOf(packet) ?? packet.length
      rtpKeys.stream.apply(packet.subarray(header), packetIv(rtpKeys.salt, packet.readUInt32BE(8), index, iv))
      rolloverBytes.writeUInt32BE(rollover)
      const tag = authenticate(rtpKeys.authentication, packet, rolloverBytes)
      return Buffer.concat([packet, tag.subarray(0, cryptoSuites[suite])])
    },
    rtcp(packet) {
      rtcpIndex = (rtcpIndex + 1) % encryptedFlag
      const trailer = Buffer.alloc(4)
      trailer.writeUInt32BE(encryptedFlag + rtcpIndex)
      const body = packet.subarray(rtcpHeaderLength)
      rtcpKeys.stream.apply(body, packetIv(rtcpKeys.salt, packet.readUInt32BE(4), rtcpIndex, iv))
      const tag = authenticate(rtcpKeys.authentication, packet, trailer)
      return Buffer.concat([packet, trailer, tag.subarray(0, rtcpTagLength)])
    },
  }
}

export function createUnprotector(suite: CryptoSuite, master: Uint8Array): Unprotector {
  const rtpKeys = sessionKeys(master, 'rtp')
  const rtcpKeys = sessionKeys(master, 'rtcp')
  const tagLength = cryptoSuites[suite]
  const iv = Buffer.alloc(16)
  const rolloverBytes = Buffer.alloc(4)
  const sources = new Map<number, ReplayWindow>()
  const rtcpSources = new Map<number, ReplayWindow>()

  return {
    rtp(data) {
      const body = data.subarray(0, Math.max(0, data.length - tagLength))
      const header = rtpHeaderLengthOf(body)
      if (header === null) return null
      const ssrc = body.readUInt32BE(8)
      const window = sources.get(ssrc) ?? createReplayWindow()
      const index = window.indexOf(body.readUInt16BE(2))
      if (index === null || !window.isNew(index)) return null
      rolloverBytes.writeUInt32BE(Math.floor(index / 0x1_0000))
      const tag = authenticate(rtpKeys.authentication, body, rolloverBytes).subarray(0, tagLength)
      if (!timingSafeEqual(tag, data.subarray(body.length))) return null
      window.take(index)
      keep(sources, ssrc, window)
      rtpKeys.stream.apply(body.subarray(header), packetIv(rtpKeys.salt, ssrc, index, iv))
      return body
    },
    rtcp(data) {
      const length = data.length - rtcpTagLength - 4
      if (length < rtcpHeaderLength) return null
      const signed = data.subarray(0, length + 4)
      const tag = authenticate(rtcpKeys.authentication, signed).subarray(0, rtcpTagLength)
      if (!timingSafeEqual(tag, data.subarray(length + 4))) return null
      const ssrc = data.readUInt32BE(4)
      const trailer = data.readUInt32BE(length)
      const index = trailer % encryptedFlag
      const window = rtcpSources.get(ssrc) ?? createReplayWindow()
      if (!window.isNew(index)) return null
      window.take(index)
      keep(rtcpSources, ssrc, window)
      const body = data.subarray(0, length)
      if (trailer >= encryptedFlag) {
        rtcpKeys.stream.apply(body.subarray(rtcpHeaderLength), packetIv(rtcpKeys.salt, ssrc, index, iv))
      }
      return body
    },
  }
}

/** Only called for what was authentic: nobody without the key fills the table. The one not heard for longest goes. */
function keep(sources: Map<number, ReplayWindow>, ssrc: number, window: ReplayWindow): void {
  sources.delete(ssrc)
  sources.set(ssrc, window)
  for (const oldest of sources.keys()) {
    if (sources.size <= mostSources) return
    sources.delete(oldest)
  }
}
