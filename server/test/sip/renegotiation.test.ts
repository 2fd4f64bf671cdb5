import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { SipCall } from '../../src/adapters/sip/call.ts'
import type { Invitation } from '../../src/adapters/sip/invitation.ts'
import { headerOf, type ReceivedRequest } from '../../src/adapters/sip/message.ts'
import { glareMs } from '../../src/adapters/sip/reinvite.ts'
import { parseSdp } from '../../src/adapters/sip/sdp.ts'
import type { Trunk } from '../../src/adapters/sip/trunk.ts'
import { answering, closeAgentsAtEnd, dialOptions, endOf, never, startAgent, trunkTo, until } from './agent.ts'
import { sound, startWirePhone } from './wire-phone.ts'

closeAgentsAtEnd()
const everyone = trunkTo(1, { name: 'everyone' })

/** An answered call of ours to a telephone. */
async function dialled({ headers = [] as string[], timing = {}, trunk = {} as Partial<Trunk>, body = sound() } = {}) {
  const phone = await startWirePhone()
  const agent = await startAgent({ timing })
  const answered = phone.answer({ headers, body })
  const call = await agent.dial(trunkTo(phone.port, trunk), dialOptions(), never)
  const invite = await answered
  await until(call, 'answered')
  const isOver = async () => {
    phone.ask(invite, 'BYE', 99)
    await endOf(call)
  }
  return { phone, call, invite, isOver }
}
const mediaLines = (message: { body: Buffer }) => message.body.toString().match(/^m=\S+ \d+/gm) ?? []
const statusesOf = (heard: readonly { kind: string; status?: number; cseq: { method: string } }[], method: string) =>
  heard.filter((each) => each.kind === 'response' && each.cseq.method === method).map((each) => each.status)

describe('both sides ask for a change at once', () => {
  it('whoever called waits longer, and takes the change of the other side meanwhile', async () => {
    const { phone, call, invite, isOver } = await dialled({ timing: { t1Ms: 50 } })
    const holding = call.hold()
    const first = await phone.request('INVITE', 2)
    phone.ask(invite, 'INVITE', 1, { body: sound({ version: 2 }) })
    await expect.poll(() => statusesOf(phone.heard, 'INVITE')).toEqual([491])
    phone.ask(invite, 'ACK', 1)
    phone.reply(first, '491 Request Pending')
    const refusedMs = performance.now()
    await phone.request('ACK', 2)
    phone.ask(invite, 'INVITE', 2, { body: sound({ version: 3, port: 6_060 }) })
    await expect.poll(() => statusesOf(phone.heard, 'INVITE')).toContain(200)
    phone.ask(invite, 'ACK', 2)
    const second = await phone.request('INVITE', 3)
    // Of T1 (50 ms here, 500 ms in earnest): 4.2 to 8 times, which is 2.1 to 4 seconds.
    expect(performance.now() - refusedMs).toBeGreaterThan(200)
    const versionOf = (request: ReceivedRequest) => parseSdp(request.body.toString()).session.version
    expect(versionOf(second)).toBeGreaterThan(versionOf(first))
    phone.reply(second, '200 OK', { body: sound({ version: 4, direction: 'recvonly' }) })
    expect(await holding).toBe(true)
    expect((await until(call, 'media')).media.remote.port).toBe(6_060)
    await isOver()
  })

  it('whoever called waits 2.1 to 4 s, whoever was called at most 2 (RFC 3261 §14.1)', () => {
    const waits = (isCaller: boolean) => Array.from({ length: 500 }, () => glareMs(500, isCaller))
    const [caller, called] = [waits(true), waits(false)]
    expect(caller.every((ms) => ms >= 2_100 && ms <= 4_000)).toBe(true)
    expect(called.every((ms) => ms >= 0 && ms <= 2_000)).toBe(true)
    expect(new Set([...caller, ...called]).size).toBeGreaterThan(900)
  })

  it('whoever was called asks again too', async () => {
    const far = answering()
    const agent = await startAgent({ trunks: [everyone], onInvite: far.onInvite, timing: { t1Ms: 50 } })
    const phone = await startWirePhone()
    const toTag = await phone.getThrough(agent.ports.udp)
    const call = far.calls[0] as SipCall
    await until(call, 'answered')
    const holding = call.hold()
    for (const count of [1, 2, 3]) phone.reply(await phone.request('INVITE', count), '491 Request Pending')
    phone.reply(await phone.request('INVITE', 4), '200 OK', { body: sound({ version: 2, direction: 'recvonly' }) })
    expect(await holding).toBe(true)
    phone.call(agent.ports.udp, 'BYE', 2, { toTag })
    await endOf(call)
  })

  it('a sign of life without a description is answered while a change is under way', async () => {
    const { phone, call, invite, isOver } = await dialled()
    const holding = call.hold()
    const change = await phone.request('INVITE', 2)
    phone.ask(invite, 'UPDATE', 1)
    await expect.poll(() => statusesOf(phone.heard, 'UPDATE')).toEqual([200])
    phone.reply(change, '488 Not Acceptable Here')
    expect(await holding).toBe(false)
    await isOver()
  })
})

describe('after a description with sound and video', () => {
  const withVideo = (text: string) => text.replace('m=audio', 'm=video 7000 RTP/AVP 31\r\nm=audio')

  it('our own keeps the number and order of its media, the refused ones with port 0', async () => {
    const { phone, call, invite, isOver } = await dialled()
    phone.ask(invite, 'INVITE', 1, { body: withVideo(sound({ version: 2 })) })
    await expect.poll(() => statusesOf(phone.heard, 'INVITE')).toEqual([200])
    phone.ask(invite, 'ACK', 1)
    const holding = call.hold()
    const ours = await phone.request('INVITE', 2)
    expect(mediaLines(ours)).toEqual(['m=video 0', 'm=audio 40000'])
    phone.reply(ours, '200 OK', { body: withVideo(sound({ version: 3, direction: 'recvonly' })) })
    expect(await holding).toBe(true)
    phone.ask(invite, 'INVITE', 2)
    await expect.poll(() => statusesOf(phone.heard, 'INVITE')).toEqual([200, 200])
    const offered = phone.heard.findLast((each) => each.kind === 'response')
    expect(offered && mediaLines(offered)).toEqual(['m=video 0', 'm=audio 40000'])
    phone.ask(invite, 'ACK', 2, { body: withVideo(sound({ version: 4 })) })
    await isOver()
  })
})

it('our key stays what it is when the other side asks for our description', async () => {
  const key = Buffer.alloc(30, 7).toString('base64')
  const lines = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${key}\n`
  const { phone, invite, isOver } = await dialled({ trunk: { srtp: 'offer' }, body: sound({ lines }) })
  const keyOf = (message: { body: Buffer }) =>
    parseSdp(message.body.toString()).media[0]?.crypto.find(({ suite }) => suite === 'AES_CM_128_HMAC_SHA1_80')?.key
  phone.ask(invite, 'INVITE', 1)
  await expect.poll(() => statusesOf(phone.heard, 'INVITE')).toEqual([200])
  const offered = phone.heard.findLast((each) => each.kind === 'response')
  expect(offered && keyOf(offered)).toBe(keyOf(invite))
  phone.ask(invite, 'ACK', 1, { body: sound({ version: 2, lines }) })
  await isOver()
})

describe('an interval too short for the other side (422)', () => {
  const tooShort = '422 Session Interval Too Small'
  const intervalsOf = (request: ReceivedRequest) => [headerOf(request, 'session-expires'), headerOf(request, 'min-se')]

  it('of an INVITE: once more with theirs, which is then also the least we take', async () => {
    const phone = await startWirePhone()
    const agent = await startAgent()
    const dialling = agent.dial(trunkTo(phone.port), dialOptions(), never).then(endOf, (error: Error) => error)
    phone.reply(await phone.request('INVITE'), tooShort, { headers: ['Min-SE: 3600'] })
    const again = await phone.request('INVITE', 2)
    expect(intervalsOf(again)).toEqual(['3600', '3600'])
    phone.reply(again, '486 Busy Here')
    expect(await dialling).toMatchObject({ reason: 'busy' })
  })

  it('again and again: the dial is refused after three rounds', async () => {
    const phone = await startWirePhone()
    const agent = await startAgent()
    const dialling = agent.dial(trunkTo(phone.port), dialOptions(), never).then(endOf, (error: Error) => error)
    for (const round of [1, 2, 3, 4])
      phone.reply(await phone.request('INVITE', round), tooShort, { headers: [`Min-SE: ${1_800 + round}`] })
    expect(await dialling).toMatchObject({ reason: 'carrier_error' })
    await sleep(50)
    expect(phone.requests('INVITE')).toHaveLength(4)
  })

  it.each(['UPDATE', 'INVITE'])('of a refresh by %s: refreshed with theirs, and the call stands', async (method) => {
    const allow = method === 'UPDATE' ? ['Allow: UPDATE'] : []
    const { phone, isOver } = await dialled({ headers: ['Session-Expires: 2;refresher=uac', ...allow] })
    const before = phone.requests(method).length
    phone.reply(await phone.request(method, before + 1), tooShort, { headers: ['Min-SE: 600'] })
    const again = await phone.request(method, before + 2)
    expect(intervalsOf(again)).toEqual(['600;refresher=uac', '600'])
    const body = method === 'INVITE' ? sound() : null
    phone.reply(again, '200 OK', { headers: ['Session-Expires: 600;refresher=uac'], body })
    await sleep(1_500)
    expect(phone.requests('BYE')).toHaveLength(0)
    await isOver()
  })
})

describe('sound wanted at a host by name', () => {
  const body = sound({ version: 2, address: 'media.carrier.test' })

  it('of a change is refused with 488, and the call goes on', async () => {
    const { phone, invite, isOver } = await dialled()
    phone.ask(invite, 'INVITE', 1, { body })
    await expect.poll(() => statusesOf(phone.heard, 'INVITE')).toEqual([488])
    phone.ask(invite, 'ACK', 1)
    await sleep(50)
    expect(phone.requests('BYE')).toHaveLength(0)
    await isOver()
  })

  it('of a call that comes in is refused with 488', async () => {
    const refused: unknown[] = []
    const onInvite = (invitation: Invitation) => {
      try {
        invitation.answer({ address: '127.0.0.1', port: 40_002 })
      } catch (error) {
        refused.push(error)
      }
    }
    const agent = await startAgent({ trunks: [everyone], onInvite })
    const phone = await startWirePhone()
    phone.call(agent.ports.udp, 'INVITE', 1, { body })
    await phone.answers('INVITE')
    expect(statusesOf(phone.heard, 'INVITE')).toContain(488)
    expect(refused).toHaveLength(1)
    expect(agent.openCalls()).toBe(0)
  })
})
