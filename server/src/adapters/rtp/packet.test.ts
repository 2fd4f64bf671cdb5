import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildRtp, looksLikeRtcp, parseRtp, payloadOf, rtpHeaderLength } from './packet.ts'

const header = { payloadType: 8, marker: true, sequence: 65_535, timestamp: 0xffff_ff00, ssrc: 0xdead_beef }
const packetWith = (payload: number[]): Buffer => {
  const data = buildRtp(header, payload.length)
  data.set(payload, rtpHeaderLength)
  return data
}

describe('RTP packets', () => {
  it('what was built is read', () => {
    const packet = parseRtp(packetWith([1, 2, 3]))
    expect(packet).toMatchObject({ ...header, headerLength: 12 })
    expect(packet && [...payloadOf(packet)]).toEqual([1, 2, 3])
  })

  it('contributing sources, an extension and padding are left out of the payload', () => {
    const plain = packetWith([])
    plain[0] = 0x80 | 0x20 | 0x10 | 2
    const data = Buffer.concat([
      plain,
      Buffer.alloc(8, 7),
      Buffer.from([0xbe, 0xde, 0, 1, 9, 9, 9, 9]),
      Buffer.from([1, 2, 3]),
      Buffer.from([0, 0, 3]),
    ])
    const packet = parseRtp(data)
    expect(packet?.headerLength).toBe(28)
    expect(packet && [...payloadOf(packet)]).toEqual([1, 2, 3])
  })

  it('a payload may be empty', () => {
    expect(parseRtp(packetWith([]))?.payloadLength).toBe(0)
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['half a header', packetWith([]).subarray(0, 11)],
    ['another version', Buffer.concat([Buffer.from([0x40]), packetWith([1]).subarray(1)])],
    ['more contributing sources than bytes', Buffer.concat([Buffer.from([0x8f]), packetWith([1]).subarray(1)])],
    ['an extension without a length', Buffer.concat([Buffer.from([0x90]), packetWith([1]).subarray(1)])],
    [
      'an extension longer than the packet',
      Buffer.concat([Buffer.from([0x90]), packetWith([0, 0, 255, 255]).subarray(1)]),
    ],
    ['padding longer than the payload', Buffer.concat([Buffer.from([0xa0]), packetWith([1, 9]).subarray(1)])],
    ['padding of zero bytes', Buffer.concat([Buffer.from([0xa0]), packetWith([1, 0]).subarray(1)])],
  ])('%s is no packet', (_name, data) => {
    expect(parseRtp(data)).toBeNull()
  })

  it('whatever arrives is read or refused, and the payload never leaves the datagram', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, asRtp) => {
        const data = Buffer.from(bytes)
        if (asRtp && data.length > 0) data[0] = ((data[0] ?? 0) & 0x3f) | 0x80
        const packet = parseRtp(data)
        if (packet) expect(packet.headerLength + packet.payloadLength).toBeLessThanOrEqual(data.length)
      }),
      { numRuns: 2_000 },
    )
  })

  it('RTCP on the same port is told apart', () => {
    expect(looksLikeRtcp(Buffer.from([0x80, 200]))).toBe(true)
    expect(looksLikeRtcp(packetWith([]))).toBe(false)
    expect(looksLikeRtcp(Buffer.alloc(0))).toBe(false)
  })
})
