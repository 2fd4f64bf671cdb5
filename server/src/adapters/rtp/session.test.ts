import { randomBytes } from 'node:crypto'
import type { RemoteInfo } from 'node:dgram'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OpenParameters } from './media-parameters.ts'
import { buildRtp, parseRtp, rtpHeaderLength } from './packet.ts'
import { createSession } from './session.ts'
import { createProtector, createUnprotector } from './srtp.ts'

const peer: RemoteInfo = { address: '192.0.2.1', port: 4_000, family: 'IPv4', size: 0 }
const plain: OpenParameters = {
  remote: { address: peer.address, port: peer.port },
  codec: 'PCMU',
  telephoneEvent: { send: 101, receive: 101 },
}

function start(parameters: OpenParameters = plain) {
  const sent: Buffer[] = []
  const digits: string[] = []
  const ties: (number | null)[] = []
  const session = createSession(parameters, new Int32Array(new SharedArrayBuffer(8)), {
    sendRtp: (data) => void sent.push(Buffer.from(data)),
    sendRtcp: () => {},
    tie: (to) => void ties.push(to?.port ?? null),
    onDigit: (key) => void digits.push(key),
    epochMsOf: (nowMs) => nowMs,
    nowMs: () => 0,
  })
  const [heard, played] = [new Int16Array(160), new Int16Array(160)]
  const tick = (nowMs: number) => {
    session.tick(nowMs, heard, played)
    return Math.max(...heard)
  }
  return { session, sent, digits, ties, tick }
}
const sound = (ssrc: number, sequence: number, code: number, payloadType = 0) => {
  const packet = buildRtp({ payloadType, marker: false, sequence, timestamp: 160 * sequence, ssrc }, 160)
  packet.fill(code, rtpHeaderLength)
  return packet
}
const [loud, louder] = [0xa0, 0x90]

describe('a session', () => {
  const protectedTerms = (): OpenParameters => ({
    ...plain,
    crypto: { suite: 'AES_CM_128_HMAC_SHA1_80', send: randomBytes(30), receive: randomBytes(30) },
  })

  it('is tied to the other side while it talks, and to nobody before and after', () => {
    const { session, ties, tick } = start()
    tick(0)
    session.receive(sound(1, 1, loud), peer, 10)
    tick(20)
    tick(100)
    tick(120)
    expect(ties).toEqual([null, peer.port, peer.port, null])
  })

  it.each([
    ['when it talks from elsewhere', plain, { ...peer, port: 4_002 }],
    ['under SRTP, where the key is the proof', protectedTerms(), peer],
  ] as const)('is never tied %s', (_name, parameters, from) => {
    const { session, ties, tick } = start(parameters)
    const packet = sound(1, 1, loud)
    const { crypto } = parameters
    session.receive(crypto ? createProtector(crypto.suite, crypto.receive).rtp(packet) : packet, from, 10)
    tick(20)
    expect(session.stats(20).received.packets).toBe(1)
    expect(ties).toEqual([null])
  })

  it.each([
    ['plain', plain],
    ['protected', protectedTerms()],
  ] as const)('lives through any datagram on either port (%s)', (_name, parameters) => {
    const second = fc.constantFrom(0, 8, 13, 101, 128, 200, 201, 203, 77)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_500 }), second, fc.boolean(), (bytes, type, asMedia) => {
        const { session, tick } = start(parameters)
        const data = Buffer.from(bytes)
        if (asMedia && data.length > 1) data.set([((data[0] ?? 0) & 0x3f) | 0x80, type])
        session.receive(Buffer.from(data), peer, 0)
        session.receive(Buffer.from(data), peer, 1)
        session.receiveRtcp(Buffer.from(data), peer)
        for (const nowMs of [20, 40, 60, 80]) tick(nowMs)
        session.goodbye(100)
        expect(session.stats(100).sent.packets).toBe(4)
      }),
      { numRuns: 500 },
    )
  })

  it('a stray packet of another source is left out; two in a row take over', () => {
    const { session, tick } = start()
    const levels: number[] = []
    for (let index = 0; index < 40; index += 1) {
      session.receive(sound(1, index, loud), peer, 20 * index)
      if (index === 20) session.receive(sound(2, 900, louder), peer, 20 * index)
      levels.push(tick(20 * index + 5))
    }
    const before = Math.max(...levels)
    expect(levels.slice(5).every((level) => level === before)).toBe(true)
    for (let index = 40; index < 60; index += 1) {
      session.receive(sound(3, index + 7_000, louder), peer, 20 * index)
      levels.push(tick(20 * index + 5))
    }
    expect(levels.at(-1)).toBeGreaterThan(before)
  })

  it('what the other side sends under the other law is understood', () => {
    const { session, tick } = start()
    let level = 0
    for (let index = 0; index < 10; index += 1) {
      session.receive(sound(1, index, 0xaa, 8), peer, 20 * index)
      level = tick(20 * index + 5)
    }
    expect(level).toBe(32_256)
  })

  it('before the other side is known nothing is sent or taken', () => {
    const { session, sent, tick } = start({ ...plain, remote: null })
    session.receive(sound(1, 1, loud), peer, 0)
    tick(20)
    expect(sent).toHaveLength(0)
    expect(session.stats(20).received.packets).toBe(0)
  })

  it('an unchanged key keeps its counters over an update: nothing is taken twice, and what we send stays readable', () => {
    const terms = protectedTerms()
    const keys = terms.crypto ?? { send: randomBytes(30), receive: randomBytes(30) }
    const { session, sent, tick } = start(terms)
    const theirs = createProtector('AES_CM_128_HMAC_SHA1_80', keys.receive)
    const reader = createUnprotector('AES_CM_128_HMAC_SHA1_80', keys.send)
    const packet = theirs.rtp(sound(1, 1, loud))
    session.receive(Buffer.from(packet), peer, 0)
    tick(20)
    session.update({ ...terms, direction: 'sendrecv' })
    session.receive(Buffer.from(packet), peer, 30)
    tick(40)
    expect(session.stats(40).received).toMatchObject({ packets: 1, rejected: 1 })
    expect(sent.every((each) => parseRtp(reader.rtp(each) ?? Buffer.alloc(0)) !== null)).toBe(true)
  })

  it('a new key is used from the update on, and the old one is worth nothing', () => {
    const [old, fresh] = [protectedTerms(), protectedTerms()]
    const { session } = start(old)
    session.update(fresh)
    const keyOf = (terms: OpenParameters) => terms.crypto?.receive ?? randomBytes(30)
    session.receive(createProtector('AES_CM_128_HMAC_SHA1_80', keyOf(old)).rtp(sound(1, 1, loud)), peer, 0)
    session.receive(createProtector('AES_CM_128_HMAC_SHA1_80', keyOf(fresh)).rtp(sound(1, 2, loud)), peer, 0)
    expect(session.stats(0).received).toMatchObject({ packets: 1, rejected: 1 })
  })
})
