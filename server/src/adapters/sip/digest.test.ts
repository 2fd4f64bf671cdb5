import { describe, expect, it } from 'vitest'
import { createCredentials } from './credentials.ts'
import { type Challenge, digestResponse, parseChallenge } from './digest.ts'
import { createDigestGuard } from './digest-guard.ts'
import { headerOf, type ReceivedRequest, type ReceivedResponse } from './message.ts'
import { parseMessage } from './parse.ts'
import { createRequest } from './request.ts'
import { serialise } from './serialise.ts'

const request = () =>
  createRequest({
    method: 'INVITE',
    uri: 'sip:b@x.test',
    from: '<sip:a@x.test>;tag=1',
    to: '<sip:b@x.test>',
    callId: 'c',
    cseq: 1,
  })
const challenged = (status: number, ...values: string[]): ReceivedResponse => {
  const name = status === 407 ? 'proxy-authenticate' : 'www-authenticate'
  const headers = [
    ['via', 'SIP/2.0/UDP x.test'] as const,
    ...request().headers,
    ...values.map((value) => [name, value] as const),
  ]
  const bytes = serialise({ kind: 'response', status, reason: 'No', headers, body: Buffer.alloc(0) })
  return parseMessage(bytes) as ReceivedResponse
}

describe('digest', () => {
  const example = {
    method: 'GET',
    uri: '/dir/index.html',
    user: 'Mufasa',
    password: 'Circle of Life',
    nc: '00000001',
    cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  }
  const challenge: Challenge = {
    realm: 'http-auth@example.org',
    nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
    algorithm: 'MD5',
    qop: 'auth',
    opaque: null,
    stale: false,
  }

  it('answers as the examples of RFC 7616', () => {
    expect(digestResponse({ ...example, challenge })).toBe('8ca523f5e9506fed4657c9700eebdbec')
    const sha = { ...challenge, algorithm: 'SHA-256' as const }
    expect(digestResponse({ ...example, challenge: sha })).toBe(
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    )
  })

  it('reads challenges, and leaves alone those it cannot answer', () => {
    expect(parseChallenge('Digest realm="a, b", nonce="n", qop="auth-int, auth", stale=TRUE')).toMatchObject({
      realm: 'a, b',
      qop: 'auth',
      stale: true,
      algorithm: 'MD5',
    })
    for (const other of [
      'Basic realm="x"',
      'Digest realm="x"',
      'Digest nonce="n", algorithm=SHA-512',
      'Digest nonce="n", qop="auth-int"',
    ]) {
      expect(parseChallenge(other), other).toBeNull()
    }
  })

  it('takes the stronger of two, counts its uses, and stops when the password is refused', () => {
    const credentials = createCredentials({ user: 'u', password: 'p' })
    expect(headerOf(credentials.apply(request()), 'authorization')).toBeUndefined()
    const first = challenged(
      401,
      'Digest realm="r", nonce="1", qop="auth"',
      'Digest realm="r", nonce="2", algorithm=SHA-256, qop="auth"',
    )
    expect(credentials.learn(first, request())).toBe(true)
    const asked = credentials.apply(request())
    expect(headerOf(asked, 'authorization')).toMatch(/algorithm=SHA-256.*nc=00000001/)
    expect(headerOf(credentials.apply(request()), 'authorization')).toMatch(/nc=00000002/)
    expect(credentials.learn(first, asked)).toBe(false)
    const stale = challenged(401, 'Digest realm="r", nonce="3", qop="auth", stale=true')
    expect(credentials.learn(stale, asked)).toBe(true)
    expect(createCredentials({}).learn(first, request())).toBe(false)
  })

  it('answers a proxy and a server in one request', () => {
    const credentials = createCredentials({ user: 'u', password: 'p' })
    credentials.learn(challenged(407, 'Digest realm="proxy", nonce="1"'), request())
    credentials.learn(challenged(401, 'Digest realm="server", nonce="2"'), request())
    const asked = credentials.apply(request())
    expect(headerOf(asked, 'proxy-authorization')).toContain('realm="proxy"')
    expect(headerOf(asked, 'authorization')).toContain('realm="server"')
  })
})

describe('two realms that ask in the same way', () => {
  const [first, second] = ['Digest realm="one", nonce="1", qop="auth"', 'Digest realm="two", nonce="2", qop="auth"']
  const realmsOf = (asked: ReturnType<typeof request>) =>
    asked.headers.flatMap(([name, value]) =>
      name === 'proxy-authorization' ? (/realm="(\w+)"/.exec(value)?.[1] ?? []) : [],
    )

  it('are both answered, whoever asked last first', () => {
    const oneByOne = createCredentials({ user: 'u', password: 'p' })
    expect(oneByOne.learn(challenged(407, first), request())).toBe(true)
    expect(oneByOne.learn(challenged(407, second), oneByOne.apply(request()))).toBe(true)
    expect(realmsOf(oneByOne.apply(request()))).toEqual(['two', 'one'])
    const atOnce = createCredentials({ user: 'u', password: 'p' })
    expect(atOnce.learn(challenged(407, first, second), request())).toBe(true)
    expect(realmsOf(atOnce.apply(request()))).toEqual(['two', 'one'])
  })

  it('are given up when one of them refuses the password', () => {
    const credentials = createCredentials({ user: 'u', password: 'p' })
    credentials.learn(challenged(407, first, second), request())
    expect(credentials.learn(challenged(407, second), credentials.apply(request()))).toBe(false)
  })
})

describe('a stranger who proves who they are', () => {
  let nowMs = 1_000_000
  const accounts = [{ user: 'pbx', password: 'right' }]
  const guard = createDigestGuard(() => nowMs)
  const received = (message: ReturnType<typeof request>): ReceivedRequest =>
    parseMessage(
      serialise({ ...message, headers: [['via', 'SIP/2.0/UDP x.test'], ...message.headers] }),
    ) as ReceivedRequest
  const proof = (password: string) => {
    const credentials = createCredentials({ user: 'pbx', password })
    credentials.learn(challenged(401, ...guard.challenges().map(([, value]) => value)), request())
    return received(credentials.apply(request()))
  }

  it('is let in once per proof, and only with the password', () => {
    const right = proof('right')
    expect(guard.check(right, accounts)).toBe(accounts[0])
    expect(guard.check(right, accounts)).toBeNull()
    expect(guard.check(proof('wrong'), accounts)).toBeNull()
    expect(guard.check(received(request()), accounts)).toBeNull()
  })

  it('must not wait too long, nor bring a nonce that is not ours', () => {
    const late = proof('right')
    nowMs += 61_000
    expect(guard.check(late, accounts)).toBeNull()
    const forged = createCredentials({ user: 'pbx', password: 'right' })
    forged.learn(challenged(401, `Digest realm="parley", nonce="${nowMs.toString(36)}.00", qop="auth"`), request())
    expect(guard.check(received(forged.apply(request())), accounts)).toBeNull()
  })
})
