import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { SipCall } from '../../src/adapters/sip/call.ts'
import { headerOf } from '../../src/adapters/sip/message.ts'
import { DialRefused } from '../../src/voice/ports.ts'
import { createTestCa } from '../certificates.ts'
import {
  answering,
  closeAgentsAtEnd,
  dialOptions,
  endOf,
  never,
  quick,
  startAgent,
  trunkTo,
  typesOf,
  until,
} from './agent.ts'
import { createLossyLink } from './lossy-link.ts'
import { sound, startWirePhone } from './wire-phone.ts'

closeAgentsAtEnd()
const everyone = trunkTo(1, { name: 'everyone' })

async function pair(onInvite = answering().onInvite) {
  const callee = await startAgent({ trunks: [everyone], onInvite })
  const caller = await startAgent({ trunks: [everyone] })
  return { caller, callee, trunk: trunkTo(callee.ports.udp) }
}

describe('two user agents of ours', () => {
  it('ring, answer and hang up; both sides learn of it', async () => {
    const far = answering()
    const { caller, trunk } = await pair(far.onInvite)
    const call = await caller.dial(trunk, dialOptions(), never)
    const { media } = await until(call, 'answered')
    expect(media.remote).toEqual({ address: '127.0.0.1', port: 40_002, rtcpPort: 40_003 })
    expect(media.codec).toEqual({ name: 'PCMU', payload: 0 })
    await call.hangup()
    expect(await typesOf(call)).toEqual(['ringing', 'answered', 'ended'])
    expect(await endOf(far.calls[0] as SipCall)).toMatchObject({ reason: 'hangup', by: 'callee' })
    expect(caller.openCalls()).toBe(0)
  })

  it('hold and resume both ways', async () => {
    const far = answering()
    const { caller, trunk } = await pair(far.onInvite)
    const call = await caller.dial(trunk, dialOptions(), never)
    await until(call, 'answered')
    const other = far.calls[0] as SipCall
    await until(other, 'answered')
    expect(await call.hold()).toBe(true)
    expect((await until(other, 'remote-hold')).media).toMatchObject({ sends: false, receives: true })
    expect(await call.resume()).toBe(true)
    expect((await until(other, 'remote-resume')).media).toMatchObject({ sends: true, receives: true })
    expect(await other.hold()).toBe(true)
    await until(call, 'remote-hold')
    await other.hangup()
    expect(await endOf(call)).toMatchObject({ reason: 'hangup', by: 'callee' })
  })

  it('a caller who gives up while it rings is told apart from one who is answered', async () => {
    let gaveUp = false
    const { caller, trunk } = await pair((invitation) => {
      invitation.ring()
      invitation.signal.addEventListener('abort', () => {
        gaveUp = true
      })
    })
    const call = await caller.dial(trunk, dialOptions(), never)
    await until(call, 'ringing')
    await call.hangup()
    expect(await endOf(call)).toMatchObject({ reason: 'hangup', by: 'agent' })
    expect(gaveUp).toBe(true)
  })

  it('SRTP keys cross, and never meet plain sound when they are required', async () => {
    const far = answering()
    const callee = await startAgent({ trunks: [{ ...everyone, srtp: 'offer' }], onInvite: far.onInvite })
    const caller = await startAgent({ trunks: [everyone] })
    const call = await caller.dial(trunkTo(callee.ports.udp, { srtp: 'require' }), dialOptions(), never)
    const ours = (await until(call, 'answered')).media.srtp
    const theirs = (await until(far.calls[0] as SipCall, 'answered')).media.srtp
    expect(ours?.localKey).toBe(theirs?.remoteKey)
    expect(ours?.remoteKey).toBe(theirs?.localKey)
    const plain = await startAgent({ trunks: [everyone], onInvite: answering().onInvite }).catch(() => null)
    const refused = caller.dial(trunkTo(plain?.ports.udp ?? 0, { srtp: 'require' }), dialOptions(), never)
    expect(await refused.then(endOf, (error: DialRefused) => error)).toMatchObject({ reason: 'carrier_error' })
  })

  it('over TLS with checked certificates, and the other side hangs up on a connection of its own', async () => {
    const ca = await createTestCa()
    const far = answering()
    const tls = await ca.issue()
    const listen = { host: '127.0.0.1', udpPort: 0, tcpPort: 0, tlsPort: 0, tls }
    const callee = await startAgent({
      trunks: [{ ...everyone, transport: 'tls', ca: ca.cert }],
      onInvite: far.onInvite,
      listen,
    })
    const caller = await startAgent({ listen })
    const trunk = trunkTo(callee.ports.tls ?? 0, { transport: 'tls', ca: ca.cert })
    const call = await caller.dial(trunk, dialOptions(), never)
    await until(call, 'answered')
    await far.calls[0]?.hangup()
    expect(await endOf(call)).toMatchObject({ reason: 'hangup', by: 'callee' })
  })

  it('closing hangs up every call and takes no new ones', async () => {
    const far = answering()
    const { caller, trunk } = await pair(far.onInvite)
    const call = await caller.dial(trunk, dialOptions(), never)
    await until(call, 'answered')
    await caller.close()
    expect(await endOf(call)).toMatchObject({ reason: 'hangup', by: 'agent' })
    expect(await endOf(far.calls[0] as SipCall)).toMatchObject({ by: 'callee' })
    await expect(caller.dial(trunk, dialOptions(), never)).rejects.toThrow('closed')
  })

  it('the public address stands wherever the other side could look for us', async () => {
    const caller = await startAgent({ publicAddress: '203.0.113.9', timing: quick })
    const texts: string[] = []
    const link = await createLossyLink(1, (_index, text) => texts.push(text) > 0)
    const giving = new AbortController()
    const dialling = caller.dial(trunkTo(link.port), dialOptions(), giving.signal)
    await vi.waitFor(() => expect(texts.length).toBeGreaterThan(0))
    giving.abort(new Error('seen enough'))
    await expect(dialling).rejects.toThrow('seen enough')
    const { udp } = caller.ports
    expect(texts[0]).toContain(`Via: SIP/2.0/UDP 203.0.113.9:${udp};branch=`)
    expect(texts[0]).toContain(`Contact: <sip:+15005550000@203.0.113.9:${udp}>`)
    expect(texts[0]).toContain('c=IN IP4 203.0.113.9')
    expect(texts[0]).not.toContain('IN IP4 127.0.0.1')
  })

  it('the public address stands in the answer to a call that comes in, and in what we ask inside it', async () => {
    const far = answering()
    const callee = await startAgent({ trunks: [everyone], onInvite: far.onInvite, publicAddress: '203.0.113.9' })
    const phone = await startWirePhone()
    phone.call(callee.ports.udp, 'INVITE', 1, { body: sound() })
    const ok = (await phone.answers('INVITE')).at(-1)
    expect(ok && headerOf(ok, 'contact')).toMatch(new RegExp(`@203.0.113.9:${callee.ports.udp}>$`))
    expect(ok?.body.toString()).toContain('c=IN IP4 203.0.113.9')
    expect(ok?.body.toString()).not.toContain('127.0.0.1')
    phone.call(callee.ports.udp, 'ACK', 1, { toTag: ok?.to.params.get('tag') ?? '' })
    const leaving = far.calls[0]?.hangup()
    const bye = await phone.request('BYE')
    expect(bye.vias[0]).toMatchObject({ host: '203.0.113.9', port: callee.ports.udp })
    phone.reply(bye, '200 OK')
    await leaving
  })

  it('closing turns away whoever is still ringing us', async () => {
    const callee = await startAgent({ trunks: [everyone], onInvite: (invitation) => invitation.ring() })
    const caller = await startAgent()
    const call = await caller.dial(trunkTo(callee.ports.udp), dialOptions(), never)
    await until(call, 'ringing')
    await callee.close()
    expect(await endOf(call)).toMatchObject({ reason: 'no_answer', status: 480 })
  })

  it('nobody there: the name leads nowhere, or the port is closed, and nothing has rung', async () => {
    const caller = await startAgent()
    const unknown = caller.dial(trunkTo(5060, { host: 'no.such.carrier' }), dialOptions(), never)
    await expect(unknown).rejects.toBeInstanceOf(DialRefused)
    const closed = caller.dial(trunkTo(1, { transport: 'tcp' }), dialOptions(), never)
    await expect(closed).rejects.toMatchObject({ name: 'DialRefused', reason: 'carrier_error' })
    expect(caller.openCalls()).toBe(0)
  })
})

describe('on a line that loses one datagram in three', () => {
  for (const phase of [0, 1, 2]) {
    it(`a call is rung once, answered and hung up (phase ${phase})`, async () => {
      let rings = 0
      const far = answering(() => {
        rings += 1
      })
      const callee = await startAgent({ trunks: [everyone], onInvite: far.onInvite, timing: quick })
      const caller = await startAgent({ timing: quick })
      const link = await createLossyLink(callee.ports.udp, (index) => index % 3 === phase)
      const trunk = trunkTo(link.port)
      const call = await caller.dial(trunk, dialOptions(), never)
      await until(call, 'answered')
      await until(far.calls[0] as SipCall, 'answered')
      await call.hangup()
      expect(await endOf(far.calls[0] as SipCall)).toMatchObject({ reason: 'hangup', by: 'callee' })
      expect(rings).toBe(1)
      expect(link.dropped).toBeGreaterThan(0)
    })
  }

  it('an INVITE nobody answers is repeated within its transaction only, then given up without another', async () => {
    const caller = await startAgent({ timing: { t1Ms: 10, t2Ms: 80, t4Ms: 10 } })
    const link = await createLossyLink(1, () => true)
    await expect(caller.dial(trunkTo(link.port), dialOptions(), never)).rejects.toMatchObject({
      name: 'DialUnanswered',
    })
    expect(link.seen.length).toBeGreaterThan(4)
    await sleep(100)
    const count = link.seen.length
    await sleep(200)
    expect(link.seen.length).toBe(count)
  })

  it('an INVITE that was lost is not said again once nobody wants the call any more', async () => {
    const caller = await startAgent({ timing: { t1Ms: 40, t2Ms: 80, t4Ms: 10 } })
    const link = await createLossyLink(1, () => true)
    const giving = new AbortController()
    const dialling = caller.dial(trunkTo(link.port), dialOptions(), giving.signal)
    await vi.waitFor(() => expect(link.seen.length).toBeGreaterThan(1))
    giving.abort(new Error('no longer wanted'))
    await expect(dialling).rejects.toThrow('no longer wanted')
    await sleep(20)
    const count = link.seen.length
    await sleep(400)
    expect(link.seen.length).toBe(count)
  })

  it('silence is not followed by an INVITE elsewhere: it may be ringing there', async () => {
    const [silent, other] = [await createLossyLink(1, () => true), await createLossyLink(1, () => true)]
    const records = [silent, other].map(({ port }, priority) => ({ name: '127.0.0.1', port, priority, weight: 1 }))
    const resolve = { srv: async () => records, addresses: async () => [] }
    const caller = await startAgent({ timing: { t1Ms: 5, t2Ms: 40, t4Ms: 5 }, resolve })
    const { port: _, ...trunk } = trunkTo(1, { host: 'carrier.test' })
    await expect(caller.dial(trunk, dialOptions(), never)).rejects.toMatchObject({ name: 'DialUnanswered' })
    expect(silent.seen.length).toBeGreaterThan(1)
    expect(other.seen).toEqual([])
  })

  it('a refusal whose acknowledgement is lost is acknowledged again, and then rests', async () => {
    const callee = await startAgent({ trunks: [everyone], timing: quick })
    const caller = await startAgent({ timing: quick })
    let acks = 0
    const link = await createLossyLink(callee.ports.udp, (_index, text) => {
      if (!text.startsWith('ACK')) return false
      acks += 1
      return acks <= 2
    })
    const call = await caller.dial(trunkTo(link.port), dialOptions(), never)
    expect(await endOf(call)).toMatchObject({ reason: 'busy' })
    await vi.waitFor(() => expect(acks).toBe(3), 3_000)
    await sleep(500)
    expect(acks).toBe(3)
  })

  it('whoever hangs up on a far end that has died does not wait for it', async () => {
    const far = answering()
    const callee = await startAgent({ trunks: [everyone], onInvite: far.onInvite })
    const caller = await startAgent()
    let isDead = false
    const link = await createLossyLink(callee.ports.udp, () => isDead)
    const call = await caller.dial(trunkTo(link.port), dialOptions(), never)
    await until(call, 'answered')
    isDead = true
    await call.hangup()
    expect(await endOf(call)).toMatchObject({ reason: 'hangup', by: 'agent' })
    expect(caller.openCalls()).toBe(0)
  })

  it('an answer that is lost is said again until it is acknowledged', async () => {
    const far = answering()
    const callee = await startAgent({ trunks: [everyone], onInvite: far.onInvite, timing: quick })
    const caller = await startAgent({ timing: quick })
    let oks = 0
    const link = await createLossyLink(callee.ports.udp, (_index, text) => {
      if (!text.startsWith('SIP/2.0 200')) return false
      oks += 1
      return oks <= 3
    })
    const call = await caller.dial(trunkTo(link.port), dialOptions(), never)
    await until(call, 'answered')
    await until(far.calls[0] as SipCall, 'answered')
    expect(oks).toBeGreaterThanOrEqual(4)
  })
})
