import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeTelephony } from '../../src/adapters/conformance/telephony.ts'
import type { Invitation } from '../../src/adapters/sip/invitation.ts'
import type { UserAgent } from '../../src/adapters/sip/user-agent.ts'
import { type CallLeg, DialRefused } from '../../src/voice/ports.ts'
import { startBaresip } from '../rtp/baresip.ts'
import { closeAgentsAtEnd, startAgent, trunkTo } from './agent.ts'
import { closeLinesAtEnd, startLines, trunkData } from './lines.ts'
import { channelOf, whyNoBaresip } from './person.ts'
import { answerInvite, answerLast, notify, recv, recvInvite, scenario, sdp, expect as sees } from './scenario.ts'
import { startSipp, whyNoSipp } from './sipp.ts'

closeLinesAtEnd()
closeAgentsAtEnd()
const noSipp = whyNoSipp()
const noBaresip = whyNoBaresip()

const numbers = {
  answers: '+15005550101',
  busy: '+15005550102',
  neverAnswers: '+15005550103',
  invalid: '+15005550104',
  hangsUp: '+15005550105',
  ...(noSipp ? {} : { takesTransfers: '+15005550107' }),
}
const pressesKeys = '+15005550106'
const statuses: Record<string, [number, string]> = {
  [numbers.busy]: [486, 'Busy Here'],
  [numbers.invalid]: [404, 'Not Found'],
}

let phones: UserAgent
let invites = 0
/** Somebody else's end of the wire: a user agent with phones behind it. */
const ringPhone = (invitation: Invitation) => {
  invites += 1
  const [to = ''] = invitation.to
  const refusal = statuses[to]
  if (refusal) return void invitation.reject(...refusal)
  invitation.ring()
  if (to === numbers.neverAnswers) return
  const call = invitation.answer({ address: '127.0.0.1', port: 40_002 })
  if (to === pressesKeys) {
    setTimeout(async () => {
      for (const key of '42#') await call.sendInfoDigit(key)
    }, 300)
  }
  if (to === numbers.hangsUp) setTimeout(() => void call.hangup(), 600)
}
beforeAll(async () => {
  // Calls come from ports that change: known by their address.
  phones = await startAgent({ trunks: [trunkTo(1, { name: 'parley' })], onInvite: ringPhone })
})

const never = new AbortController().signal
const rtpPorts: [number, number] = [23_000, 23_099]

/** A telephone that lets itself be sent on, which ours do not. */
const sentOn = () =>
  startSipp({
    scenario: scenario(
      recvInvite(),
      answerInvite('200 OK', { body: sdp() }),
      recv('ACK'),
      recv('REFER'),
      answerLast('202 Accepted'),
      notify(1, 'terminated;reason=noresource', '200 OK'),
      sees(200),
      recv('BYE'),
      answerLast('200 OK'),
    ),
  })

describeTelephony('SIP', async () => {
  const telephony = startLines({ rtpPorts })
  const portOf = async (to: string) => (to === numbers.takesTransfers ? (await sentOn()).port : phones.ports.udp)
  const dial: typeof telephony.dial = async (request, signal) =>
    telephony.dial({ ...request, trunk: trunkData(await portOf(request.to)) }, signal)
  return { telephony: { ...telephony, dial }, from: '+15005550000', numbers, openLegs: telephony.openLegs }
})

describe('calls over a trunk', () => {
  const telephony = startLines({ rtpPorts: [23_100, 23_199] })
  afterAll(() => telephony.close())
  const dial = (to: string) =>
    telephony.dial(
      { callId: 'call_1', from: '+15005550000', to, ringSeconds: 20, trunk: trunkData(phones.ports.udp) },
      never,
    )
  const answered = async (leg: CallLeg) => {
    for await (const event of leg.events) if (event.type === 'answered') return
  }

  it('are rung once, recorded as they were heard, and leave a trace by which another node can end them', async () => {
    const before = invites
    const leg = await dial(numbers.answers)
    await answered(leg)
    await leg.speech.say('word word word', 'en', never)
    const trace = leg.trace?.()
    expect(trace).toMatchObject({
      carrier: 'sip',
      trunkId: trunkData(1).trunkId,
      dialog: { callId: expect.stringMatching(/^call_1\./) },
    })
    expect(JSON.stringify(trace)).not.toContain('password')
    // Another node, which knows no more than the trace.
    const other = startLines({ rtpPorts: [23_200, 23_299] })
    await other.endLost?.(JSON.parse(JSON.stringify(trace)), trunkData(phones.ports.udp))
    expect(phones.openCalls()).toBe(0)
    await leg.hangup()
    const wav = await leg.recording?.()
    expect(wav?.subarray(0, 4).toString()).toBe('RIFF')
    expect(wav?.subarray(44).some((byte) => byte !== 0)).toBe(true)
    expect(invites - before).toBe(1)
  })

  it.skipIf(noSipp)('one that still rings when its node dies is ended by the trace too (sipp)', async () => {
    const sipp = await startSipp({
      scenario: scenario(
        recvInvite(),
        answerInvite('180 Ringing'),
        recv('BYE'),
        answerLast('200 OK'),
        answerInvite('487 Request Terminated'),
        recv('ACK'),
      ),
    })
    const trunk = trunkData(sipp.port)
    const request = { callId: 'call_1', from: '+15005550000', to: numbers.answers, ringSeconds: 20, trunk }
    const leg = await telephony.dial(request, never)
    for await (const event of leg.events) if (event.type === 'ringing') break
    const other = startLines({ rtpPorts: [23_400, 23_499] })
    // sipp answers only to where its call came from first; that it was told goodbye is what counts.
    other.endLost?.(JSON.parse(JSON.stringify(leg.trace?.())), trunk).catch(() => {})
    await sipp.finished
    await leg.hangup()
  })

  it.skipIf(noBaresip)('under SRTP, what is said comes back from a telephone of another house (baresip)', async () => {
    const baresip = await startBaresip(22_800, 'srtp-mand')
    // Over TLS in earnest; here only the sound is looked at.
    const trunk = trunkData(22_800, { srtp: 'require' })
    const request = { callId: 'call_1', from: '+15005550000', to: 'peer', ringSeconds: 20, trunk }
    const leg = await telephony.dial(request, never)
    await answered(leg)
    await leg.speech.say('word '.repeat(20).trim(), 'en', never)
    await leg.hangup()
    const wav = await leg.recording?.()
    // Every word is a tone at 1,000; its echo is on the other side of the recording.
    const echoed = channelOf(wav ?? Buffer.alloc(44), 1).filter((sample) => Math.abs(sample - 1_000) < 100)
    expect(echoed.length).toBeGreaterThan(4_000)
    await baresip.stop()
  })

  it('keys the other side presses are heard as input', async () => {
    const leg = await dial(pressesKeys)
    await answered(leg)
    expect(await leg.speech.listen({ silenceSeconds: 10 }, never)).toMatchObject({ type: 'speech', text: '4 2' })
    await leg.hangup()
  })

  it('a number without a trunk, and a node without a voice, ring nobody', async () => {
    const before = invites
    const request = { callId: 'call_1', from: '+15005550000', to: numbers.answers, ringSeconds: 20 }
    await expect(telephony.dial(request, never)).rejects.toBeInstanceOf(DialRefused)
    const mute = startLines({ rtpPorts, speech: () => Promise.reject(new Error('Nothing speaks.')) })
    const trunk = trunkData(phones.ports.udp)
    await expect(mute.dial({ ...request, trunk }, never)).rejects.toThrow('Nothing speaks.')
    expect(invites).toBe(before)
  })

  it('more calls than there are ports are refused, and none of them rings', async () => {
    const before = invites
    const small = startLines({ rtpPorts: [23_300, 23_301] })
    const trunk = trunkData(phones.ports.udp)
    const request = { callId: 'call_1', from: '+15005550000', to: numbers.neverAnswers, ringSeconds: 20, trunk }
    const first = await small.dial(request, never)
    await expect(small.dial(request, never)).rejects.toBeInstanceOf(DialRefused)
    await first.hangup()
    expect(invites - before).toBe(1)
  })
})
