import { createServer } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import type { SipCall } from '../../src/adapters/sip/call.ts'
import type { Core } from '../../src/adapters/sip/core.ts'
import { TransportError } from '../../src/adapters/sip/peer.ts'
import { registerOnce } from '../../src/adapters/sip/registration.ts'
import { createTrunkTester } from '../../src/adapters/sip/trunk-test.ts'
import type { Trunk } from '../../src/agents/trunk.ts'
import { trunk as command } from '../../src/cli/trunk.ts'
import { parseConfig } from '../../src/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { createTestApp } from '../app.ts'
import { createTestCa } from '../certificates.ts'
import { createTestDatabase } from '../database.ts'
import { answering, closeAgentsAtEnd, dialOptions, never, noNames, startAgent, trunkTo, until } from './agent.ts'
import { freePort } from './free-port.ts'
import { trunkData } from './lines.ts'

closeAgentsAtEnd()
const log = createLog('silent')
const registering = { user: 'acme', password: 'right', register: true } as const
const test = (port: number, more: Partial<Trunk>, ca?: string, hasCertificate = false) =>
  createTrunkTester({ host: '127.0.0.1', ca, hasCertificate, allowPrivate: true, log, resolve: noNames })(
    trunkData(port, more),
  )

describe('parley trunk test says in plain words why it could not register', () => {
  it('nothing listens there', async () => {
    const port = await freePort()
    const { ok, steps } = await test(port, { ...registering, transport: 'tcp' })
    expect(ok).toBe(false)
    expect(steps[0]).toMatchObject({ step: 'register', ok: false })
    expect(steps[0]?.words).toContain(
      `Not registered. 127.0.0.1 port ${port} over TCP: it cannot be reached, the connection was refused`,
    )
  })

  it('what listens there does not speak TLS', async () => {
    const server = createServer((socket) => socket.end('SIP/2.0 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const { steps } = await test(port, { ...registering, transport: 'tls' })
    expect(steps[0]?.words).toContain('what listens there does not speak TLS')
    server.close()
  })

  it('the certificate is not one we trust', async () => {
    const tls = await (await createTestCa()).issue()
    const peer = await startAgent({ listen: { host: '127.0.0.1', udpPort: 0, tcpPort: 0, tlsPort: 0, tls } })
    const { steps } = await test(peer.ports.tls ?? 0, { ...registering, transport: 'tls' })
    expect(steps[0]?.words).toMatch(/^Not registered\. The certificate of 127\.0\.0\.1 was not accepted: no authority/)
  })

  it('this machine has no way there: the name servers are not blamed', async () => {
    const hop = () => Promise.reject(new TransportError('No way to 198.41.0.4: connect ENETUNREACH', false))
    const core = { resolver: noNames, allowPrivate: true, log, transport: { hop } } as unknown as Core
    const ids = { callId: 'c', tag: 't', cseq: 0 }
    expect(await registerOnce(core, trunkTo(5060, { host: '198.41.0.4' }), ids, 300)).toMatchObject({
      ok: false,
      words: expect.stringMatching(/^198\.41\.0\.4 cannot be reached from this machine/),
    })
  })
})

describe('TLS without a certificate of our own', () => {
  async function startPeer() {
    const ca = await createTestCa()
    const far = answering()
    const listen = { host: '127.0.0.1', udpPort: 0, tcpPort: 0, tlsPort: 0, tls: await ca.issue() }
    const peer = await startAgent({ trunks: [trunkTo(1)], listen, onInvite: far.onInvite })
    return { ca, far, port: peer.ports.tls ?? 0, listen }
  }

  it('is told by parley trunk test, and nothing is told when there is one', async () => {
    const { ca, port } = await startPeer()
    const alone = await test(port, { transport: 'tls' }, ca.cert)
    expect(alone).toMatchObject({ ok: true })
    expect(alone.steps[0]?.words).toMatch(/no certificate of our own \(PARLEY_SIP_TLS_CERT_FILE\)/)
    const both = await test(port, { transport: 'tls' }, ca.cert, true)
    expect(both.steps[0]?.words).toBe('The carrier answers (200).')
  })

  it('asks the carrier to come back on our connection; with one, or over UDP, it does not', async () => {
    const { ca, far, port, listen } = await startPeer()
    for (const [options, ending] of [
      [{}, /:5061;transport=tls;ob$/],
      [{ listen }, /:\d+;transport=tls$/],
    ] as const) {
      const caller = await startAgent(options)
      const call = await caller.dial(trunkTo(port, { transport: 'tls', ca: ca.cert }), dialOptions(), never)
      await until(call, 'answered')
      expect((far.calls.at(-1) as SipCall).dialog()?.target).toMatch(ending)
      await call.hangup()
    }
  })
})

it('the command ends with 1 and says why when a trunk does not work, with 0 when it does', async () => {
  const database = await createTestDatabase()
  const t = await createTestApp({ database })
  const peer = await startAgent({ trunks: [trunkTo(1)] })
  const { organisationId } = await t.organisation({
    trunks: [
      { name: 'well', host: '127.0.0.1', port: peer.ports.udp },
      { name: 'ill', host: '127.0.0.1', port: await freePort(), transport: 'tcp', ...registering },
    ],
  })
  const config = parseConfig({
    DATABASE_URL: database.url,
    PARLEY_SECRET_KEY: 'secret for tests only',
    PARLEY_SIP_HOST: '127.0.0.1',
    PARLEY_SIP_ALLOW_PRIVATE: 'true',
  })
  const printed: string[] = []
  const print = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  const run = (name: string) => command.run(['test', name, '--organisation', organisationId], config)
  try {
    expect(await run('ill')).toBe(1)
    expect(await run('well')).toBe(0)
  } finally {
    print.mockRestore()
  }
  expect(printed.join('')).toMatch(/✗ Not registered\. .*connection was refused.*\n✗ .*\n.*✓ The carrier answers/s)
})
