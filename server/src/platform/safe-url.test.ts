import { describe, expect, it, vi } from 'vitest'
import { type Resolve, refusalOfWebhookUrl, resolveAll } from './safe-url.ts'

const zone: Record<string, string[]> = {
  'example.com': ['93.184.216.34', '2606:2800:220:1::1'],
  'xn--pple-43d.com': ['93.184.216.34'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
  '7f000001.nip.io': ['127.0.0.1'],
  'mixed.example.com': ['93.184.216.34', 'fd00::1'],
  'mixed-the-other-way.example.com': ['10.0.0.1', '2606:2800:220:1::1'],
  'cname-to-internal.example.com': ['172.16.0.9'],
  'metadata.example.com': ['169.254.169.254'],
  'many.example.com': [...Array.from({ length: 999 }, () => '93.184.216.34'), '127.0.0.1'],
  'loop.example.com': ['198.41.0.4'],
  'loop6.example.com': ['64:ff9b::c629:4'],
  'odd.example.com': ['not an address'],
}
const resolve: Resolve = async (hostname) => {
  const answers = zone[hostname.replace(/\.$/, '')]
  if (!answers) throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  return answers
}
const ownHosts = ['API.parley.example', '198.41.0.4', '[2a00::1]']

const codeOf = async (url: string, options: { allowPrivate?: boolean; resolve?: Resolve } = {}) =>
  (await refusalOfWebhookUrl(url, { allowPrivate: false, ownHosts, resolve, ...options }))?.code ?? null

const malformed: [code: string, url: string][] = [
  ['not_https', 'http://example.com/'],
  ['not_https', 'ftp://example.com/'],
  ['not_https', 'file:///etc/passwd'],
  ['not_https', 'gopher://example.com/'],
  ['not_https', 'javascript:alert(1)'],
  ['not_https', 'wss://example.com/'],
  ['not_https', 'httpsx://example.com/'],
  ['credentials_in_url', 'https://user:pass@example.com/'],
  ['credentials_in_url', 'https://user@example.com/'],
  ['credentials_in_url', 'https://:pass@example.com/'],
  ['credentials_in_url', 'https://@example.com/'],
  ['credentials_in_url', 'https://:@example.com/'],
  ['credentials_in_url', 'https://example.com@127.0.0.1/'],
  ['fragment_in_url', 'https://example.com/#part'],
  ['fragment_in_url', 'https://example.com/#'],
  ['fragment_in_url', 'https://example.com#@127.0.0.1/'],
  ['invalid_characters', ' https://example.com/'],
  ['invalid_characters', 'https://example.com/ '],
  ['invalid_characters', 'https://example.com/a b'],
  ['invalid_characters', 'https://exam\tple.com/'],
  ['invalid_characters', 'https://example.com/\r\nHost: evil'],
  ['invalid_characters', 'https://example.com/\u0000'],
  ['invalid_characters', 'https://example.com/\u0085'],
  ['invalid_characters', 'https://example.com/\u00a0'],
  ['invalid_characters', 'https://example.com\\@evil.example/'],
  ['url_too_long', `https://example.com/${'a'.repeat(2029)}`],
  ['malformed_url', ''],
  ['malformed_url', 'example.com'],
  ['malformed_url', '//example.com/'],
  ['malformed_url', 'https://'],
  ['malformed_url', 'https:example.com'],
  ['malformed_url', 'https:///example.com'],
  ['malformed_url', 'https://example.com:65536/'],
  ['malformed_url', 'https://256.256.256.256/'],
  ['malformed_url', 'https://[fe80::1%eth0]/'],
  ['malformed_url', 'https://[fe80::1%25eth0]/'],
  ['malformed_url', 'https://a..example.com/'],
  ['malformed_url', 'https://x.localhost../'],
  ['malformed_url', 'https://*.example.com/'],
  ['malformed_url', `https://${'a'.repeat(64)}.example.com/`],
  ['malformed_url', `https://${'a.'.repeat(127)}com/`],
]

const guarded: [code: string, url: string][] = [
  ['port_not_allowed', 'https://example.com:22/'],
  ['port_not_allowed', 'https://example.com:25/'],
  ['port_not_allowed', 'https://example.com:80/'],
  ['port_not_allowed', 'https://example.com:0/'],
  ['port_not_allowed', 'https://example.com:1024/'],
  ['private_name', 'https://localhost/'],
  ['private_name', 'https://LOCALHOST/'],
  ['private_name', 'https://localhost./'],
  ['private_name', 'https://localhost:8443/'],
  ['private_name', 'https://%6c%6fcalhost/'],
  ['private_name', 'https://loc\u00adalhost/'],
  ['private_name', 'https://ⓛocalhost/'],
  ['private_name', 'https://api.localhost/'],
  ['private_name', 'https://printer.local/'],
  ['private_name', 'https://db.svc.cluster.local./'],
  ['private_name', 'https://metadata.google.internal/'],
  ['private_name', 'https://nas.home.arpa/'],
  ['private_name', 'https://postgres:5432/'],
  ...[
    '0',
    '0.0.0.0',
    '127.0.0.1',
    '127.0.0.1.',
    '127.0.0.1:6379',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.01',
    '１２７.０.０.１',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[2001:0:5db8:d822::80ff:fffe]',
    '[fe80::1]',
    '[fc00::]',
    '[fec0::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '10.0.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.2.1',
    '198.18.0.1',
    '198.19.255.255',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '127.0.0.1.nip.io',
    '7f000001.nip.io',
    'mixed.example.com',
    'mixed-the-other-way.example.com',
    'cname-to-internal.example.com',
    'metadata.example.com',
    'metadata.example.com.',
    'many.example.com',
    'odd.example.com',
  ].map((host): [string, string] => ['private_address', `https://${host}/hook`]),
  ['own_address', 'https://api.parley.example/api/hook'],
  ['own_address', 'https://api.parley.example.:8443/'],
  ['own_address', 'https://198.41.0.4/'],
  ['own_address', 'https://3324575748/'],
  ['own_address', 'https://[::ffff:198.41.0.4]/'],
  ['own_address', 'https://[2a00:0::1]/'],
  ['own_address', 'https://loop.example.com/'],
  ['own_address', 'https://loop6.example.com/'],
]

const welcome = [
  'https://example.com',
  'HTTPS://EXAMPLE.COM/Hook?a=b@c&d=%20',
  'https://example.com./hook',
  'https://example.com:443/',
  'https://example.com:1025/',
  // Any high port of a public host: what is sent opens with a TLS handshake, which no plain service understands.
  'https://example.com:6379/',
  'https://93.184.216.34/',
  'https://[2606:2800:220:1::1]:8443/',
  `https://example.com/${'a'.repeat(2028)}`,
  // A homograph is its own name: xn--pple-43d.com, judged by where that leads.
  'https://аpple.com/',
]

describe('refusalOfWebhookUrl', () => {
  it.each(malformed)('%s: %j, in development too', async (code, url) => {
    expect(await codeOf(url)).toBe(code)
    expect(await codeOf(url, { allowPrivate: true })).toBe(code)
  })

  it.each(guarded)('%s: %j, unless private addresses are allowed', async (code, url) => {
    expect(await codeOf(url)).toBe(code)
    expect(await codeOf(url, { allowPrivate: true })).toBeNull()
  })

  it.each(welcome)('welcomes %j', async (url) => expect(await codeOf(url)).toBeNull())

  it('lets a name be registered that does not resolve yet, or not in time', async () => {
    expect(await codeOf('https://not-yet.example.com/')).toBeNull()
    expect(await codeOf('https://empty.example.com/', { resolve: async () => [] })).toBeNull()
  })

  it('asks for a name once, as a connection would spell it, and never for an address', async () => {
    const asked = vi.fn(resolve)
    await codeOf('https://EXAMPLE.com./', { resolve: asked })
    await codeOf('https://93.184.216.34/', { resolve: asked })
    await codeOf('https://аpple.com/', { resolve: asked })
    expect(asked.mock.calls).toEqual([['example.com.'], ['xn--pple-43d.com']])
  })

  it('says what kind of address it found, never which', async () => {
    const refusal = await refusalOfWebhookUrl('https://cname-to-internal.example.com/', {
      allowPrivate: false,
      ownHosts,
      resolve,
    })
    expect(refusal?.message).toMatch(/Kind of address: private\.$/)
    expect(refusal?.message).not.toContain('172.16')
  })
})

describe('resolveAll', () => {
  it('gives every answer in the order received', async () => {
    const answers = [
      { address: '2606:2800:220:1::1', family: 6 },
      { address: '93.184.216.34', family: 4 },
    ]
    const lookup = vi.fn(async () => answers)
    expect(await resolveAll('example.com', lookup)).toEqual(['2606:2800:220:1::1', '93.184.216.34'])
    expect(lookup).toHaveBeenLastCalledWith('example.com', { all: true, verbatim: true })
  })

  it('rejects when the name does not resolve', async () => {
    // .invalid never resolves (RFC 6761).
    await expect(resolveAll('nowhere.invalid')).rejects.toThrow('ENOTFOUND')
  })

  it('gives up when the name takes too long', async () => {
    const never = () => new Promise<never>(() => {})
    await expect(resolveAll('slow.example.com', never, 20)).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  })
})
