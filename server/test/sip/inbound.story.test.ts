import { describe, expect, it } from 'vitest'
import type { Invitation } from '../../src/adapters/sip/invitation.ts'
import { answering, closeAgentsAtEnd, endOf, quick, startAgent, trunkTo, typesOf, until } from './agent.ts'
import { answerLast, maybe, pause, recv, scenario, sdp, expect as sees } from './scenario.ts'
import { startSipp, whyNoSipp } from './sipp.ts'

const reason = whyNoSipp()
closeAgentsAtEnd()
const everyone = trunkTo(1, { name: 'carrier' })

type Ask = { cseq: number; headers?: string; body?: string | null; to?: string; branch?: string }
/** A request of the caller's. */
const ask = (
  method: string,
  { cseq, headers = '', body = null, to = '[peer_tag_param]', branch = '[branch]' }: Ask,
): string =>
  `<send${method === 'ACK' ? '' : ' retrans="500"'}><![CDATA[
${method} sip:+15005550000@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=${branch};rport
From: "Caller" <sip:+15005551111@[local_ip]:[local_port]>;tag=c[call_number]
To: <sip:+15005550000@[remote_ip]:[remote_port]>${to}
Call-ID: [call_id]
CSeq: ${cseq} ${method}
Contact: <sip:caller@[local_ip]:[local_port];transport=[transport]>
Max-Forwards: 70${headers && `\n${headers}`}
${body === null ? 'Content-Length: 0\n' : `Content-Type: application/sdp\nContent-Length: [len]\n\n${body}`}
]]></send>`
const invite = (more: Partial<Ask> = {}) => ask('INVITE', { cseq: 1, body: sdp(), to: '', ...more })
const ack = (more: Partial<Ask> = {}) => ask('ACK', { cseq: 1, ...more })
const bye = [ask('BYE', { cseq: 2 }), sees(200)]
const untilAnswered = [maybe(100), maybe(180), sees(200)]

async function called(steps: string[], onInvite: (invitation: Invitation) => void, transport: 'udp' | 'tcp' = 'udp') {
  const agent = await startAgent({
    trunks: [everyone],
    onInvite,
    listen: { host: '127.0.0.1', udpPort: 0, tcpPort: 0 },
  })
  const sipp = await startSipp({ scenario: scenario(...steps), calling: agent.ports[transport], transport })
  return { agent, sipp }
}

describe.skipIf(reason).concurrent(`someone calls us (sipp)${reason ? `: skipped, ${reason}` : ''}`, () => {
  for (const transport of ['udp', 'tcp'] as const) {
    it(`over ${transport}: tried, rung, answered, hung up by the caller`, async () => {
      const invitations: Invitation[] = []
      const far = answering((invitation) => invitations.push(invitation))
      const { sipp, agent } = await called(
        [invite(), sees(100), sees(180), sees(200), ack(), ...bye],
        far.onInvite,
        transport,
      )
      await sipp.finished
      const [call] = far.calls
      if (!call) throw new Error('Nobody called.')
      expect(await typesOf(call)).toEqual(['answered', 'ended'])
      expect(invitations[0]).toMatchObject({ from: '+15005551111', to: ['+15005550000'], trunk: { name: 'carrier' } })
      expect((await until(call, 'answered')).media.codec).toEqual({ name: 'PCMA', payload: 8 })
      expect(agent.openCalls()).toBe(0)
    })
  }

  it('we refresh the call when the caller leaves that to us', async () => {
    const far = answering()
    const timing = { minSessionSeconds: 1 }
    const agent = await startAgent({ trunks: [everyone], onInvite: far.onInvite, timing })
    const headers = 'Supported: timer\nAllow: UPDATE\nSession-Expires: 2;refresher=uas'
    const steps = [invite({ headers }), ...untilAnswered, ack(), recv('UPDATE'), answerLast('200 OK'), ...bye]
    const sipp = await startSipp({ scenario: scenario(...steps), calling: agent.ports.udp })
    await sipp.finished
  })

  it('we hang up; the caller is told', async () => {
    const far = answering((_invitation, call) => void until(call, 'answered').then(() => call.hangup()))
    const { sipp } = await called([invite(), ...untilAnswered, ack(), recv('BYE'), answerLast('200 OK')], far.onInvite)
    await sipp.finished
  })

  it('the caller is put through to somebody else, and told goodbye', async () => {
    const outcomes: unknown[] = []
    const far = answering((_invitation, call) =>
      until(call, 'answered').then(async () => {
        outcomes.push(await call.refer('+15005550009'))
        await call.hangup()
      }),
    )
    const headers = 'Event: refer\nSubscription-State: terminated;reason=noresource'
    const report = ask('NOTIFY', { cseq: 2, headers, body: 'SIP/2.0 200 OK' })
    const steps = [
      ...[invite(), ...untilAnswered, ack(), recv('REFER'), answerLast('202 Accepted')],
      ...[report.replace('application/sdp', 'message/sipfrag'), sees(200), recv('BYE'), answerLast('200 OK')],
    ]
    const { sipp } = await called(steps, far.onInvite)
    await sipp.finished
    expect(outcomes).toEqual([{ outcome: 'connected', status: 200 }])
  })

  it('rejected as busy', async () => {
    const { sipp } = await called([invite(), maybe(100), sees(486), ack({ branch: '[branch-2]' })], (invitation) =>
      invitation.reject(486, 'Busy Here'),
    )
    await sipp.finished
  })

  it('a caller who gives up gets 487, and whoever was asked learns of it', async () => {
    let gaveUp = false
    const cancel = ask('CANCEL', { cseq: 1, to: '', branch: '[branch-3]' })
    const { sipp } = await called(
      [invite(), sees(100), sees(180), cancel, sees(200), sees(487), ack({ branch: '[branch-6]' })],
      (invitation) => {
        invitation.ring()
        invitation.signal.addEventListener('abort', () => {
          gaveUp = true
        })
      },
    )
    await sipp.finished
    expect(gaveUp).toBe(true)
  })

  it('a call without a description gets ours, and is answered with the one in its ACK', async () => {
    const far = answering()
    const { sipp } = await called(
      [invite({ body: null }), ...untilAnswered, ack({ body: sdp({ port: 6066 }) }), ...bye],
      far.onInvite,
    )
    await sipp.finished
    const [call] = far.calls
    expect(call && (await until(call, 'answered')).media.remote.port).toBe(6066)
  })

  it('what we do not know, or cannot carry, is refused with its reason', async () => {
    const far = answering()
    const refused = (request: string, status: number) => [request, maybe(100), maybe(180), sees(status)]
    const g729 = sdp().replace('m=audio 6000 RTP/AVP 8 0 101', 'm=audio 6000 RTP/AVP 18')
    const scenarios = [
      refused(invite({ headers: 'Require: nonsense' }), 420),
      refused(invite({ headers: 'Supported: timer\nSession-Expires: 10' }), 422),
      refused(invite({ body: g729 }), 488),
      refused(ask('SUBSCRIBE', { cseq: 1, to: '', headers: 'Event: presence' }), 405),
      refused(ask('BYE', { cseq: 1, to: ';tag=nobody' }), 481),
      refused(ask('OPTIONS', { cseq: 1, to: '' }), 200),
    ]
    const done = await Promise.all(
      scenarios.map(async (steps) => {
        const isInvite = steps[0]?.includes('INVITE sip:')
        const { sipp } = await called(isInvite ? [...steps, ack({ branch: '[branch-4]' })] : steps, (invitation) => {
          try {
            far.onInvite(invitation)
          } catch {}
        })
        return sipp.finished
      }),
    )
    expect(done).toHaveLength(scenarios.length)
    expect(far.calls).toHaveLength(0)
  })

  it('an answer nobody acknowledges is repeated, then taken back', async () => {
    const far = answering()
    const agent = await startAgent({ trunks: [everyone], onInvite: far.onInvite, timing: quick })
    const sipp = await startSipp({
      scenario: scenario(invite(), ...untilAnswered, sees(200), sees(200), pause(4_000)),
      calling: agent.ports.udp,
      more: ['-aa'],
    })
    await sipp.finished.catch(() => {})
    const [call] = far.calls
    expect(call && (await endOf(call))).toMatchObject({ reason: 'line_dropped', by: 'carrier' })
  })
})

describe.skipIf(reason).concurrent('strangers (sipp)', () => {
  const carrier = { ...everyone, host: '192.0.2.1' }

  it('are turned away without a trace, and nobody is asked', async () => {
    let asked = 0
    const onInvite = () => {
      asked += 1
    }
    const agent = await startAgent({ trunks: [carrier], onInvite })
    const steps = [invite(), sees(403), ack({ branch: '[branch-2]' }), ask('OPTIONS', { cseq: 2, to: '' }), sees(403)]
    const sipp = await startSipp({ scenario: scenario(...steps), calling: agent.ports.udp })
    await sipp.finished
    expect(asked).toBe(0)
  })

  for (const [password, status] of [
    ['right', 200],
    ['wrong', 401],
  ] as const) {
    it(`may prove who they are: ${password} password, ${status}`, async () => {
      const far = answering()
      const agent = await startAgent({
        trunks: [{ ...carrier, user: 'pbx', password: 'right' }],
        onInvite: far.onInvite,
      })
      const proof = '[authentication username=pbx password=[$password]]'.replace('[$password]', password)
      const again = invite({ cseq: 2, headers: proof })
      const end =
        status === 200
          ? [ack({ cseq: 2 }), ask('BYE', { cseq: 3 }), sees(200)]
          : [ack({ cseq: 2, branch: '[branch-2]' })]
      const steps = [
        invite(),
        sees(401, 'auth="true"'),
        ack({ branch: '[branch-2]' }),
        again,
        maybe(100),
        maybe(180),
        sees(status),
        ...end,
      ]
      const more = ['-auth_uri', `+15005550000@127.0.0.1:${agent.ports.udp}`]
      const sipp = await startSipp({ scenario: scenario(...steps), calling: agent.ports.udp, more })
      await sipp.finished
      expect(far.calls).toHaveLength(status === 200 ? 1 : 0)
    })
  }
})
