import { describe, expect, it } from 'vitest'
import type { SipCall } from '../../src/adapters/sip/call.ts'
import { DialRefused } from '../../src/voice/ports.ts'
import { closeAgentsAtEnd, dialOptions, endOf, never, startAgent, trunkTo, typesOf, until } from './agent.ts'
import {
  answerAndWait,
  answerInvite,
  answerLast,
  askBack,
  pause,
  recv,
  recvInvite,
  scenario,
  sdp,
  expect as sees,
} from './scenario.ts'
import { startSipp, whyNoSipp } from './sipp.ts'

const reason = whyNoSipp()
closeAgentsAtEnd()

const outcomes = [
  ['486 Busy Here', 'busy'],
  ['600 Busy Everywhere', 'busy'],
  ['603 Decline', 'busy'],
  ['480 Temporarily Unavailable', 'no_answer'],
  ['408 Request Timeout', 'no_answer'],
  ['487 Request Terminated', 'no_answer'],
  ['404 Not Found', 'invalid_number'],
  ['410 Gone', 'invalid_number'],
  ['484 Address Incomplete', 'invalid_number'],
  ['604 Does Not Exist Anywhere', 'invalid_number'],
  ['403 Forbidden', 'carrier_error'],
  ['407 Proxy Authentication Required', 'carrier_error'],
  ['488 Not Acceptable Here', 'carrier_error'],
  ['500 Server Internal Error', 'carrier_error'],
  ['503 Service Unavailable', 'carrier_error'],
] as const

async function dialSipp(steps: string[], options: Parameters<typeof dialOptions>[0] = {}) {
  const sipp = await startSipp({ scenario: scenario(...steps) })
  const agent = await startAgent()
  const call = await agent.dial(trunkTo(sipp.port), dialOptions(options), never)
  return { sipp, agent, call }
}

describe.skipIf(reason)(`a carrier that says no (sipp)${reason ? `: skipped, ${reason}` : ''}`, () => {
  it.concurrent.each(outcomes)('%s is %s: refused before it rang, ended after', async (line, expected) => {
    const refusing = await startSipp({ scenario: scenario(recvInvite(), answerInvite(line), recv('ACK')) })
    const steps = [recvInvite(), answerInvite('180 Ringing'), answerInvite(line), recv('ACK')]
    const ringing = await startSipp({ scenario: scenario(...steps) })
    const agent = await startAgent()
    const error = await agent.dial(trunkTo(refusing.port), dialOptions(), never).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(DialRefused)
    expect(error).toMatchObject({ reason: expected })
    const call = await agent.dial(trunkTo(ringing.port), dialOptions(), never)
    expect(await typesOf(call)).toEqual(['ringing', 'ended'])
    expect(await endOf(call)).toMatchObject({ reason: expected, status: Number.parseInt(line, 10) })
    await Promise.all([refusing.finished, ringing.finished])
    expect(agent.openCalls()).toBe(0)
  })
})

describe.skipIf(reason).concurrent('a carrier that takes the call (sipp)', () => {
  it('answered, and we hang up', async () => {
    const { sipp, call } = await dialSipp([recvInvite(), answerInvite('180 Ringing'), ...answerAndWait()])
    const { media } = await until(call, 'answered')
    expect(media).toMatchObject({
      codec: { name: 'PCMA', payload: 8 },
      keys: { send: 101, receive: 101 },
      sends: true,
      receives: true,
    })
    expect(media.remote).toEqual({ address: '127.0.0.1', port: 6000, rtcpPort: 6001 })
    await call.hangup()
    await sipp.finished
    expect(await endOf(call)).toMatchObject({ reason: 'hangup', by: 'agent' })
  })

  it('answered without ringing, and the callee hangs up', async () => {
    const steps = [
      recvInvite(),
      answerInvite('200 OK', { body: sdp() }),
      recv('ACK'),
      askBack('BYE', { cseq: 1 }),
      sees(200),
    ]
    const { sipp, call } = await dialSipp(steps)
    expect(await typesOf(call)).toEqual(['answered', 'ended'])
    expect(await endOf(call)).toMatchObject({ reason: 'hangup', by: 'callee' })
    await sipp.finished
  })

  it('nobody answers: CANCEL when the ring time is over', async () => {
    const steps = [
      recvInvite(),
      answerInvite('180 Ringing'),
      recv('CANCEL'),
      answerLast('200 OK'),
      answerInvite('487 Request Terminated'),
      recv('ACK'),
    ]
    const { sipp, call } = await dialSipp(steps, { ringSeconds: 1 })
    expect(await endOf(call)).toMatchObject({ reason: 'no_answer' })
    await sipp.finished
  })

  it('given up before any provisional answer: CANCEL waits for one', async () => {
    const steps = [
      recvInvite(),
      pause(500),
      answerInvite('180 Ringing'),
      recv('CANCEL'),
      answerLast('200 OK'),
      answerInvite('487 Request Terminated'),
      recv('ACK'),
    ]
    const sipp = await startSipp({ scenario: scenario(...steps) })
    const agent = await startAgent()
    const giving = new AbortController()
    const dialling = agent.dial(trunkTo(sipp.port), dialOptions(), giving.signal)
    setTimeout(() => giving.abort(new Error('no longer wanted')), 100)
    await expect(dialling).rejects.toThrow('no longer wanted')
    await sipp.finished
    expect(agent.openCalls()).toBe(0)
  })

  it('given up at the moment of the answer: acknowledged and hung up at once', async () => {
    const steps = [recvInvite(), answerInvite('180 Ringing'), recv('CANCEL'), answerLast('200 OK'), ...answerAndWait()]
    const { sipp, call } = await dialSipp(steps)
    await until(call, 'ringing')
    await call.hangup()
    await sipp.finished
    expect(await typesOf(call)).toEqual(['ringing', 'ended'])
  })

  it('early media: its description comes before the answer', async () => {
    const steps = [
      recvInvite(),
      answerInvite('183 Session Progress', { body: sdp({ port: 6010 }) }),
      pause(100),
      ...answerAndWait(),
    ]
    const { sipp, call } = await dialSipp(steps)
    expect((await until(call, 'early')).media.remote.port).toBe(6010)
    await until(call, 'answered')
    await call.hangup()
    await sipp.finished
    expect(await typesOf(call)).toEqual(['ringing', 'early', 'answered', 'ended'])
  })

  it('PRACK: a reliable provisional answer is acknowledged, and its description counts for the answer', async () => {
    const reliable = { headers: 'Require: 100rel\nRSeq: 11', body: sdp({ port: 6020 }) }
    const isRight =
      '<action><ereg regexp="11 1 INVITE" search_in="hdr" header="RAck:" check_it="true" assign_to="rack"/></action>'
    const steps = [
      recvInvite(),
      answerInvite('183 Session Progress', reliable),
      recv('PRACK', isRight),
      '<Reference variables="rack"/>',
      answerLast('200 OK'),
      answerInvite('200 OK'),
      recv('ACK'),
      recv('BYE'),
      answerLast('200 OK'),
    ]
    const { sipp, call } = await dialSipp(steps)
    expect((await until(call, 'answered')).media.remote.port).toBe(6020)
    await call.hangup()
    await sipp.finished
  })

  it('UPDATE before the answer moves the early sound, and the answer keeps to it', async () => {
    const reliable = { headers: 'Require: 100rel\nRSeq: 1', body: sdp({ port: 6070 }) }
    const steps = [
      recvInvite(),
      answerInvite('183 Session Progress', reliable),
      recv('PRACK'),
      answerLast('200 OK'),
      askBack('UPDATE', { cseq: 1, body: sdp({ version: 2, port: 6072 }) }),
      sees(200),
      answerInvite('200 OK'),
      recv('ACK'),
      recv('BYE'),
      answerLast('200 OK'),
    ]
    const { sipp, call } = await dialSipp(steps)
    expect((await until(call, 'answered')).media.remote.port).toBe(6072)
    await call.hangup()
    await sipp.finished
    expect(await typesOf(call)).toEqual(['ringing', 'early', 'early', 'answered', 'ended'])
  })

  it('forked: the first phone that answers wins, the other is acknowledged and hung up', async () => {
    const by = (tag: string) =>
      `<action><ereg regexp="tag=${tag}" search_in="hdr" header="To:" check_it="true" assign_to="${tag}"/></action>`
    const steps = [
      recvInvite(),
      answerInvite('180 Ringing', { tag: 'one' }),
      answerInvite('180 Ringing', { tag: 'two' }),
      answerInvite('200 OK', { tag: 'two', body: sdp({ port: 6032 }) }),
      recv('ACK', by('two')),
      answerInvite('200 OK', { tag: 'one', body: sdp({ port: 6031 }) }),
      recv('ACK', by('one')),
      '<recv request="BYE"><action><ereg regexp="tag=one" search_in="hdr" header="To:" check_it="true" assign_to="bye"/></action></recv>',
      '<Reference variables="one,two,bye"/>',
      answerLast('200 OK'),
      recv('BYE'),
      answerLast('200 OK'),
    ]
    const { sipp, call } = await dialSipp(steps)
    expect((await until(call, 'answered')).media.remote.port).toBe(6032)
    setTimeout(() => void call.hangup(), 400)
    await sipp.finished
    expect(await typesOf(call)).toEqual(['ringing', 'answered', 'ended'])
  })

  it('the answer is repeated when our ACK was lost, and acknowledged again; it still answers once', async () => {
    const answer = answerInvite('200 OK', { body: sdp() })
    const steps = [
      recvInvite(),
      answer,
      recv('ACK'),
      answer,
      recv('ACK'),
      answer,
      recv('ACK'),
      recv('BYE'),
      answerLast('200 OK'),
    ]
    const { sipp, call } = await dialSipp(steps)
    await until(call, 'answered')
    setTimeout(() => void call.hangup(), 300)
    await sipp.finished
    expect(await typesOf(call)).toEqual(['answered', 'ended'])
  })

  it('an answer without sound we can carry is acknowledged and hung up', async () => {
    const { sipp, call } = await dialSipp([
      recvInvite(),
      answerInvite('180 Ringing'),
      answerInvite('200 OK'),
      recv('ACK'),
      recv('BYE'),
      answerLast('200 OK'),
    ])
    expect(await endOf(call as SipCall)).toMatchObject({ reason: 'carrier_error' })
    await sipp.finished
  })

  it('a session interval the carrier finds too small is asked for again, longer', async () => {
    const isRight = '<ereg regexp="7200" search_in="hdr" header="Session-Expires:" check_it="true" assign_to="se"/>'
    const steps = [
      recvInvite(),
      answerInvite('422 Session Interval Too Small', { headers: 'Min-SE: 7200' }),
      recv('ACK'),
      recvInvite(isRight),
      '<Reference variables="se"/>',
      ...answerAndWait(),
    ]
    const { sipp, call } = await dialSipp(steps)
    await until(call, 'answered')
    await call.hangup()
    await sipp.finished
  })
})
