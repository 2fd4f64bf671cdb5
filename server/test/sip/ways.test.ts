import { describe, expect, it } from 'vitest'
import type { SipCall } from '../../src/adapters/sip/call.ts'
import { dialogOf, traceOf } from '../../src/adapters/sip/trace.ts'
import { createTestCa } from '../certificates.ts'
import { answering, closeAgentsAtEnd, dialOptions, endOf, never, startAgent, trunkTo, until } from './agent.ts'
import { sound, startWirePhone } from './wire-phone.ts'

closeAgentsAtEnd()
const everyone = trunkTo(1, { name: 'everyone' })
/** A name only the carrier's own servers know, and an address only its own network has. */
const privateContact = 'sip:x@10.255.0.1:5060'
const unreachable = ['sip:x@pbx.local', privateContact, 'sip:x@127.0.0.1:1;transport=tcp']
/** By name, so that its Contact is judged as a stranger's; the name leads to this machine. */
const carrier = { srv: async () => [], addresses: async (name: string) => (name === 'a.test' ? ['127.0.0.1'] : []) }

describe.each(unreachable)('a Contact that leads nowhere (%s)', (contact) => {
  it('a caller is told goodbye where the call came from', async () => {
    const far = answering()
    const trunk = trunkTo(1, { name: 'everyone', host: 'a.test' })
    const allowPrivate = contact !== privateContact
    const agent = await startAgent({ trunks: [trunk], onInvite: far.onInvite, resolve: carrier, allowPrivate })
    const phone = await startWirePhone()
    await phone.getThrough(agent.ports.udp, { contact })
    const call = far.calls[0] as SipCall
    await until(call, 'answered')
    const leaving = call.hangup()
    phone.reply(await phone.request('BYE'), '200 OK')
    await leaving
  })
})

// Whoever we call on this machine is in a private network: only the other two can be had from there.
describe.each(unreachable.filter((each) => each !== privateContact))('called, with the Contact %s', (contact) => {
  async function dialled() {
    const phone = await startWirePhone()
    const trunk = trunkTo(phone.port, { host: 'a.test' })
    const answered = phone.answer({ contact })
    const agent = await startAgent({ resolve: carrier })
    const call = await agent.dial(trunk, dialOptions(), never)
    await answered
    await until(call, 'answered')
    return { phone, trunk, call }
  }

  it('a phone is told goodbye by the way the call was set up', async () => {
    const { phone, call } = await dialled()
    const leaving = call.hangup()
    phone.reply(await phone.request('BYE'), '200 OK')
    await leaving
    expect((await phone.request('BYE')).uri).toBe(contact)
  })

  it('another node says goodbye by the way of the one that died, or to the carrier', async () => {
    const { phone, trunk, call } = await dialled()
    const other = await startAgent({ resolve: carrier })
    const trace = traceOf(call, trunk)
    const kept = trace && dialogOf(JSON.parse(JSON.stringify(trace)))
    if (!kept) throw new Error('There is no trace.')
    expect(kept.way).toEqual({ transport: 'udp', address: '127.0.0.1', port: phone.port })
    for (const [count, dialog] of [{ ...kept }, { ...kept, way: null, localSeq: kept.localSeq + 1 }].entries()) {
      const ending = other.endDialog(trunk, dialog)
      phone.reply(await phone.request('BYE', count + 1), '200 OK')
      await ending
    }
    const leaving = call.hangup()
    phone.reply(await phone.request('BYE', 3), '481 Call/Transaction Does Not Exist')
    await leaving
  })
})

it('a phone that does not answer at its Contact is told goodbye by the way the call was set up', async () => {
  const [phone, silent] = [await startWirePhone(), await startWirePhone()]
  const agent = await startAgent({ timing: { t1Ms: 10, t2Ms: 40 } })
  const dialling = agent.dial(trunkTo(phone.port), dialOptions(), never)
  const contact = `sip:x@127.0.0.1:${silent.port}`
  phone.reply(await phone.request('INVITE'), '200 OK', { body: sound(), contact })
  const call = await dialling
  await until(call, 'answered')
  await silent.request('ACK')
  const leaving = call.hangup()
  await silent.request('BYE')
  const bye = await phone.request('BYE')
  phone.reply(bye, '200 OK')
  await leaving
  expect(phone.requests('BYE')).toHaveLength(1)
})

describe('inside a call whose Contact leads nowhere', () => {
  it('a hold, a transfer and a sign of life arrive all the same', async () => {
    const phone = await startWirePhone()
    const answered = phone.answer({ contact: 'sip:x@pbx.local', headers: ['Allow: UPDATE', 'Session-Expires: 2'] })
    const agent = await startAgent()
    const call = await agent.dial(trunkTo(phone.port), dialOptions(), never)
    await answered
    const holding = call.hold()
    const invite = await phone.request('INVITE', 2)
    phone.reply(invite, '200 OK', { body: sound({ version: 2, direction: 'recvonly' }), contact: 'sip:x@pbx.local' })
    expect(await holding).toBe(true)
    expect((await phone.request('ACK', 2)).cseq.number).toBe(invite.cseq.number)
    const referring = call.refer('+15005550009')
    phone.reply(await phone.request('REFER'), '603 Decline')
    expect(await referring).toEqual({ outcome: 'refused', status: 603 })
    const leaving = call.hangup()
    phone.reply(await phone.request('BYE'), '200 OK')
    await leaving
  })

  it('an answer said again while its way is looked up is the same answer, and does not end the call', async () => {
    const phone = await startWirePhone()
    let found = (_: string[]) => {}
    const slow = new Promise<string[]>((resolve) => {
      found = resolve
    })
    const agent = await startAgent({ resolve: { srv: async () => [], addresses: () => slow } })
    const dialling = agent.dial(trunkTo(phone.port), dialOptions(), never)
    const invite = await phone.request('INVITE')
    const contact = 'sip:x@slow.test:1'
    phone.reply(invite, '200 OK', { body: sound(), contact })
    phone.reply(invite, '200 OK', { body: sound(), contact })
    const call = await dialling
    await until(call, 'answered')
    await new Promise((resolve) => setTimeout(resolve, 100))
    found([])
    await phone.request('ACK')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(phone.requests('BYE')).toHaveLength(0)
    expect(agent.openCalls()).toBe(1)
    phone.ask(invite, 'BYE', 1)
    expect(await endOf(call)).toMatchObject({ by: 'callee' })
  })
})

it('a caller over TLS who cannot be connected to is told goodbye on the connection they opened', async () => {
  const ca = await createTestCa()
  const far = answering()
  const listen = { host: '127.0.0.1', udpPort: 0, tcpPort: 0, tlsPort: 0, tls: await ca.issue() }
  const trunks = [{ ...everyone, transport: 'tls' as const, ca: ca.cert }]
  const callee = await startAgent({ trunks, onInvite: far.onInvite, listen })
  const caller = await startAgent()
  const trunk = trunkTo(callee.ports.tls ?? 0, { transport: 'tls', ca: ca.cert })
  const call = await caller.dial(trunk, dialOptions(), never)
  await until(call, 'answered')
  await until(far.calls[0] as SipCall, 'answered')
  await far.calls[0]?.hangup()
  expect(await endOf(call)).toMatchObject({ reason: 'hangup', by: 'callee' })
})

it('a caller who hung up is not told goodbye', async () => {
  const far = answering()
  const agent = await startAgent({ trunks: [everyone], onInvite: far.onInvite, timing: { t1Ms: 10 } })
  const phone = await startWirePhone()
  const toTag = await phone.getThrough(agent.ports.udp)
  const call = far.calls[0] as SipCall
  await until(call, 'answered')
  phone.call(agent.ports.udp, 'BYE', 2, { toTag })
  expect(await endOf(call)).toMatchObject({ reason: 'hangup', by: 'callee' })
  await call.hangup()
  await call.hangup()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(phone.requests('BYE')).toHaveLength(0)
})

it('nor is one who hung up and whose ACK never came', async () => {
  const far = answering()
  const agent = await startAgent({ trunks: [everyone], onInvite: far.onInvite, timing: { t1Ms: 10, t2Ms: 20 } })
  const phone = await startWirePhone()
  phone.call(agent.ports.udp, 'INVITE', 1, { body: sound() })
  const toTag = (await phone.answers('INVITE')).at(-1)?.to.params.get('tag') ?? ''
  phone.call(agent.ports.udp, 'BYE', 2, { toTag })
  expect(await endOf(far.calls[0] as SipCall)).toMatchObject({ by: 'callee' })
  // 64 times T1: the answer is given up by then.
  await new Promise((resolve) => setTimeout(resolve, 900))
  expect(phone.requests('BYE')).toHaveLength(0)
})
