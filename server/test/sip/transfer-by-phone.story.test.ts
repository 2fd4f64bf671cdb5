import { describe, expect, it } from 'vitest'
import { createFliteSpeech } from '../../src/adapters/speech/flite.ts'
import { createMoonshineRecogniser } from '../../src/adapters/speech/moonshine.ts'
import { createTestApp } from '../app.ts'
import { spokenOnPhone } from '../speech/spoken.ts'
import { freePort } from './free-port.ts'
import { account, numberAt, startKamailio, whyNoKamailio } from './kamailio.ts'
import { type Person, type PersonOptions, startPerson, timeline, whyNoBaresip } from './person.ts'

const installed = (await createMoonshineRecogniser()) && (await createFliteSpeech())
const missing = installed ? null : 'moonshine or flite is not installed'
const reason = whyNoBaresip() ?? whyNoKamailio() ?? missing

const rings = '+14155550100'

/** A phone behind the proxy, and its number. */
async function phoneOf(options: Omit<PersonOptions, 'number' | 'port'>): Promise<[string, Person]> {
  const port = await freePort()
  return [numberAt(port), await startPerson({ ...options, number: numberAt(port), port })]
}

describe.skipIf(reason)(`a person who asks for a human${reason ? ` (skipped: ${reason})` : ''}`, () => {
  it('by voice is put through by the carrier to the phone of a colleague (Kamailio, baresip)', async () => {
    const wishes = ['I would like to talk to someone.', 'Please connect me to a person.', 'Can you transfer me please?']
    const wished = await Promise.all(wishes.map((wish) => spokenOnPhone(wish, { aroundMs: 0 })))
    const hello = await spokenOnPhone('Hello, who is there?', { aroundMs: 0 })
    // Slower machines answer later, and may not understand everything: they ask again, in other words.
    const says = timeline(
      60,
      wished.map((wish, i) => [4 + 11 * i, wish]),
    )
    const [they, person] = await phoneOf({ says, account, rtpPorts: '24420-24439' })
    const [colleague, human] = await phoneOf({ says: timeline(60, [[1, hello]]), rtpPorts: '24440-24459' })

    // This baresip knows no other digest.
    const proxy = await startKamailio('MD5')
    const sipPort = String(await freePort())
    const t = await createTestApp({
      workers: {},
      settings: { PARLEY_SIP_HOST: '127.0.0.1', PARLEY_SIP_PORT: sipPort, PARLEY_RTP_PORTS: '24400-24419' },
    })
    const org = await t.organisation({
      trunks: [{ name: 'carrier', host: '127.0.0.1', port: proxy.udp, ...account }],
      phone_numbers: [{ number: rings, carrier: 'sip', trunk: 'carrier' }],
      agents: [
        { name: 'Asha', number: rings, greeting: 'Hello, this is Asha of Acme Clinic.', transfer_to: colleague },
      ],
    })
    const body = { agent_id: org.agentId, user_number: they }
    const { call_id } = (await t.send(org.key, 'POST', '/v1/calls', body)).json().data
    const call = await t.untilCall(org.key, call_id, (each) => each.call_analytics !== null || each.status === 'failed')
    expect(call).toMatchObject({ status: 'completed', call_analytics: { disposition: 'transferred' } })
    expect(human.output()).toMatch(/Call established/)
    // They are with each other, without us.
    expect(human.output()).not.toMatch(/terminated|session closed/i)
    await Promise.all([person.stop(), human.stop()])
  })
})
