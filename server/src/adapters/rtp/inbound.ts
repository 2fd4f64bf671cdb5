import type { RemoteInfo } from 'node:dgram'
import { frameSamples } from '../../voice/audio.ts'
import { decode, type Law } from '../../voice/g711.ts'
import { createDigitReader } from './digits-in.ts'
import { createJitterBuffer, type JitterFigures, type JitterLimits } from './jitter-buffer.ts'
import { parseRtp, payloadOf, type RtpPacket } from './packet.ts'
import { createReception, type Reception } from './reception.ts'
import type { SourceLatch } from './source-latch.ts'
import type { Unprotector } from './srtp.ts'

/** From datagrams to frames and keys. */
export type Inbound = {
  receive(data: Buffer, from: RemoteInfo, nowMs: number): void
  take(frame: Int16Array, nowMs: number): void
  /** Payload type of telephone events; null when none were agreed. */
  expectEvents(payloadType: number | null): void
  useUnprotector(unprotector: Unprotector | null): void
  /** False: nothing is taken, silence is heard. */
  listen(on: boolean): void
  reception(): Reception | null
  figures(): InboundFigures
}
export type InboundFigures = JitterFigures & {
  packets: number
  octets: number
  /** Neither RTP nor a payload type we know. */
  invalid: number
  /** Forged, repeated or unprotected where SRTP was agreed. */
  rejected: number
  /** From somebody else. */
  foreign: number
}

const laws: Record<number, Law | undefined> = { 0: 'PCMU', 8: 'PCMA' }
const comfortNoise = 13
const longestPayload = 4_000

export function createInbound(latch: SourceLatch, limits: JitterLimits | undefined, onDigit: (key: string) => void) {
  const jitter = createJitterBuffer(limits)
  const digits = createDigitReader()
  const samples = new Int16Array(longestPayload)
  const oneFrame = samples.subarray(0, frameSamples)
  const counted = { packets: 0, octets: 0, invalid: 0, rejected: 0, foreign: 0 }
  let eventType: number | null = null
  let unprotector: Unprotector | null = null
  let listening = true
  let current: Reception | null = null
  let candidate: { packet: RtpPacket; nowMs: number } | null = null

  function use(packet: RtpPacket, nowMs: number): void {
    const law = laws[packet.payloadType]
    counted.packets += 1
    counted.octets += packet.payloadLength
    if (packet.payloadType === eventType) {
      const key = digits.read(payloadOf(packet), packet.timestamp)
      if (key !== null) onDigit(key)
    } else if (law) {
      current?.arrived(packet.timestamp, nowMs * 8)
      const { data, headerLength, payloadLength } = packet
      if (payloadLength > longestPayload) return
      const heard = payloadLength === frameSamples ? oneFrame : samples.subarray(0, payloadLength)
      decode(law, data, heard, headerLength)
      jitter.put(packet.timestamp, heard, nowMs)
    } else jitter.putSilence(packet.timestamp, nowMs)
  }

  function changeTo(first: RtpPacket): Reception {
    jitter.reset()
    digits.reset()
    candidate = null
    const reception = createReception(first.ssrc, first.sequence)
    reception.accept(first.sequence)
    return reception
  }

  /** A second source takes over with two packets in a row: one alone may be a stray (RFC 3550 A.1). */
  function changeSource(packet: RtpPacket, nowMs: number): void {
    const first = candidate
    if (first?.packet.ssrc !== packet.ssrc || ((first.packet.sequence + 1) & 0xffff) !== packet.sequence) {
      candidate = { packet, nowMs }
      return
    }
    current = changeTo(first.packet)
    use(first.packet, first.nowMs)
    if (current.accept(packet.sequence)) use(packet, nowMs)
  }

  function follow(packet: RtpPacket, nowMs: number): void {
    if (current && packet.ssrc !== current.ssrc) {
      changeSource(packet, nowMs)
      return
    }
    candidate = null
    if (current === null) current = changeTo(packet)
    else if (!current.accept(packet.sequence)) return
    use(packet, nowMs)
  }

  return {
    receive(data, from, nowMs) {
      if (!listening) return
      const clear = unprotector ? unprotector.rtp(data) : data
      if (clear === null) {
        counted.rejected += 1
        return
      }
      const packet = parseRtp(clear)
      const type = packet?.payloadType
      if (!packet || !(type === 0 || type === 8 || type === comfortNoise || type === eventType)) {
        counted.invalid += 1
        return
      }
      const { ssrc, sequence } = packet
      if (!latch.judge({ from, ssrc, sequence, authentic: unprotector !== null, nowMs })) {
        counted.foreign += 1
        return
      }
      follow(packet, nowMs)
    },
    take(frame, nowMs) {
      if (listening) jitter.take(frame, nowMs)
      else frame.fill(0)
    },
    expectEvents(payloadType) {
      eventType = payloadType
    },
    useUnprotector(next) {
      unprotector = next
    },
    listen(on) {
      if (on !== listening) jitter.reset()
      listening = on
    },
    reception: () => current,
    figures: () => ({ ...counted, ...jitter.figures() }),
  } satisfies Inbound
}
