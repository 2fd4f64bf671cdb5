import type net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RawServer, startBareServer } from '../../test/raw-server.ts'
import { addressPolicy, createSafeConnector, RefusedAddress } from './safe-connector.ts'
import type { Resolve } from './safe-url.ts'

const policy = addressPolicy({ allowPrivate: false, ownHosts: ['198.41.0.4', 'api.parley.example'] })
const fromZone =
  (zone: Record<string, string[]>): Resolve =>
  async (name) =>
    zone[name] ?? []
const never: Resolve = () => {
  throw new Error('nobody may be asked')
}

// Everything here must be refused before a socket is made; if it were not, this is where it would arrive.
let listener: RawServer
const sockets: net.Socket[] = []
beforeAll(async () => {
  listener = await startBareServer((socket) => void sockets.push(socket))
})
afterAll(() => expect(sockets).toEqual([]))

/** How an attempt to connect ends. The host is taken from the URL, as undici does. */
const connectTo = (host: string, resolve: Resolve = never, refusalOf = policy) => {
  const { hostname, host: authority, protocol, port } = new URL(`https://${host}:${listener.port}/`)
  const connect = createSafeConnector({ refusalOf, resolve, timeoutMs: 1_000 })
  return new Promise<unknown>((done) =>
    connect({ hostname, host: authority, protocol, port }, (error, socket) => done(error ?? socket)),
  )
}

const literals: [reason: string, host: string][] = [
  ['loopback', '127.0.0.1'],
  ['loopback', '127.1'],
  ['loopback', '2130706433'],
  ['loopback', '0x7f000001'],
  ['loopback', '0x7f.1'],
  ['loopback', '017700000001'],
  ['loopback', '0177.0.0.1'],
  ['loopback', '①②⑦.0.0.1'],
  ['loopback', '１２７．０．０．１'],
  ['unspecified', '0'],
  ['unspecified', '0.0.0.0'],
  ['private', '10.0.0.1'],
  ['private', '0xa.1'],
  ['link-local', '169.254.169.254'],
  ['link-local', '2852039166'],
  ['cgnat', '100.64.0.1'],
  ['cloud-metadata', '168.63.129.16'],
  ['loopback', '[::1]'],
  ['loopback', '[0:0:0:0:0:0:0:1]'],
  ['unspecified', '[::]'],
  ['loopback', '[::ffff:127.0.0.1]'],
  ['loopback', '[::ffff:7f00:1]'],
  ['v4-compatible', '[::127.0.0.1]'],
  ['loopback', '[64:ff9b::127.0.0.1]'],
  ['link-local', '[64:ff9b::a9fe:a9fe]'],
  ['nat64', '[64:ff9b:1::7f00:1]'],
  ['6to4', '[2002:7f00:1::]'],
  ['teredo', '[2001::1]'],
  ['unique-local', '[fd00:ec2::254]'],
  ['link-local', '[fe80::1]'],
  ['own-address', '198.41.0.4'],
  ['own-address', '0xc6290004'],
  ['own-address', '[::ffff:198.41.0.4]'],
  ['own-address', '[64:ff9b::198.41.0.4]'],
]

describe('the guard in the connector', () => {
  it.each(literals)('refuses a literal, without asking a resolver: %s %s', async (reason, host) => {
    const error = await connectTo(host)
    expect(error).toBeInstanceOf(RefusedAddress)
    expect(error).toMatchObject({ code: 'PARLEY_REFUSED_ADDRESS', message: expect.stringContaining(`(${reason})`) })
  })

  it.each([
    ['one loopback answer', ['127.0.0.1']],
    ['one private answer after public ones', ['93.184.216.34', '2606:2800:220:1::1', '10.0.0.1']],
    ['one private answer before public ones', ['fd00::1', '93.184.216.34']],
    ['an answer that hides a private one in NAT64', ['64:ff9b::a00:1']],
    ['the metadata address', ['169.254.169.254']],
    ['our own address', ['198.41.0.4']],
    ['an address with a zone', ['fe80::1%lo']],
    ['an answer that is no address', ['93.184.216.34', 'localhost']],
    ['an answer that only inet_aton would read', ['0x7f000001']],
    ['the thousandth of a thousand answers', [...Array(999).fill('93.184.216.34'), '127.0.0.1']],
  ])('refuses a name with %s', async (_what, answers) => {
    expect(await connectTo('receiver.example', fromZone({ 'receiver.example': answers }))).toBeInstanceOf(
      RefusedAddress,
    )
  })

  it('asks the resolver even for names that look local, and judges what it says', async () => {
    const zone = { localhost: ['127.0.0.1'], 'localhost.': ['::1'], '127.0.0.1.nip.io': ['127.0.0.1'] }
    for (const name of Object.keys(zone)) expect(await connectTo(name, fromZone(zone))).toBeInstanceOf(RefusedAddress)
  })

  it('says ENOTFOUND when there is no answer at all', async () => {
    expect(await connectTo('receiver.example', fromZone({}))).toMatchObject({ code: 'ENOTFOUND' })
  })

  it("passes the resolver's own error on", async () => {
    const failed = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
    expect(await connectTo('receiver.example', () => Promise.reject(failed))).toBe(failed)
    expect(await connectTo('receiver.example', () => Promise.reject('words'))).toMatchObject({ message: 'words' })
  })

  it('gives up on a resolver that never answers', async () => {
    expect(await connectTo('receiver.example', () => new Promise(() => {}))).toMatchObject({
      code: 'UND_ERR_CONNECT_TIMEOUT',
    })
  })

  it('connects nowhere when the answer comes after it gave up', async () => {
    let answer: (addresses: string[]) => void = () => {}
    const late: Resolve = () => new Promise((resolve) => (answer = resolve))
    expect(await connectTo('receiver.example', late, () => null)).toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT' })
    answer(['127.0.0.1'])
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(sockets).toEqual([])
  })
})
