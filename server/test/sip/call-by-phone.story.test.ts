import type { Appointment } from '@parley/contract/appointments'
import type { CallTurn } from '@parley/contract/call-turns'
import type { Call } from '@parley/contract/calls'
import { beforeAll, describe, expect, it } from 'vitest'
import { createFliteSpeech } from '../../src/adapters/speech/flite.ts'
import { createMoonshineRecogniser } from '../../src/adapters/speech/moonshine.ts'
import { createTestApp } from '../app.ts'
import { type Signed, signedOrganisation } from '../dashboard.ts'
import { join, usualMatch } from '../rtp/sound.ts'
import { spokenOnPhone } from '../speech/spoken.ts'
import { startAgent, trunkTo } from './agent.ts'
import { freePort } from './free-port.ts'
import { channelOf, startPerson, timeline, whyNoBaresip } from './person.ts'

const installed = (await createMoonshineRecogniser()) && (await createFliteSpeech())
const reason = whyNoBaresip() ?? (installed ? null : 'moonshine or flite is not installed')

const [maya, ravi] = ['+15005550101', '+15005550102']
const [rings, isRung] = ['+14155550100', '+14155550101']
const greeting = 'Hello, this is Asha of Acme Clinic. Would you like to book an appointment?'

const [sipPort, phonePort] = [await freePort(), await freePort()]
const t = await createTestApp({
  workers: {},
  settings: { PARLEY_SIP_HOST: '127.0.0.1', PARLEY_SIP_PORT: String(sipPort), PARLEY_RTP_PORTS: '24000-24099' },
})

describe.skipIf(reason).concurrent(`a phone really rings${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let org: Signed
  /** All they say, and when. */
  let words: Int16Array
  let says: Int16Array

  beforeAll(async () => {
    const yes = await spokenOnPhone('Yes please.', { aroundMs: 0 })
    const bye = await spokenOnPhone('No thank you, goodbye.', { aroundMs: 0 })
    words = join([yes, new Int16Array(800), bye])
    // Slower machines answer later; whoever has said yes too early says it again.
    says = timeline(60, [
      [5.5, yes],
      [13, yes],
      [22, yes],
      [32, bye],
      [42, bye],
    ])
    const agent = { branch: 'Main', greeting }
    org = await signedOrganisation(t, {
      trunks: [{ name: 'carrier', host: '127.0.0.1', port: phonePort }],
      phone_numbers: [rings, isRung].map((number) => ({ number, carrier: 'sip', trunk: 'carrier' })),
      branches: [{ name: 'Main', timezone: 'Asia/Kolkata' }],
      services: [{ name: 'Check-up' }],
      windows: [{ branch: 'Main', session: 'Morning', ai_slots: 5, service: 'Check-up' }],
      agents: [
        { ...agent, name: 'Asha', number: rings },
        { ...agent, name: 'Isha', type: 'inbound', number: isRung },
      ],
    })
  })

  /** Strangers are refused: a trunk is known a moment after it was made. */
  const untilWeAreKnown = async () => {
    const someone = await startAgent()
    await expect.poll(async () => (await someone.options(trunkTo(sipPort))).ok, { timeout: 30_000 }).toBe(true)
    await someone.close()
  }
  const appointmentsOf = async (callId: string): Promise<Appointment[]> =>
    (await t.send(org.key, 'GET', `/v1/appointments?call_id=${callId}`)).json().data
  const recordingOf = async ({ call_recording: url }: Call): Promise<Buffer> => {
    const answer = await t.app.inject({ url: `${new URL(url ?? '').pathname}${new URL(url ?? '').search}` })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'audio/wav'])
    return answer.rawPayload
  }
  const asOwner = (method: 'GET' | 'DELETE', url: string) =>
    t.app.inject({ method, url, headers: { cookie: org.cookies.owner } })
  const events = (callId: string) =>
    t.db.query<{ type: string; data: Record<string, unknown> }>(
      'select type, data from events where call_id = $1 order by created_at, event_id',
      [callId],
    )
  /** Two seconds at places where somebody speaks: silence is like any other silence. */
  const spoken = (samples: Int16Array): Int16Array => {
    const pieces: Int16Array[] = []
    for (let at = 0; at + 2_000 <= samples.length && pieces.length < 8; at += 2_000) {
      const piece = samples.subarray(at, at + 2_000)
      if (piece.filter((sample) => Math.abs(sample) > 1_500).length > 400) pieces.push(piece)
    }
    expect(pieces.length).toBeGreaterThanOrEqual(3)
    return join(pieces)
  }

  it('and the person at it books an appointment by voice', async () => {
    const person = await startPerson({ number: maya, port: phonePort, says, rtpPorts: '24200-24299' })
    const created = await t.send(org.key, 'POST', '/v1/calls', {
      agent_id: org.agents[0]?.agent_id,
      user_number: maya,
      user_name: 'Maya',
    })
    const { call_id: id } = created.json().data
    const call = await t.untilCall(org.key, id, (each) => each.call_analytics !== null || each.status === 'failed')
    expect(call).toMatchObject({
      status: 'completed',
      call_direction: 'outbound',
      call_to: maya,
      call_from: null,
      credits_consumed: 1,
      call_analytics: { disposition: 'appointment_booked' },
    })
    expect(await appointmentsOf(id)).toMatchObject([{ status: 'confirmed', contact_name: 'Maya', booked_by: 'ai' }])
    const speakers = new Set(
      Array.isArray(call.call_transcript) ? call.call_transcript.map((each) => each.speaker) : [],
    )
    expect(speakers).toEqual(new Set(['agent', 'user']))
    expect(person.output().match(/answering call on line/g)).toHaveLength(1)

    const wav = await recordingOf(call)
    await person.stop()
    // Left is what reached the other ear, right what its mouth said: both as another program saw them.
    expect(usualMatch(person.heard(), spoken(channelOf(wav, 0)))).toBeGreaterThan(0.9)
    expect(usualMatch(words, spoken(channelOf(wav, 1)))).toBeGreaterThan(0.9)

    const turns = (await asOwner('GET', `/api/calls/${id}/turns`)).json().data as CallTurn[]
    expect(turns.length).toBeGreaterThanOrEqual(2)
    for (const { endpointing_ms, stt_ms, brain_ms, tts_ms, total_ms } of turns)
      expect(Math.abs(endpointing_ms + stt_ms + brain_ms + tts_ms - total_ms)).toBeLessThanOrEqual(4)
    const metrics = (await t.app.inject({ url: '/metrics' })).body
    for (const part of ['endpointing', 'stt', 'brain', 'tts', 'total'])
      expect(metrics).toMatch(new RegExp(`parley_turn_delay_seconds_count\\{part="${part}"\\} [1-9]`))
  })

  it('at our end too: somebody calls, is answered, books, and the call can be erased with its recording', async () => {
    const calls = `sip:${isRung}@127.0.0.1:${sipPort}`
    const port = await freePort()
    await untilWeAreKnown()
    await startPerson({ number: ravi, port, says, rtpPorts: '24300-24399', calls })
    const isOver = (each: Call) => each.call_analytics !== null || each.status === 'failed'
    const find = async () => {
      const list = await t.send(org.key, 'GET', `/v1/calls?agent_id=${org.agents[1]?.agent_id}`)
      return (list.json().data as Call[])[0]?.call_id
    }
    await expect.poll(find, { timeout: 30_000 }).toBeTruthy()
    const id = (await find()) ?? ''
    const call = await t.untilCall(org.key, id, isOver)
    expect(call).toMatchObject({
      status: 'completed',
      call_direction: 'inbound',
      call_to: null,
      call_from: ravi,
      contact_number: ravi,
      scheduled_at: null,
      credits_consumed: 1,
      call_analytics: { disposition: 'appointment_booked' },
    })
    expect(await appointmentsOf(id)).toMatchObject([{ contact_number: ravi, booked_by: 'ai' }])
    const told = (await events(id)).filter(({ type }) => type.startsWith('call.'))
    expect(told.map(({ type }) => type)).toEqual(['call.initiated', 'call.completed'])
    for (const { data } of told)
      expect(data).toMatchObject({ call_direction: 'inbound', call_from: ravi, call_to: null })
    const wav = await recordingOf(call)
    expect(usualMatch(words, spoken(channelOf(wav, 1)))).toBeGreaterThan(0.9)

    expect((await t.send(org.key, 'DELETE', `/v1/calls/${id}`)).statusCode).toBe(200)
    expect(await t.storage.get(`recordings/${org.organisationId}/${id}.wav`)).toBeNull()
    expect(await t.db.query('select 1 from call_turns where call_id = $1', [id])).toEqual([])
  })
})
