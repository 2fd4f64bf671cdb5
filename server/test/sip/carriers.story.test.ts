import { describe, expect, it } from 'vitest'
import type { SrvRecord } from '../../src/adapters/sip/targets.ts'
import type { Trunk } from '../../src/adapters/sip/trunk.ts'
import { closeAgentsAtEnd, dialOptions, endOf, never, startAgent, trunkTo, until } from './agent.ts'
import { freePort } from './free-port.ts'
import { answerAndWait, answerInvite, answerLast, pause, recv, recvInvite, scenario } from './scenario.ts'
import { startSipp, whyNoSipp } from './sipp.ts'

const reason = whyNoSipp()
closeAgentsAtEnd()
const account = { user: 'parley', password: 'right' }

const challenge = (header: string, more = 'algorithm=MD5, qop="auth"') =>
  `${header}: Digest realm="carrier", nonce="n[call_number]x[cseq]", ${more}`
const proves = () => '<verifyauth assign_to="valid" username="parley" password="right"/>'
/** The call fails in sipp unless name and password were proved. */
const checked = [
  '<nop condexec="valid" condexec_inverse="true"><action><error message="not proved"/></action></nop>',
  '<Reference variables="valid"/>',
]

async function answers(trunk: Partial<Trunk>, steps: string[], transport: 'udp' | 'tcp' = 'udp') {
  const sipp = await startSipp({ scenario: scenario(...steps), transport })
  const agent = await startAgent()
  const call = await agent.dial(trunkTo(sipp.port, { transport, ...trunk }), dialOptions(), never)
  await until(call, 'answered')
  await call.hangup()
  await sipp.finished
}

describe.skipIf(reason).concurrent(`digest (sipp)${reason ? `: skipped, ${reason}` : ''}`, () => {
  it('401 is answered, with a counter and without', async () => {
    for (const more of ['algorithm=MD5, qop="auth"', 'algorithm=MD5']) {
      const headers = challenge('WWW-Authenticate', more)
      const first = [recvInvite(), answerInvite('401 Unauthorized', { headers }), recv('ACK')]
      await answers(account, [...first, recvInvite(proves()), ...checked, ...answerAndWait()])
    }
  })

  // sipp cannot verify Proxy-Authorization; Kamailio does (kamailio.story.test.ts).
  it('407 is answered, with SHA-256 where the carrier knows it', async () => {
    const both = ['algorithm=MD5, qop="auth"', 'algorithm=SHA-256, qop="auth"'].map((more) =>
      challenge('Proxy-Authenticate', more),
    )
    const headers = both.join('\n')
    const isSha = 'regexp="algorithm=SHA-256.*nc=00000001" search_in="hdr" header="Proxy-Authorization:"'
    const first = [recvInvite(), answerInvite('407 Proxy Authentication Required', { headers }), recv('ACK')]
    const second = [recvInvite(`<ereg ${isSha} check_it="true" assign_to="sha"/>`), '<Reference variables="sha"/>']
    await answers(account, [...first, ...second, ...answerAndWait()])
  })

  it('a nonce that has grown old is replaced, once more', async () => {
    const stale = challenge('WWW-Authenticate', 'algorithm=MD5, qop="auth", stale=true')
    const refuse = (headers: string) => [answerInvite('401 Unauthorized', { headers }), recv('ACK')]
    const steps = [recvInvite(), ...refuse(challenge('WWW-Authenticate')), recvInvite(), ...refuse(stale)]
    await answers(account, [...steps, recvInvite(proves()), ...checked, ...answerAndWait()])
  })

  it('a wrong password is tried once, and the call refused', async () => {
    const refuse = [
      recvInvite(),
      answerInvite('401 Unauthorized', { headers: challenge('WWW-Authenticate') }),
      recv('ACK'),
    ]
    const sipp = await startSipp({ scenario: scenario(...refuse, ...refuse) })
    const agent = await startAgent()
    const dialling = agent.dial(trunkTo(sipp.port, account), dialOptions(), never)
    await expect(dialling).rejects.toMatchObject({ name: 'DialRefused', reason: 'carrier_error' })
    await sipp.finished
  })

  it('a challenge is answered over TCP too', async () => {
    const first = [
      recvInvite(),
      answerInvite('401 Unauthorized', { headers: challenge('WWW-Authenticate') }),
      recv('ACK'),
    ]
    await answers(account, [...first, recvInvite(proves()), ...checked, ...answerAndWait()], 'tcp')
  })
})

describe.skipIf(reason).concurrent('where a call goes (sipp)', () => {
  it('3xx: on to the place named', async () => {
    const second = await startSipp({
      scenario: scenario(recvInvite(), answerInvite('180 Ringing'), ...answerAndWait()),
    })
    const contact = `<sip:moved@127.0.0.1:${second.port}>`
    const moved = answerInvite('302 Moved Temporarily').replace(/Contact: .*/, `Contact: ${contact}`)
    const first = await startSipp({ scenario: scenario(recvInvite(), moved, recv('ACK')) })
    const agent = await startAgent()
    const call = await agent.dial(trunkTo(first.port), dialOptions(), never)
    await until(call, 'answered')
    await call.hangup()
    await Promise.all([first.finished, second.finished])
  })

  it('3xx in a circle comes to an end', async () => {
    const circle = [recvInvite(), answerInvite('302 Moved Temporarily'), recv('ACK')]
    const rounds = Array.from({ length: 6 }, () => circle).flat()
    const sipp = await startSipp({ scenario: scenario(...rounds) })
    const agent = await startAgent()
    const dialling = agent.dial(trunkTo(sipp.port), dialOptions(), never)
    await expect(dialling).rejects.toMatchObject({ reason: 'carrier_error' })
    await sipp.finished
  })

  const srv = (...records: [number, number][]) => ({
    srv: async (): Promise<SrvRecord[]> =>
      records.map(([port, priority]) => ({ name: '127.0.0.1', port, priority, weight: 1 })),
    addresses: async () => ['127.0.0.1'],
  })
  const { port: _, ...named } = trunkTo(1, { host: 'carrier.test' })

  it('503 leads to the next machine of the carrier', async () => {
    const [away, well] = await Promise.all([
      startSipp({ scenario: scenario(recvInvite(), answerInvite('503 Service Unavailable'), recv('ACK')) }),
      startSipp({ scenario: scenario(recvInvite(), answerInvite('180 Ringing'), ...answerAndWait()) }),
    ])
    const agent = await startAgent({ resolve: srv([well.port, 20], [away.port, 10]) })
    const call = await agent.dial(named, dialOptions(), never)
    await until(call, 'answered')
    await call.hangup()
    await Promise.all([away.finished, well.finished])
  })

  it('503 after it rang leads nowhere else: nobody is rung twice', async () => {
    const steps = [recvInvite(), answerInvite('180 Ringing'), answerInvite('503 Service Unavailable'), recv('ACK')]
    const away = await startSipp({ scenario: scenario(...steps) })
    const agent = await startAgent({ resolve: srv([away.port, 10], [await freePort(), 20]) })
    const call = await agent.dial(named, dialOptions(), never)
    expect(await endOf(call)).toMatchObject({ reason: 'carrier_error', status: 503 })
    await away.finished
  })

  it('a machine that takes no connection is passed over', async () => {
    const well = await startSipp({ scenario: scenario(recvInvite(), ...answerAndWait()), transport: 'tcp' })
    const agent = await startAgent({ resolve: srv([await freePort(), 10], [well.port, 20]) })
    const call = await agent.dial({ ...named, transport: 'tcp' }, dialOptions(), never)
    await until(call, 'answered')
    await call.hangup()
    await well.finished
  })

  it('over TCP a whole call, ringing to goodbye', async () => {
    await answers({}, [recvInvite(), answerInvite('180 Ringing'), ...answerAndWait()], 'tcp')
  })
})

describe.skipIf(reason).concurrent('registration and OPTIONS (sipp)', () => {
  const has = (header: string, regexp: string) =>
    `<action><ereg regexp="${regexp}" search_in="hdr" header="${header}:" check_it="true" assign_to="seen"/></action>`
  const seen = '<Reference variables="seen"/>'
  const reply = (line: string, headers = '') =>
    answerLast(line, { headers })
      .replace('[last_To:]', '[last_To:];tag=r')
      .replace(/Contact: .*\n/, '')

  it('registers with a challenge, refreshes in time, and takes its address back', async () => {
    const sipp = await startSipp({
      scenario: scenario(
        recv('REGISTER'),
        reply('401 Unauthorized', challenge('WWW-Authenticate')),
        recv('REGISTER', `<action>${proves()}</action>`),
        ...checked,
        reply('200 OK', '[last_Contact:];expires=2\nExpires: 2'),
        recv('REGISTER', has('Authorization', 'nc=00000002')),
        seen,
        reply('200 OK', '[last_Contact:];expires=60'),
        recv('REGISTER', has('Expires', '^ *0')),
        reply('200 OK'),
      ),
    })
    const agent = await startAgent()
    const registration = agent.register(trunkTo(sipp.port, { ...account, register: true }))
    let registered = 0
    for await (const status of registration.events) {
      if (status.state === 'registered') registered += 1
      if (registered === 2) break
    }
    await registration.stop()
    expect(registration.status()).toEqual({ state: 'stopped' })
    await sipp.finished
  })

  it('an interval the carrier finds too short is asked for again, longer; a refusal is told in words', async () => {
    const sipp = await startSipp({
      scenario: scenario(
        recv('REGISTER'),
        reply('423 Interval Too Brief', 'Min-Expires: 900'),
        recv('REGISTER', has('Expires', '900')),
        seen,
        reply('200 OK', '[last_Contact:];expires=900'),
        recv('REGISTER'),
        reply('200 OK'),
      ),
    })
    const refusing = await startSipp({ scenario: scenario(recv('REGISTER'), reply('403 Forbidden'), pause(10)) })
    const agent = await startAgent()
    const registration = agent.register(trunkTo(sipp.port))
    for await (const status of registration.events) if (status.state === 'registered') break
    expect(registration.status()).toEqual({ state: 'registered', seconds: 900 })
    await registration.stop()
    const refused = agent.register(trunkTo(refusing.port))
    for await (const status of refused.events) {
      expect(status).toEqual({ state: 'failed', status: 403, words: 'The carrier refused our name or password.' })
      break
    }
    await refused.stop()
    await Promise.all([sipp.finished, refusing.finished])
  })

  it('OPTIONS says in words how the carrier is', async () => {
    const answering = (line: string) => startSipp({ scenario: scenario(recv('OPTIONS'), reply(line)) })
    const agent = await startAgent({ timing: { t1Ms: 20 } })
    const [well, forbidding, ill] = await Promise.all(
      ['200 OK', '403 Forbidden', '503 Service Unavailable'].map(answering),
    )
    const ask = (port = 0) => agent.options(trunkTo(port))
    expect(await ask(well?.port)).toMatchObject({ ok: true, status: 200, words: 'The carrier answers (200).' })
    expect(await ask(forbidding?.port)).toMatchObject({ ok: false, status: 403 })
    expect(await ask(ill?.port)).toMatchObject({ ok: false, status: 503 })
    const silent = await ask(await freePort())
    expect(silent.words).toMatch(
      /^Nothing came back from 127\.0\.0\.1 port \d+ over UDP: check host, port and firewall/,
    )
    const closed = await agent.options(trunkTo(await freePort(), { transport: 'tcp' }))
    expect(closed.words).toMatch(/cannot be reached/)
  })
})
