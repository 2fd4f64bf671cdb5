import { describe, expect, it } from 'vitest'
import { findTargets, NameNotFound, type SipResolver } from './targets.ts'

const addresses: Record<string, string[]> = {
  'a.test': ['192.0.2.1', '192.0.2.2'],
  'b.test': ['192.0.2.3'],
  'carrier.test': ['192.0.2.9'],
}
const resolver = (srv: Record<string, [string, number, number, number][]> = {}): SipResolver => ({
  srv: async (name) =>
    (srv[name] ?? []).map(([host, port, priority, weight]) => ({ name: host, port, priority, weight })),
  addresses: async (name) => addresses[name] ?? Promise.reject(new Error('unknown')),
})
const find = async (wanted: Partial<Parameters<typeof findTargets>[1]>, by = resolver(), random = () => 0.99) =>
  (await findTargets(by, { host: 'carrier.test', port: null, transport: 'udp', ...wanted }, random)).map(
    ({ address, port, serverName }) => `${address}:${port}${serverName ? `/${serverName}` : ''}`,
  )

describe('where a carrier is', () => {
  it('an address needs no looking up; a port asked for skips SRV', async () => {
    expect(await find({ host: '203.0.113.5' })).toEqual(['203.0.113.5:5060'])
    expect(await find({ host: '::1', transport: 'tls' })).toEqual(['::1:5061/::1'])
    const srv = resolver({ '_sip._udp.carrier.test': [['a.test', 5080, 1, 1]] })
    expect(await find({ port: 5070 }, srv)).toEqual(['192.0.2.9:5070'])
  })

  it('SRV: by priority, then by weight, every address of every name', async () => {
    const srv = resolver({
      '_sip._tcp.carrier.test': [
        ['b.test', 5090, 20, 1],
        ['a.test', 5080, 10, 1],
      ],
    })
    expect(await find({ transport: 'tcp' }, srv)).toEqual(['192.0.2.1:5080', '192.0.2.2:5080', '192.0.2.3:5090'])
    const weighted = resolver({
      '_sip._udp.carrier.test': [
        ['a.test', 1, 10, 1],
        ['b.test', 2, 10, 99],
      ],
    })
    expect((await find({}, weighted))[0]).toBe('192.0.2.3:2')
    expect((await find({}, weighted, () => 0))[0]).toBe('192.0.2.1:1')
  })

  it('without SRV, or when nobody can say, the name itself; the certificate is always for the name asked', async () => {
    expect(await find({ transport: 'tls' })).toEqual(['192.0.2.9:5061/carrier.test'])
    const broken = { ...resolver(), srv: () => Promise.reject(new Error('no answer')) }
    expect(await find({}, broken)).toEqual(['192.0.2.9:5060'])
    const srv = resolver({ '_sips._tcp.carrier.test': [['b.test', 5090, 1, 0]] })
    expect(await find({ transport: 'tls' }, srv)).toEqual(['192.0.2.3:5090/carrier.test'])
  })

  it('a name that leads nowhere says so', async () => {
    await expect(find({ host: 'nowhere.test' })).rejects.toBeInstanceOf(NameNotFound)
  })
})
