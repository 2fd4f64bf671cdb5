import { beforeAll, describe, expect, it } from 'vitest'
import type { Trunk } from '../../src/adapters/sip/trunk.ts'
import { createTrunkTester } from '../../src/adapters/sip/trunk-test.ts'
import type { Trunk as TrunkData } from '../../src/agents/trunk.ts'
import { createLog } from '../../src/platform/log.ts'
import {
  answering,
  closeAgentsAtEnd,
  dialOptions,
  endOf,
  never,
  noNames,
  startAgent,
  trunkTo,
  typesOf,
  until,
} from './agent.ts'
import { freePort } from './free-port.ts'
import { account, type Kamailio, startKamailio, whyNoKamailio } from './kamailio.ts'
import { trunkData } from './lines.ts'
import { answerInvite, answerLast, maybe, recv, recvInvite, scenario, sdp, expect as sees } from './scenario.ts'
import { startSipp, whyNoSipp } from './sipp.ts'

const reason = whyNoSipp() ?? whyNoKamailio()
closeAgentsAtEnd()
const transports = ['udp', 'tcp', 'tls'] as const
const routed = { headers: '[last_Record-Route:]' }

/** To an INVITE that came through proxies: it goes back through all of them. */
const answerFirst = (line: string, body: string | null = null) =>
  answerLast(line, { ...routed, body }).replace('[last_To:]', '[last_To:];tag=t[call_number]')

/** A telephone behind the proxy: rings, answers, is held and resumed, and hung up. */
const phone = () =>
  startSipp({
    scenario: scenario(
      recvInvite(),
      answerFirst('180 Ringing'),
      answerFirst('200 OK', sdp()),
      recv('ACK'),
      recv('INVITE'),
      answerLast('200 OK', { ...routed, body: sdp({ version: 2, direction: 'recvonly' }) }),
      recv('ACK'),
      recv('INVITE'),
      answerLast('200 OK', { ...routed, body: sdp({ version: 3 }) }),
      recv('ACK'),
      recv('BYE'),
      answerLast('200 OK'),
    ),
  })

const proxies: Partial<Record<'MD5' | 'SHA-256', Kamailio>> = {}
function trunkVia(algorithm: 'MD5' | 'SHA-256', transport: Trunk['transport'], more: Partial<Trunk> = {}): Trunk {
  const proxy = proxies[algorithm]
  if (!proxy) throw new Error('Kamailio does not run.')
  const ca = transport === 'tls' ? { ca: proxy.ca } : {}
  return trunkTo(proxy[transport], { name: `${algorithm}-${transport}`, transport, ...account, ...ca, ...more })
}

beforeAll(async () => {
  if (reason) return
  for (const algorithm of ['MD5', 'SHA-256'] as const) proxies[algorithm] = await startKamailio(algorithm)
}, 240_000)

describe
  .skipIf(reason)
  .concurrent(`through a proxy that challenges (Kamailio)${reason ? `: skipped, ${reason}` : ''}`, () => {
    for (const algorithm of ['MD5', 'SHA-256'] as const) {
      for (const transport of transports) {
        it(`${algorithm} over ${transport}: rings, answers, holds, resumes, hangs up along the route`, async () => {
          const far = await phone()
          const agent = await startAgent()
          const call = await agent.dial(trunkVia(algorithm, transport), dialOptions({ to: `+1555${far.port}` }), never)
          await until(call, 'answered')
          expect(await call.hold()).toBe(true)
          expect(await call.resume()).toBe(true)
          await call.hangup()
          await far.finished
          expect((await typesOf(call)).filter((type) => type !== 'media')).toEqual(['ringing', 'answered', 'ended'])
        })
      }
    }

    it('a wrong password: refused, and nothing has rung', async () => {
      const agent = await startAgent()
      const dialling = agent.dial(
        trunkVia('SHA-256', 'udp', { password: 'wrong' }),
        dialOptions({ to: '+15559' }),
        never,
      )
      await expect(dialling).rejects.toMatchObject({ name: 'DialRefused', reason: 'carrier_error' })
    })

    it('ringing that nobody answers is cancelled along the route', async () => {
      const steps = [recvInvite(), answerFirst('180 Ringing'), recv('CANCEL'), answerLast('200 OK')]
      const far = await startSipp({
        scenario: scenario(...steps, answerInvite('487 Request Terminated'), recv('ACK')),
      })
      const agent = await startAgent()
      const options = dialOptions({ to: `+1555${far.port}`, ringSeconds: 1 })
      const call = await agent.dial(trunkVia('MD5', 'tcp'), options, never)
      expect(await endOf(call)).toMatchObject({ reason: 'no_answer' })
      await far.finished
    })
  })

describe.skipIf(reason).concurrent('registered at a proxy (Kamailio)', () => {
  for (const [algorithm, transport] of [
    ['MD5', 'udp'],
    ['SHA-256', 'tls'],
  ] as const) {
    it(`${algorithm} over ${transport}: a call comes in by the way we registered`, async () => {
      const far = answering()
      const trunk = trunkVia(algorithm, transport, { register: true })
      const agent = await startAgent({ trunks: [trunk], onInvite: far.onInvite })
      const registration = agent.register(trunk)
      for await (const status of registration.events) if (status.state !== 'registering') break
      expect(registration.status()).toMatchObject({ state: 'registered' })
      const caller = await startSipp({ scenario: callerOf(account.user), calling: proxies[algorithm]?.udp ?? 0 })
      await caller.finished
      const [call] = far.calls
      expect(call && (await endOf(call))).toMatchObject({ reason: 'hangup', by: 'callee' })
      await registration.stop()
      const again = await startSipp({ scenario: notFound(account.user), calling: proxies[algorithm]?.udp ?? 0 })
      await again.finished
    })
  }
})

describe.skipIf(reason).concurrent('parley trunk test (Kamailio)', () => {
  const tried = (transport: Trunk['transport'], more: Partial<TrunkData>, ca?: string) => {
    const { port } = trunkVia('MD5', transport)
    const data = trunkData(port ?? 0, { transport, user: account.user, password: account.password, ...more })
    return createTrunkTester({ host: '127.0.0.1', ca, allowPrivate: true, log: createLog('silent'), resolve: noNames })(
      data,
    )
  }

  it('registers, asks, and says that all is well', async () => {
    const result = await tried('udp', { register: true })
    expect(result).toMatchObject({
      ok: true,
      steps: [
        { step: 'register', ok: true },
        { step: 'options', ok: true },
      ],
    })
    expect(result.steps[0]?.words).toMatch(/^Registered as /)
  })

  it('names a wrong password, an unknown certificate and a port where nobody is', async () => {
    const wrong = await tried('tcp', { register: true, password: 'wrong' })
    expect(wrong.ok).toBe(false)
    expect(wrong.steps[0]).toMatchObject({ ok: false, words: expect.stringContaining('refused our name or password') })
    expect(JSON.stringify(wrong)).not.toContain('"wrong"')
    const unknown = await tried('tls', {})
    expect(unknown.steps[0]?.words).toMatch(/certificate of .* was not accepted: no authority trusted here/)
    const nobody = await tried('tcp', { port: await freePort() })
    expect(nobody.steps[0]?.words).toMatch(/connection was refused: nothing listens there/)
  })
})

describe.skipIf(reason).concurrent('certificates (Kamailio)', () => {
  it('one of an unknown authority, or for another name, is not accepted; OPTIONS says so', async () => {
    const agent = await startAgent({ resolve: { srv: async () => [], addresses: async () => ['127.0.0.1'] } })
    const { ca: _, ...unknown } = trunkVia('MD5', 'tls')
    await expect(agent.dial(unknown, dialOptions(), never)).rejects.toMatchObject({ name: 'DialRefused' })
    const other = trunkVia('MD5', 'tls', { host: 'other.test' })
    await expect(agent.dial(other, dialOptions(), never)).rejects.toMatchObject({ name: 'DialRefused' })
    for (const trunk of [unknown, other]) {
      expect((await agent.options(trunk)).words).toMatch(/^The certificate of .* was not accepted/)
    }
    expect(await agent.options(trunkVia('MD5', 'tls'))).toMatchObject({ ok: true, status: 200 })
  })

  it('a connection that broke is opened anew, and the registration with it', async () => {
    const proxy = await startKamailio('MD5')
    const agent = await startAgent()
    const trunk = trunkTo(proxy.tls, { transport: 'tls', ...account, ca: proxy.ca, register: true })
    const keepAlive = agent.keepAlive(trunk, 0.2)
    const registration = agent.register(trunk)
    const states: string[] = []
    for await (const { state } of registration.events) {
      states.push(state)
      if (states.length === 1) {
        expect(state).toBe('registered')
        await proxy.stop()
      } else if (state === 'failed' && keepAlive.latest()?.ok === false) await proxy.start()
      else if (state === 'registered') break
    }
    expect(states).toContain('failed')
    const changes: boolean[] = []
    for await (const { ok } of keepAlive.events) if (changes.push(ok) === 3) break
    expect(changes).toEqual([true, false, true])
    keepAlive.stop()
    await registration.stop()
  })
})

const request = (method: string, cseq: number, user: string, more = '', body = '') => `<send><![CDATA[
${method} ${method === 'INVITE' ? `sip:${user}@[remote_ip]:[remote_port]` : '[next_url]'} SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:+15005551111@127.0.0.1>;tag=c[call_number]
To: <sip:${user}@127.0.0.1>[peer_tag_param]
Call-ID: [call_id]
CSeq: ${cseq} ${method}
Contact: <sip:caller@[local_ip]:[local_port]>
Max-Forwards: 70${more}
${body ? `Content-Type: application/sdp\nContent-Length: [len]\n\n${body}` : 'Content-Length: 0\n'}
]]></send>`
const callerOf = (user: string) =>
  scenario(
    request('INVITE', 1, user, '', sdp()),
    maybe(100),
    maybe(180),
    sees(200, 'rrs="true"'),
    request('ACK', 1, user, '\n[routes]'),
    request('BYE', 2, user, '\n[routes]'),
    sees(200),
  )
const notFound = (user: string) =>
  scenario(request('INVITE', 1, user, '', sdp()), maybe(100), sees(404), request('ACK', 1, user))
