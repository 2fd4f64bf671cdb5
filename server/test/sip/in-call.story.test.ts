import { describe, expect, it } from 'vitest'
import { closeAgentsAtEnd, dialOptions, endOf, never, startAgent, trunkTo, typesOf, until } from './agent.ts'
import {
  answerAndWait,
  answerInvite,
  answerLast,
  askBack,
  notify,
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

/** An answered call to sipp, which then goes through `steps`. */
async function answered(steps: string[], { headers = '', timing = {} } = {}) {
  const begin = [recvInvite(), answerInvite('200 OK', { headers, body: sdp() }), recv('ACK')]
  const sipp = await startSipp({ scenario: scenario(...begin, ...steps) })
  const agent = await startAgent({ timing })
  const call = await agent.dial(trunkTo(sipp.port), dialOptions(), never)
  await until(call, 'answered')
  return { sipp, agent, call }
}
const weHangUp = [recv('BYE'), answerLast('200 OK')]
const theyHangUp = (cseq: number) => [askBack('BYE', { cseq }), sees(200)]
const withAck = (cseq: number) => [sees(200, 'rrs="true"'), askBack('ACK', { cseq })]
const has = (header: string, regexp: string) =>
  `<action><ereg regexp="${regexp}" search_in="hdr" header="${header}:" check_it="true" assign_to="seen"/></action>`
const bodyHas = (regexp: string) =>
  `<action><ereg regexp="${regexp}" search_in="body" check_it="true" assign_to="seen"/></action>`
const seen = '<Reference variables="seen"/>'

describe.skipIf(reason).concurrent(`inside a call (sipp)${reason ? `: skipped, ${reason}` : ''}`, () => {
  it('the callee holds and resumes, in the new way and the old', async () => {
    const change = (cseq: number, body: string) => [
      askBack('INVITE', { cseq, body }),
      sees(100, 'optional="true"'),
      ...withAck(cseq),
    ]
    const { sipp, call } = await answered([
      ...change(1, sdp({ version: 2, direction: 'sendonly' })),
      ...change(2, sdp({ version: 3 })),
      ...change(3, sdp({ version: 4, address: '0.0.0.0' })),
      ...change(4, sdp({ version: 5, port: 6044 })),
      ...theyHangUp(5),
    ])
    await sipp.finished
    expect(await typesOf(call)).toEqual([
      'answered',
      'remote-hold',
      'remote-resume',
      'remote-hold',
      'remote-resume',
      'ended',
    ])
    expect((await until(call, 'remote-hold')).media.sends).toBe(false)
  })

  it('we hold and resume', async () => {
    const { sipp, call } = await answered([
      recv('INVITE', bodyHas('a=sendonly')),
      seen,
      answerLast('200 OK', { body: sdp({ version: 2, direction: 'recvonly' }) }),
      recv('ACK'),
      recv('INVITE', bodyHas('a=sendrecv')),
      answerLast('200 OK', { body: sdp({ version: 3 }) }),
      recv('ACK'),
      ...weHangUp,
    ])
    expect(await call.hold()).toBe(true)
    expect(await call.resume()).toBe(true)
    await call.hangup()
    await sipp.finished
  })

  it('a hold the callee refuses changes nothing', async () => {
    const { sipp, call } = await answered([
      recv('INVITE'),
      answerLast('488 Not Acceptable Here'),
      recv('ACK'),
      ...weHangUp,
    ])
    expect(await call.hold()).toBe(false)
    await call.hangup()
    await sipp.finished
    expect(await typesOf(call)).toEqual(['answered', 'ended'])
  })

  it('a change without a description gets ours, and theirs comes with the ACK', async () => {
    const { sipp, call } = await answered([
      askBack('INVITE', { cseq: 1 }),
      sees(100, 'optional="true"'),
      sees(200),
      askBack('ACK', { cseq: 1, body: sdp({ version: 2, port: 6050 }) }),
      ...theyHangUp(2),
    ])
    await sipp.finished
    expect((await until(call, 'media')).media.remote.port).toBe(6050)
  })

  it('UPDATE is accepted, with and without a description', async () => {
    const { sipp, call } = await answered([
      askBack('UPDATE', { cseq: 1 }),
      sees(200),
      askBack('UPDATE', { cseq: 2, body: sdp({ version: 2, port: 6060 }) }),
      sees(200),
      ...theyHangUp(3),
    ])
    await sipp.finished
    expect((await until(call, 'media')).media.remote.port).toBe(6060)
  })

  it('a change we cannot carry is refused with 488, and the call goes on', async () => {
    const video = 'v=0\no=peer 7 2 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 6000 RTP/AVP 18'
    const { sipp, call } = await answered([
      askBack('UPDATE', { cseq: 1, body: video }),
      sees(488),
      askBack('OPTIONS', { cseq: 2 }),
      sees(200),
      askBack('REFER', { cseq: 3, headers: 'Refer-To: <sip:elsewhere@127.0.0.1>' }),
      sees(405),
      ...weHangUp,
    ])
    setTimeout(() => void call.hangup(), 300)
    await sipp.finished
    expect(await typesOf(call)).toEqual(['answered', 'ended'])
  })

  it('keys told by INFO arrive; ours are sent', async () => {
    const info = askBack('INFO', { cseq: 1, body: 'Signal=5\nDuration=160' }).replace(
      'application/sdp',
      'application/dtmf-relay',
    )
    const { sipp, call } = await answered([
      info,
      sees(200),
      recv('INFO', bodyHas('Signal=#')),
      seen,
      answerLast('200 OK'),
      ...weHangUp,
    ])
    expect((await until(call, 'digit')).digit).toBe('5')
    expect(await call.sendInfoDigit('#')).toBe(true)
    await call.hangup()
    await sipp.finished
  })

  it('a transfer: REFER, and the reports about it', async () => {
    const { sipp, call } = await answered([
      recv('REFER', has('Refer-To', 'sip:.15005550009@127.0.0.1')),
      seen,
      answerLast('202 Accepted'),
      notify(1, 'active;expires=60', '100 Trying'),
      sees(200),
      notify(2, 'terminated;reason=noresource', '200 OK'),
      sees(200),
      ...weHangUp,
    ])
    expect(await call.refer('+15005550009')).toEqual({ outcome: 'connected', status: 200 })
    await call.hangup()
    await sipp.finished
  })

  it('a transfer the carrier refuses, or takes on and hangs up', async () => {
    const refusing = await answered([recv('REFER'), answerLast('603 Decline'), ...weHangUp])
    expect(await refusing.call.refer('+15005550009')).toEqual({ outcome: 'refused', status: 603 })
    await refusing.call.hangup()
    const taking = await answered([recv('REFER'), answerLast('202 Accepted'), ...theyHangUp(1)])
    expect(await taking.call.refer('+15005550009')).toEqual({ outcome: 'accepted', status: null })
    await Promise.all([refusing.sipp.finished, taking.sipp.finished])
  })

  it('a callee who hangs up before a transfer is taken on was not transferred', async () => {
    const { sipp, call } = await answered([recv('REFER'), ...theyHangUp(1)])
    expect(await call.refer('+15005550009')).toEqual({ outcome: 'refused', status: null })
    await sipp.finished
  })

  it('a transfer that is taken on and ends with nobody there', async () => {
    const { sipp, call } = await answered([
      recv('REFER'),
      answerLast('202 Accepted'),
      notify(1, 'active;expires=60', '180 Ringing'),
      sees(200),
      notify(2, 'terminated;reason=noresource', '486 Busy Here'),
      sees(200),
      ...weHangUp,
    ])
    expect(await call.refer('+15005550009')).toEqual({ outcome: 'refused', status: 486 })
    await call.hangup()
    await sipp.finished
  })
})

describe.skipIf(reason).concurrent('session timers (sipp)', () => {
  it('we refresh with UPDATE where the callee knows it', async () => {
    const refreshed = [
      recv('UPDATE', has('Session-Expires', '2;refresher=uac')),
      seen,
      answerLast('200 OK', { headers: 'Session-Expires: 2;refresher=uac' }),
    ]
    const headers = 'Session-Expires: 2;refresher=uac\nRequire: timer\nAllow: INVITE, ACK, BYE, UPDATE'
    const { sipp, call } = await answered(
      [
        ...refreshed,
        recv('UPDATE'),
        answerLast('200 OK', { headers: 'Session-Expires: 90;refresher=uac' }),
        ...theyHangUp(1),
      ],
      { headers },
    )
    await sipp.finished
    expect(await endOf(call)).toMatchObject({ by: 'callee' })
  })

  it('we refresh with a re-INVITE where it does not', async () => {
    const headers = 'Session-Expires: 2;refresher=uac\nRequire: timer'
    const answer = answerLast('200 OK', { headers: 'Session-Expires: 90;refresher=uac', body: sdp() })
    const { sipp } = await answered([recv('INVITE'), answer, recv('ACK'), ...theyHangUp(1)], { headers })
    await sipp.finished
  })

  it('the callee refreshes, and the call stands', async () => {
    const headers = 'Session-Expires: 3;refresher=uas'
    const refresh = askBack('UPDATE', { cseq: 1, headers: 'Supported: timer\nSession-Expires: 90;refresher=uac' })
    const { sipp, call } = await answered(
      [
        pause(1_000),
        refresh,
        `<recv response="200">${has('Session-Expires', '90;refresher=uac')}</recv>`,
        seen,
        pause(1_500),
        ...theyHangUp(2),
      ],
      { headers },
    )
    await sipp.finished
    expect(await endOf(call)).toMatchObject({ reason: 'hangup', by: 'callee' })
  })

  it('a callee that should refresh and does not is hung up, and the line counts as dropped', async () => {
    const { sipp, call } = await answered(weHangUp, { headers: 'Session-Expires: 3;refresher=uas' })
    expect(await endOf(call)).toMatchObject({ reason: 'line_dropped', by: 'carrier' })
    await sipp.finished
  })

  it('a callee that no longer knows the call ends it', async () => {
    const headers = 'Session-Expires: 2;refresher=uac\nAllow: UPDATE'
    const { sipp, call } = await answered(
      [recv('UPDATE'), answerLast('481 Call/Transaction Does Not Exist'), ...weHangUp],
      { headers },
    )
    expect(await endOf(call)).toMatchObject({ reason: 'line_dropped' })
    await sipp.finished
  })

  it('an interval shorter than we take is refused with 422 and the least we take', async () => {
    const update = askBack('UPDATE', { cseq: 1, headers: 'Supported: timer\nSession-Expires: 30' })
    const { sipp, call } = await answered([
      update,
      `<recv response="422">${has('Min-SE', '90')}</recv>`,
      seen,
      ...weHangUp,
    ])
    setTimeout(() => void call.hangup(), 300)
    await sipp.finished
  })
})

it.skipIf(reason)('a callee that is there until the end has nothing left open', async () => {
  const sipp = await startSipp({ scenario: scenario(recvInvite(), ...answerAndWait()), calls: 10 })
  const agent = await startAgent()
  const calls = await Promise.all(
    Array.from({ length: 10 }, () => agent.dial(trunkTo(sipp.port), dialOptions(), never)),
  )
  await Promise.all(calls.map((call) => until(call, 'answered')))
  expect(agent.openCalls()).toBe(10)
  await Promise.all(calls.map((call) => call.hangup()))
  await sipp.finished
  expect(agent.openCalls()).toBe(0)
})
