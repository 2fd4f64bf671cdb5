import { describe, expect, it } from 'vitest'
import { type Core, hopToUri } from '../../src/adapters/sip/core.ts'
import type { Peer } from '../../src/adapters/sip/peer.ts'
import type { SipResolver } from '../../src/adapters/sip/targets.ts'
import { answering, closeAgentsAtEnd, endOf, noNames, startAgent, trunkTo } from './agent.ts'
import { closeLinesAtEnd, startLines, trunkData } from './lines.ts'

closeLinesAtEnd()
closeAgentsAtEnd()

const everyone = trunkTo(1, { name: 'everyone' })
/** Was a public carrier's when the trunk was set up; now it leads here. */
const rebound: SipResolver = { srv: async () => [], addresses: async () => ['198.41.0.4', '127.0.0.1'] }
const host = 'carrier.test'
const request = { callId: 'call_private', from: '+15005550000', to: '+15005550001', ringSeconds: 5 }
const { signal } = new AbortController()

describe('a trunk that leads into a private network', () => {
  it('by its name, at the time of the dial: carrier_error, and nothing is sent there', async () => {
    const far = answering()
    const callee = await startAgent({ trunks: [everyone], onInvite: far.onInvite })
    const lines = startLines({ rtpPorts: [25_200, 25_219], allowPrivate: false, resolve: rebound })
    const trunk = trunkData(callee.ports.udp, { host })
    await expect(lines.dial({ ...request, trunk }, signal)).rejects.toMatchObject({
      name: 'DialRefused',
      reason: 'carrier_error',
      message: expect.stringContaining('carrier.test leads into a private network'),
    })
    expect(far.calls).toHaveLength(0)
    expect(lines.openLegs()).toBe(0)
  })

  it('rings where the operator allows it, and where the operator wrote the address itself', async () => {
    const far = answering((_invitation, call) => void call.hangup())
    const callee = await startAgent({ trunks: [everyone], onInvite: far.onInvite })
    const here: SipResolver = { ...rebound, addresses: async () => ['127.0.0.1'] }
    const allowing = startLines({ rtpPorts: [25_220, 25_239], allowPrivate: true, resolve: here })
    const strict = startLines({ rtpPorts: [25_240, 25_259], allowPrivate: false })
    for (const [lines, trunk] of [
      [allowing, trunkData(callee.ports.udp, { host })],
      [strict, trunkData(callee.ports.udp)],
    ] as const) {
      const leg = await lines.dial({ ...request, trunk }, signal)
      for await (const event of leg.events) if (event.type === 'ended') break
    }
    for (const call of far.calls) expect(await endOf(call)).toMatchObject({ reason: 'hangup' })
    expect(far.calls).toHaveLength(2)
  })

  it('neither registers nor is asked with OPTIONS, and both say why', async () => {
    const agent = await startAgent({ allowPrivate: false, resolve: rebound })
    const trunk = trunkTo(5060, { host, user: 'parley', password: 'right', register: true })
    expect((await agent.options(trunk)).words).toContain('PARLEY_SIP_ALLOW_PRIVATE')
    const registration = agent.register(trunk)
    for await (const status of registration.events) {
      expect(status).toMatchObject({ state: 'failed', words: expect.stringContaining('private network') })
      break
    }
    await registration.stop()
  })

  it('by a redirect or a Contact of a public carrier is not followed', async () => {
    const transport = { hop: async (peer: Peer) => ({ ...peer, local: { host: '198.41.0.5', port: 5060 } }) }
    const core = { resolver: noNames, allowPrivate: false, transport } as unknown as Core
    const trunk = trunkTo(5060, { host: '198.41.0.4' })
    await expect(hopToUri(core, trunk, 'sip:x@169.254.169.254:80;transport=tcp')).rejects.toThrow('private network')
    await expect(hopToUri(core, trunk, 'sip:x@198.41.0.6;maddr=10.0.0.1')).rejects.toThrow('private network')
    expect(await hopToUri(core, trunk, 'sip:x@198.41.0.6')).toMatchObject({ address: '198.41.0.6' })
  })
})
