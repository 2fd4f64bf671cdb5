import { BlockList, isIP, isIPv4 } from 'node:net'

// The IANA special-purpose registries, whole. Node's own parser and matcher, so that the guard and the socket read an address alike.
const refusedV4: Record<string, readonly string[]> = {
  unspecified: ['0.0.0.0/8'],
  loopback: ['127.0.0.0/8'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  'link-local': ['169.254.0.0/16'],
  cgnat: ['100.64.0.0/10'],
  benchmarking: ['198.18.0.0/15'],
  documentation: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
  multicast: ['224.0.0.0/4'],
  broadcast: ['255.255.255.255/32'],
  // Protocol assignments, the 6to4 relay, AS112, AMT, class E.
  reserved: ['192.0.0.0/24', '192.88.99.0/24', '192.31.196.0/24', '192.175.48.0/24', '192.52.193.0/24', '240.0.0.0/4'],
  // Azure's host agent: outside every special range, yet answered by the machine itself.
  'cloud-metadata': ['168.63.129.16/32'],
}

// v4-compatible, 6to4, Teredo and local NAT64 are refused whatever v4 address they hide: nobody receives webhooks there,
// and so neither the embedded server nor the obfuscated client of Teredo needs decoding.
const refusedV6: Record<string, readonly string[]> = {
  unspecified: ['::/128'],
  loopback: ['::1/128'],
  'v4-compatible': ['::/96'],
  nat64: ['64:ff9b:1::/48'],
  '6to4': ['2002::/16'],
  teredo: ['2001::/32'],
  'unique-local': ['fc00::/7'],
  'link-local': ['fe80::/10'],
  'site-local': ['fec0::/10'],
  multicast: ['ff00::/8'],
  benchmarking: ['2001:2::/48'],
  documentation: ['2001:db8::/32', '3fff::/20'],
  // Protocol assignments, AS112.
  reserved: ['2001::/23', '2620:4f:8000::/48'],
}

// Mapped and NAT64 addresses are judged by the v4 address inside. The public ones pass: behind DNS64 every v4 host has one.
const v4Prefixes = ['::ffff:', '64:ff9b::']
const disguisedV4 = Object.entries(refusedV4).map(([reason, cidrs]) => {
  const disguises = cidrs.flatMap((cidr) => {
    const [network = '', bits] = cidr.split('/')
    return v4Prefixes.map((prefix) => `${prefix}${network}/${96 + Number(bits)}`)
  })
  return [reason, disguises] as const
})

const v4Rules = Object.entries(refusedV4).map(([reason, cidrs]) => ({ reason, list: listOf(cidrs) }))
const v6Rules = [...Object.entries(refusedV6), ...disguisedV4].map(([reason, cidrs]) => ({
  reason,
  list: listOf(cidrs),
}))
// A name may have thousands of answers: one look in one list tells the usual case.
const anyRefused = {
  ipv4: listOf(Object.values(refusedV4).flat()),
  ipv6: listOf([...Object.values(refusedV6), ...disguisedV4.map(([, cidrs]) => cidrs)].flat()),
}
// Only 2000::/3 has ever been given out; what lies outside is refused without needing a name.
const givenOutV6 = listOf(['2000::/3', ...v4Prefixes.map((prefix) => `${prefix}0.0.0.0/96`)])

/** The reason an address must not be reached, or null when it is a public unicast address. */
export function refusalOfAddress(address: string): string | null {
  const family = familyOf(address)
  if (family === null) return 'not-an-address'
  // A zone (fe80::1%eth0) names an interface of this machine.
  if (address.includes('%')) return 'link-local'
  if (anyRefused[family].check(address, family)) {
    const rules = family === 'ipv4' ? v4Rules : v6Rules
    return rules.find(({ list }) => list.check(address, family))?.reason ?? 'reserved'
  }
  return family === 'ipv4' || givenOutV6.check(address, family) ? null : 'reserved'
}

/** Whether an address, however it is spelt, is one of these hosts. Names among them are passed over. */
export function oneOf(hosts: readonly string[]): (address: string) => boolean {
  const spellings = hosts.flatMap((host) =>
    isIPv4(host) ? [host, ...v4Prefixes.map((prefix) => prefix + host)] : host,
  )
  const list = new BlockList()
  for (const spelling of spellings) {
    const own = familyOf(spelling)
    if (own) list.addAddress(spelling, own)
  }
  return (address) => {
    const family = familyOf(address)
    return family !== null && list.check(address, family)
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : null
}

function listOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [network = '', bits] = cidr.split('/')
    list.addSubnet(network, Number(bits), familyOf(network) ?? 'ipv4')
  }
  return list
}
