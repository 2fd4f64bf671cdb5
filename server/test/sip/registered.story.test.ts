import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Call } from '@parley/contract/calls'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createFliteSpeech } from '../../src/adapters/speech/flite.ts'
import { createMoonshineRecogniser } from '../../src/adapters/speech/moonshine.ts'
import { createTestApp, type Organisation, type TestApp } from '../app.ts'
import { spokenOnPhone } from '../speech/spoken.ts'
import { freePort } from './free-port.ts'
import { account, type Kamailio, startKamailio, whyNoKamailio } from './kamailio.ts'
import { channelOf, startPerson, timeline, whyNoBaresip } from './person.ts'

const installed = (await createMoonshineRecogniser()) && (await createFliteSpeech())
const reason = whyNoKamailio() ?? whyNoBaresip() ?? (installed ? null : 'moonshine or flite is not installed')

const { password } = account
/** By an account's name, as most carriers have it, and by the number as the account, as some do. */
const trunks = {
  udp: { user: 'acme', number: '+14155550130', caller: '+15005550130', rtpPorts: '25500-25519' },
  tls: { user: '+14155550131', number: '+14155550132', caller: '+15005550131', rtpPorts: '25520-25539' },
} as const
const transports = ['udp', 'tls'] as const
const patience = { timeout: 30_000, interval: 100 }
const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-ca-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(reason).concurrent(`a registered trunk is called${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let proxy: Kamailio
  let t: TestApp
  let org: Organisation
  let says: Int16Array

  beforeAll(async () => {
    proxy = await startKamailio(
      'SHA-256',
      Object.fromEntries(transports.map((each) => [trunks[each].number, trunks[each].user])),
    )
    const bye = await spokenOnPhone('No thank you, goodbye.', { aroundMs: 0 })
    says = timeline(60, [
      [5.5, bye],
      [14, bye],
      [24, bye],
    ])
    const caFile = path.join(folder, 'ca.pem')
    writeFileSync(caFile, proxy.ca)
    t = await createTestApp({
      workers: {},
      settings: {
        PARLEY_SIP_HOST: '127.0.0.1',
        PARLEY_SIP_PORT: String(await freePort()),
        PARLEY_SIP_CA_FILE: caFile,
        PARLEY_RTP_PORTS: '25540-25599',
      },
    })
    org = await t.organisation({
      trunks: transports.map((transport) => {
        const { user } = trunks[transport]
        return { name: transport, host: '127.0.0.1', port: proxy[transport], transport, user, password, register: true }
      }),
      phone_numbers: transports.map((each) => ({ number: trunks[each].number, carrier: 'sip', trunk: each })),
      agents: transports.map((each) => ({
        name: each,
        type: 'inbound',
        number: trunks[each].number,
        greeting: 'Hello, this is Isha of Acme Clinic. Would you like to book an appointment?',
      })),
    })
    const isRegistered = (line: string) => line.includes('"state":"registered"')
    await vi.waitFor(() => expect(t.logLines.filter(isRegistered)).toHaveLength(transports.length), patience)
  }, 240_000)

  for (const transport of transports) {
    it(`over ${transport}: the caller talks to the agent of the number they dialled`, async () => {
      const { number, caller, rtpPorts } = trunks[transport]
      const key = await t.keyWith(org.organisationId, ['*'])
      const agentId = org.agents.find((each) => each?.name === transport)?.agent_id
      const find = async () => {
        const list = await t.send(key, 'GET', `/v1/calls?agent_id=${agentId}`)
        return (list.json().data as Call[])[0]?.call_id
      }
      const calls = `sip:${number}@127.0.0.1:${proxy.udp}`
      const person = await startPerson({ number: caller, port: await freePort(), says, rtpPorts, calls })
      const id = await vi.waitFor(async () => {
        const found = await find()
        expect(found, person.output()).toBeTruthy()
        return found ?? ''
      }, patience)
      const call = await t.untilCall(key, id, (each) => each.call_analytics !== null || each.status === 'failed')
      expect(call).toMatchObject({
        status: 'completed',
        call_direction: 'inbound',
        call_from: caller,
        call_to: null,
        contact_number: caller,
        scheduled_at: null,
        credits_consumed: 1,
      })
      const said = Array.isArray(call.call_transcript) ? call.call_transcript : []
      expect(said[0]).toMatchObject({ speaker: 'agent', text: expect.stringContaining('Isha of Acme Clinic') })
      expect(said.some((each) => each.speaker === 'user' && /no|thank|bye/i.test(each.text))).toBe(true)
      const told = await t.db.query<{ type: string; data: object }>(
        'select type, data from events where call_id = $1 order by created_at, event_id',
        [id],
      )
      expect(told.map(({ type }) => type)).toEqual(['call.initiated', 'call.completed'])
      for (const { data } of told)
        expect(data).toMatchObject({ call_direction: 'inbound', call_from: caller, call_to: null })
      const { pathname, search } = new URL(call.call_recording ?? '')
      const wav = (await t.app.inject({ url: `${pathname}${search}` })).rawPayload
      for (const channel of [0, 1] as const)
        expect(channelOf(wav, channel).filter((each) => Math.abs(each) > 1_500).length).toBeGreaterThan(1_000)
      // The agent hung up, and the caller's phone was told through the proxy.
      await vi.waitFor(() => expect(person.output()).toMatch(/session closed/i), patience)
    })
  }
})
