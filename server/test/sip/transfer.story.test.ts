import { describe, expect, it } from 'vitest'
import type { Brain, BrainStep } from '../../src/voice/ports.ts'
import { usualLimits } from '../../src/voice/turn.ts'
import { createTestApp } from '../app.ts'
import { closeLinesAtEnd, startLines } from './lines.ts'
import {
  answerInvite,
  answerLast,
  askBack,
  notify,
  recv,
  recvInvite,
  scenario,
  sdp,
  expect as sees,
} from './scenario.ts'
import { startSipp, whyNoSipp } from './sipp.ts'

const reason = whyNoSipp()
closeLinesAtEnd()

const [callee, colleague] = ['+15005550101', '+442071838750']
const nobody = 'I am sorry, none of my colleagues could be reached.'
const connecting = 'I am putting you through to a colleague. One moment, please.'

/** Puts through whoever answers; tells a failure in the tool's words, and says goodbye. */
const brain: Brain = {
  turn: async function* (context, history) {
    const last = history.at(-1)
    if (history.length === 0) yield* [{ say: context.greeting }, { tool: 'transfer_to_human', args: {} }] as BrainStep[]
    else if (last?.role === 'tool') yield* [{ say: last.result.message }, { tool: 'end_call', args: {} }] as BrainStep[]
  },
}

const t = await createTestApp({
  workers: {
    createBrain: () => brain,
    limits: { ...usualLimits, transferMs: 2_000 },
    telephony: { sip: startLines({ rtpPorts: [23_500, 23_599] }) },
  },
})

let lines = 0
/** A call to sipp, which goes through these steps once it has answered; and what came of it. */
async function callThrough(steps: string[], agent: object = { transfer_to: colleague }) {
  const begin = [recvInvite(), answerInvite('200 OK', { body: sdp() }), recv('ACK')]
  const sipp = await startSipp({ scenario: scenario(...begin, ...steps) })
  // A line that is real belongs to one organisation.
  lines += 1
  const number = `+1415555010${lines}`
  const org = await t.organisation({
    trunks: [{ name: 'carrier', host: '127.0.0.1', port: sipp.port }],
    phone_numbers: [{ number, carrier: 'sip', trunk: 'carrier' }],
    agents: [{ name: 'Asha', number, greeting: 'Hello.', ...agent }],
  })
  const body = { agent_id: org.agentId, user_number: callee }
  const { call_id } = (await t.send(org.key, 'POST', '/v1/calls', body)).json().data
  const call = await t.untilCall(org.key, call_id, (each) => each.call_analytics !== null || each.status === 'failed')
  await sipp.finished
  const said = Array.isArray(call.call_transcript) ? call.call_transcript.map(({ text }) => text) : []
  return { status: call.status, disposition: call.call_analytics?.disposition, said }
}

const referred = `<recv request="REFER"><action>
<ereg regexp="sip:.${colleague.slice(1)}@127.0.0.1" search_in="hdr" header="Refer-To:" check_it="true" assign_to="seen"/>
</action></recv><Reference variables="seen"/>`
const weHangUp = [recv('BYE'), answerLast('200 OK')]
const taken = [referred, answerLast('202 Accepted'), notify(1, 'active;expires=60', '180 Ringing'), sees(200)]

describe.skipIf(reason).concurrent(`being put through (sipp)${reason ? `: skipped, ${reason}` : ''}`, () => {
  it('after its sentence the agent sends the callee on; when the colleague has them it hangs up: transferred', async () => {
    const connected = [notify(2, 'terminated;reason=noresource', '200 OK'), sees(200)]
    expect(await callThrough([...taken, ...connected, ...weHangUp])).toEqual({
      status: 'completed',
      disposition: 'transferred',
      said: ['Hello.', connecting],
    })
  })

  it('a carrier that takes them and hangs up by itself: transferred too', async () => {
    const result = await callThrough([...taken, askBack('BYE', { cseq: 2 }), sees(200)])
    expect(result).toMatchObject({ status: 'completed', disposition: 'transferred' })
  })

  it.each([
    ['a carrier that cannot transfer', [referred, answerLast('405 Method Not Allowed')]],
    ['a colleague who is busy', [...taken, notify(2, 'terminated;reason=noresource', '486 Busy Here'), sees(200)]],
    ['a colleague who does not answer in time', taken],
  ])('%s: the callee is told that nobody was reached, and it is not reported as transferred', async (_who, steps) => {
    expect(await callThrough([...steps, ...weHangUp])).toEqual({
      status: 'completed',
      disposition: 'session_ended',
      said: ['Hello.', connecting, nobody],
    })
  })

  it('an agent without a colleague just ends the call, as transferred', async () => {
    expect(await callThrough(weHangUp, {})).toEqual({
      status: 'completed',
      disposition: 'transferred',
      said: ['Hello.', connecting],
    })
  })
})
