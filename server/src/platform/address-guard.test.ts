import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oneOf, refusalOfAddress } from './address-guard.ts'

// Numbers, not CIDR matching: an oracle of its own.
const refusedV4: [reason: string, first: string, last: string][] = [
  ['unspecified', '0.0.0.0', '0.255.255.255'],
  ['private', '10.0.0.0', '10.255.255.255'],
  ['cgnat', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.0', '127.255.255.255'],
  ['cloud-metadata', '168.63.129.16', '168.63.129.16'],
  ['link-local', '169.254.0.0', '169.254.255.255'],
  ['private', '172.16.0.0', '172.31.255.255'],
  ['reserved', '192.0.0.0', '192.0.0.255'],
  ['documentation', '192.0.2.0', '192.0.2.255'],
  ['reserved', '192.31.196.0', '192.31.196.255'],
  ['reserved', '192.52.193.0', '192.52.193.255'],
  ['reserved', '192.88.99.0', '192.88.99.255'],
  ['private', '192.168.0.0', '192.168.255.255'],
  ['reserved', '192.175.48.0', '192.175.48.255'],
  ['benchmarking', '198.18.0.0', '198.19.255.255'],
  ['documentation', '198.51.100.0', '198.51.100.255'],
  ['documentation', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.254'],
  ['broadcast', '255.255.255.255', '255.255.255.255'],
]

const numberOf = (address: string) => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
const dotted = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255].join('.')
const groups = (n: number) => `${(n >>> 16).toString(16)}:${(n & 0xffff).toString(16)}`
const isRefusedV4 = (n: number) => refusedV4.some(([, first, last]) => n >= numberOf(first) && n <= numberOf(last))

const publicV4 = numberOf('93.184.216.34')
const judgedByV4: Record<string, (n: number) => string> = {
  plain: dotted,
  mapped: (n) => `::ffff:${groups(n)}`,
  'mapped, dotted': (n) => `::ffff:${dotted(n)}`,
  'mapped, in full': (n) => `0000:0000:0000:0000:0000:FFFF:${groups(n)}`,
  nat64: (n) => `64:ff9b::${groups(n)}`,
  'nat64, dotted': (n) => `64:ff9b::${dotted(n)}`,
}
const alwaysRefused: Record<string, (n: number) => string> = {
  'v4-compatible': (n) => `::${groups(n)}`,
  'v4-compatible, dotted': (n) => `::${dotted(n)}`,
  translated: (n) => `::ffff:0:${groups(n)}`,
  'local nat64': (n) => `64:ff9b:1::${groups(n)}`,
  '6to4': (n) => `2002:${groups(n)}::1`,
  'teredo server': (n) => `2001:0:${groups(n)}:0:0:${groups(~publicV4)}`,
  'teredo client': (n) => `2001:0:${groups(publicV4)}:0:0:${groups(~n)}`,
}

describe('refusalOfAddress', () => {
  it.each(refusedV4)('%s: %s to %s, plain and in every v6 disguise', (reason, first, last) => {
    const inside = fc.integer({ min: numberOf(first), max: numberOf(last) })
    const judge = (n: number) => {
      for (const spell of Object.values(judgedByV4))
        expect([spell(n), refusalOfAddress(spell(n))]).toEqual([spell(n), reason])
      for (const spell of Object.values(alwaysRefused)) expect(refusalOfAddress(spell(n)), spell(n)).not.toBeNull()
    }
    fc.assert(fc.property(inside, judge), { examples: [[numberOf(first)], [numberOf(last)]] })
  })

  it('passes every other v4 address, mapped or behind NAT64 too, up to the borders of each range', () => {
    const borders = refusedV4.flatMap(([, first, last]) => [numberOf(first) - 1, numberOf(last) + 1])
    const outside = (n: number) => n >= 0 && n < 2 ** 32 && !isRefusedV4(n)
    const judge = (n: number) => {
      for (const spell of Object.values(judgedByV4)) expect(refusalOfAddress(spell(n)), spell(n)).toBeNull()
      for (const spell of Object.values(alwaysRefused)) expect(refusalOfAddress(spell(n)), spell(n)).not.toBeNull()
    }
    borders.filter(outside).forEach(judge)
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }).filter(outside), judge), { numRuns: 300 })
  })

  it.each([
    ['unspecified', '::'],
    ['unspecified', '0:0:0:0:0:0:0:0'],
    ['loopback', '::1'],
    ['unique-local', 'fc00::'],
    ['unique-local', 'fd00:ec2::254'],
    ['unique-local', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['link-local', 'fe80::1'],
    ['link-local', 'FE80::1'],
    ['link-local', 'fe80::1%eth0'],
    ['link-local', 'febf::1'],
    ['link-local', '::1%lo'],
    ['site-local', 'fec0::1'],
    ['site-local', 'feff::1'],
    ['multicast', 'ff02::1'],
    ['benchmarking', '2001:2::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff:fff::1'],
    ['teredo', '2001::1'],
    ['reserved', '2001:1ff::1'],
    ['reserved', '2620:4f:8000::1'],
    ['reserved', '100::1'],
    ['reserved', '64:ff9b:2::1'],
    ['reserved', '64:ff9b::1:0:0'],
    ['reserved', '1fff:ffff::1'],
    ['reserved', '4000::1'],
    ['reserved', '5f00::1'],
    ['reserved', 'fe00::1'],
  ])('%s: %s', (reason, address) => expect(refusalOfAddress(address)).toBe(reason))

  it.each(['2000::1', '2001:200::1', '2001:4860:4860::8888', '2003::1', '2606:4700::1111', '2a00::1', '3ffe::1'])(
    'passes the public %s',
    (address) => expect(refusalOfAddress(address)).toBeNull(),
  )

  it.each([
    '',
    ' ',
    'example.com',
    '127.1',
    '0x7f000001',
    '2130706433',
    '8.8.8.08',
    '8.8.8.8 ',
    '[::1]',
    '8.8.8.8/32',
    ':::',
  ])('refuses %j, which is no address', (text) => expect(refusalOfAddress(text)).toBe('not-an-address'))
})

describe('oneOf', () => {
  const own = ['api.parley.example', '93.184.216.34', '2a00::1']

  it.each([
    '93.184.216.34',
    '::ffff:93.184.216.34',
    '::ffff:5db8:d822',
    '64:ff9b::5db8:d822',
    '2a00::1',
    '2A00:0:0::0:1',
  ])('knows %s', (address) => expect(oneOf(own)(address)).toBe(true))

  it.each(['93.184.216.35', '2a00::2', 'api.parley.example'])('does not know %s', (address) =>
    expect(oneOf(own)(address)).toBe(false),
  )
})
