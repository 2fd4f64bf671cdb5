import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildRtp, rtpHeaderLength } from './packet.ts'
import { buildRtcp } from './rtcp.ts'
import { createProtector, createUnprotector } from './srtp.ts'
import { createKeyStream, deriveKey, packetIv } from './srtp-keys.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')
const suites = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const
const packet = (sequence: number, text = 'what was said', ssrc = 0xcafe_babe): Buffer => {
  const data = buildRtp({ payloadType: 0, marker: false, sequence, timestamp: 160 * sequence, ssrc }, text.length)
  data.write(text, rtpHeaderLength)
  return data
}

describe('the test vectors of RFC 3711', () => {
  it('B.2: the AES-CM key stream', () => {
    const stream = Buffer.alloc(0xff02 * 16)
    const iv = packetIv(hex('F0F1F2F3F4F5F6F7F8F9FAFBFCFD'), 0, 0, Buffer.alloc(16))
    createKeyStream(hex('2B7E151628AED2A6ABF7158809CF4F3C')).apply(stream, iv)
    expect(stream.subarray(0, 48)).toEqual(
      hex('E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB 41E95B3BB0A2E8DD477901E4FCA894C0'),
    )
    expect(stream.subarray(0xfeff * 16)).toEqual(
      hex('EC8CDF7398607CB0F2D21675EA9EA1E4 362B7C3C6773516318A077D7FC5073AE 6A2CC3787889374FBEB4C81B17BA6C44'),
    )
  })

  it('B.3: key derivation', () => {
    const master = hex('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6')
    expect(deriveKey(master, 0, 16)).toEqual(hex('C61E7A93744F39EE10734AFE3FF7A087'))
    expect(deriveKey(master, 2, 14)).toEqual(hex('30CBBC08863D8C85D49DB34A9AE1'))
    expect(deriveKey(master, 1, 94)).toEqual(
      hex(`CEBE321F6FF7716B6FD4AB49AF256A15 6D38BAA48F0A0ACF3C34E2359E6CDBCE E049646C43D9327AD175578EF7227098
        6371C10C9A369AC2F94A8C5FBCDDDC25 6D6E919A48B610EF17C2041E47403576 6B68642C59BBFC2F34DB60DBDFB2`),
    )
  })
})

describe.each(suites)('SRTP with %s', (suite) => {
  const pair = () => {
    const key = randomBytes(30)
    return { protector: createProtector(suite, key), unprotector: createUnprotector(suite, key) }
  }

  it('what was protected is read, and is not readable on the way', () => {
    const { protector, unprotector } = pair()
    const sealed = protector.rtp(packet(7))
    expect(sealed.length).toBe(packet(7).length + (suite.endsWith('32') ? 4 : 10))
    expect(sealed.includes('what was said')).toBe(false)
    expect(unprotector.rtp(sealed)).toEqual(packet(7))
  })

  it('a changed bit anywhere is refused', () => {
    const { protector, unprotector } = pair()
    const sealed = protector.rtp(packet(7))
    for (let bit = 0; bit < 8 * sealed.length; bit += 1) {
      const forged = Buffer.from(sealed)
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(unprotector.rtp(forged)).toBeNull()
    }
    expect(unprotector.rtp(sealed)).not.toBeNull()
  })

  it('a packet of another key, an unprotected one and any other bytes are refused', () => {
    const { unprotector } = pair()
    expect(unprotector.rtp(pair().protector.rtp(packet(1)))).toBeNull()
    expect(unprotector.rtp(packet(1))).toBeNull()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(unprotector.rtp(Buffer.from(bytes))).toBeNull()
        expect(unprotector.rtcp(Buffer.from(bytes))).toBeNull()
      }),
    )
  })

  it('a packet is taken once, also when others came between', () => {
    const { protector, unprotector } = pair()
    const sealed = Array.from({ length: 300 }, (_, index) => protector.rtp(packet(index)))
    const copy = (index: number) => Buffer.from(sealed[index] ?? '')
    expect(unprotector.rtp(copy(0))).not.toBeNull()
    expect(unprotector.rtp(copy(0))).toBeNull()
    expect(unprotector.rtp(copy(100))).not.toBeNull()
    expect(unprotector.rtp(copy(50))).not.toBeNull()
    expect(unprotector.rtp(copy(50))).toBeNull()
    expect(unprotector.rtp(copy(299))).not.toBeNull()
    // Too old to know: refused.
    expect(unprotector.rtp(copy(101))).toBeNull()
  })

  it('the sequence goes round many times, with losses and out of order', () => {
    const { protector, unprotector } = pair()
    let refused = 0
    for (let index = 0; index < 200_000; index += 200) {
      const late = protector.rtp(packet((index + 65_400) & 0xffff))
      const soon = protector.rtp(packet((index + 65_401) & 0xffff))
      for (const sealed of [soon, late]) if (unprotector.rtp(sealed) === null) refused += 1
    }
    expect(refused).toBe(0)
  })

  it('every source has its own count', () => {
    const { protector, unprotector } = pair()
    expect(unprotector.rtp(protector.rtp(packet(60_000)))).not.toBeNull()
    const key = randomBytes(30)
    const reader = createUnprotector(suite, key)
    expect(reader.rtp(createProtector(suite, key).rtp(packet(60_000, 'one', 1)))).not.toBeNull()
    expect(reader.rtp(createProtector(suite, key).rtp(packet(5, 'two', 2)))).not.toBeNull()
  })

  it('reports are protected, taken once, and refused when forged', () => {
    const { protector, unprotector } = pair()
    const report = () => buildRtcp({ ssrc: 9, cname: 'somebody', sender: null, block: null })
    const sealed = protector.rtcp(report())
    expect(sealed.includes('somebody')).toBe(false)
    const forged = Buffer.from(sealed)
    forged[10] = (forged[10] ?? 0) ^ 1
    expect(unprotector.rtcp(forged)).toBeNull()
    expect(unprotector.rtcp(Buffer.from(sealed))).toEqual(report())
    expect(unprotector.rtcp(Buffer.from(sealed))).toBeNull()
  })
})
