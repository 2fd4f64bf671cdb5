import { randomBytes } from 'node:crypto'
import { frameSamples } from '../../voice/audio.ts'
import { encode, type Law, silentCode } from '../../voice/g711.ts'
import { createDigitWriter } from './digits-out.ts'
import { dtmfTones } from './dtmf-tones.ts'
import { buildRtp, rtpHeaderLength } from './packet.ts'
import { createPlayQueue } from './play-queue.ts'
import type { Protector } from './srtp.ts'

/** From what is to be played, and keys to be pressed, to packets: one per frame, silence too, so that no gateway gives up. */
export type Outbound = {
  readonly ssrc: number
  add(samples: Int16Array): void
  press(digits: string): void
  /** Moves on by one frame. Null when nothing is sent; `played` is filled when something of the queue was played. */
  next(played: Int16Array): { packet: Buffer | null; didPlay: boolean }
  agree(terms: { codec: Law; eventType: number | null; protector: Protector | null; sending: boolean }): void
  figures(): { packets: number; octets: number; timestamp: number }
}

const payloadTypes = { PCMU: 0, PCMA: 8 } as const

export function createOutbound(counters: Int32Array): Outbound {
  const start = randomBytes(10)
  const ssrc = start.readUInt32BE(0)
  let timestamp = start.readUInt32BE(4)
  // In the lower half: SRTP's rollover counter must not be in doubt after the first lost packets (RFC 3711 §3.3.1).
  let sequence = start.readUInt16BE(8) & 0x7fff
  let terms: Parameters<Outbound['agree']>[0] = { codec: 'PCMU', eventType: null, protector: null, sending: false }
  let resuming = true
  let packets = 0
  let octets = 0
  const queue = createPlayQueue(counters)
  const digits = createDigitWriter()
  const tones: Int16Array[] = []
  const tone = new Int16Array(frameSamples)

  function finish(packet: Buffer): Buffer {
    sequence = (sequence + 1) & 0xffff
    packets += 1
    octets += packet.length - rtpHeaderLength
    return terms.protector ? terms.protector.rtp(packet) : packet
  }

  function sound(samples: Int16Array | null): Buffer {
    const { codec } = terms
    const packet = buildRtp(
      { payloadType: payloadTypes[codec], marker: resuming, sequence, timestamp, ssrc },
      frameSamples,
    )
    resuming = false
    if (samples) encode(codec, samples, packet, rtpHeaderLength)
    else packet.fill(silentCode[codec], rtpHeaderLength)
    return finish(packet)
  }

  function event(payloadType: number, step: { payload: Buffer; timestamp: number; marker: boolean }): Buffer {
    const { marker, payload } = step
    const packet = buildRtp({ payloadType, marker, sequence, timestamp: step.timestamp, ssrc }, payload.length)
    packet.set(payload, rtpHeaderLength)
    return finish(packet)
  }

  /** Keys come before sound: what is to be played waits meanwhile. */
  function keyPacket(): Buffer | null {
    const next = tones.shift()
    if (next) {
      tone.set(next)
      return sound(tone)
    }
    const step = digits.next(timestamp)
    if (step === null) return null
    if (step.type === 'pause' || terms.eventType === null) return sound(null)
    resuming = true
    return event(terms.eventType, step)
  }

  return {
    ssrc,
    add: (samples) => queue.add(samples),
    press(pressed) {
      if (terms.eventType !== null) return digits.press(pressed)
      const samples = dtmfTones(pressed)
      for (let at = 0; at < samples.length; at += frameSamples) tones.push(samples.subarray(at, at + frameSamples))
    },
    next(played) {
      const now = { packet: null as Buffer | null, didPlay: false }
      if (terms.sending) {
        now.packet = keyPacket()
        if (now.packet === null) {
          now.didPlay = queue.take(played)
          now.packet = sound(now.didPlay ? played : null)
        }
      } else resuming = true
      timestamp = (timestamp + frameSamples) >>> 0
      return now
    },
    agree(next) {
      terms = next
    },
    figures: () => ({ packets, octets, timestamp }),
  }
}
