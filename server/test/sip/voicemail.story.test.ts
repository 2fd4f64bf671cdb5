import type { Call } from '@parley/contract/calls'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createFliteSpeech } from '../../src/adapters/speech/flite.ts'
import { createMoonshineRecogniser } from '../../src/adapters/speech/moonshine.ts'
import { createTestApp, type Organisation } from '../app.ts'
import { join, usualMatch } from '../rtp/sound.ts'
import { spokenOnPhone } from '../speech/spoken.ts'
import { freePort } from './free-port.ts'
import { channelOf, type Person, startPerson, timeline, whyNoBaresip } from './person.ts'

const installed = (await createMoonshineRecogniser()) && (await createFliteSpeech())
const reason = whyNoBaresip() ?? (installed ? null : 'moonshine or flite is not installed')

const greeting = 'Hello, this is Asha of Acme Clinic. Would you like to book an appointment?'
const message = 'This is Asha of Acme Clinic for {{user_name}}. Please call us back.'
const left = 'This is Asha of Acme Clinic for Maya. Please call us back.'
/** A machine each, and what the agent was told to do about it. */
const machines = {
  announced: { from: '+14155550120', to: '+15005550120', rtpPorts: '25300-25319', action: 'leave_message' },
  onlyTone: { from: '+14155550121', to: '+15005550121', rtpPorts: '25320-25339', action: 'leave_message' },
  lateTone: { from: '+14155550123', to: '+15005550123', rtpPorts: '25360-25379', action: 'leave_message' },
  hungUpOn: { from: '+14155550122', to: '+15005550122', rtpPorts: '25340-25359', action: 'hang_up' },
} as const
type Name = keyof typeof machines
const names = Object.keys(machines) as Name[]

const sipPort = await freePort()
const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await freePort()])))
const t = await createTestApp({
  workers: {},
  settings: { PARLEY_SIP_HOST: '127.0.0.1', PARLEY_SIP_PORT: String(sipPort), PARLEY_RTP_PORTS: '25400-25499' },
})

/** Half a second of 1 kHz, as machines have it. */
const tone = Int16Array.from({ length: 4_000 }, (_, at) => 7_000 * Math.sin((2 * Math.PI * 1_000 * at) / 8_000))

describe.skipIf(reason).concurrent(`a machine answers over SIP${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let org: Organisation
  let announcement: Int16Array

  beforeAll(async () => {
    announcement = await spokenOnPhone(
      'Hi, you have reached the voicemail of Maya. I cannot take your call right now. Please leave a message after the tone.',
      { aroundMs: 0 },
    )
    org = await t.organisation({
      trunks: names.map((name) => ({ name, host: '127.0.0.1', port: ports[name] ?? 0 })),
      phone_numbers: names.map((name) => ({ number: machines[name].from, carrier: 'sip', trunk: name })),
      agents: names.map((name) => {
        const { from: number, action } = machines[name]
        return { name, number, greeting, voicemail: action === 'hang_up' ? { action } : { action, message } }
      }),
    })
  })

  async function callMachine(name: Name, says: Int16Array) {
    const { to, rtpPorts } = machines[name]
    const person = await startPerson({ number: to, port: ports[name] ?? 0, says, rtpPorts })
    // A key each: four calls are asked about at once, and a key has its rate.
    const key = await t.keyWith(org.organisationId, ['*'])
    const created = await t.send(key, 'POST', '/v1/calls', {
      agent_id: org.agents.find((each) => each?.name === name)?.agent_id,
      user_number: to,
      user_name: 'Maya',
    })
    const { call_id: id } = created.json().data
    const call = await t.untilCall(key, id, (each) => each.call_analytics !== null || each.status === 'failed')
    return { call, person, wav: await recordingOf(call) }
  }
  const recordingOf = async ({ call_recording: url }: Call): Promise<Buffer> => {
    const { pathname, search } = new URL(url ?? '')
    return (await t.app.inject({ url: `${pathname}${search}` })).rawPayload
  }
  const outcome = { status: 'completed', call_direction: 'outbound', call_analytics: { disposition: 'voicemail' } }
  const agentLines = ({ call_transcript: said }: Call) =>
    (Array.isArray(said) ? said : []).filter((each) => each.speaker === 'agent').map((each) => each.text)
  const untilBye = (person: Person) =>
    vi.waitFor(() => expect(person.output()).toMatch(/session closed/i), { timeout: 10_000 })

  it('the message comes after the tone, whole, and nothing after it', async () => {
    const says = timeline(60, [
      [0.5, announcement],
      [0.5 + announcement.length / 8_000 + 1.5, tone],
    ])
    const { call, person, wav } = await callMachine('announced', says)
    expect(call).toMatchObject(outcome)
    expect(agentLines(call).at(-1)).toBe(left)
    const [agent, machine] = [channelOf(wav, 0), channelOf(wav, 1)]
    const toneEnd = endOfTone(machine)
    expect(toneEnd).toBeGreaterThan(announcement.length / 8_000)
    expect(loudSeconds(agent, toneEnd)).toBeGreaterThan(2)
    // From the first words of the machine to its tone the agent only listens.
    expect(loudSeconds(agent, toneEnd - 1.5, toneEnd)).toBe(0)
    await untilBye(person)
    expect(person.output().match(/answering call on line/g)).toHaveLength(1)
    // What the recording has is what the other program heard, to the last word.
    await person.stop()
    const heard = person.heard()
    expect(usualMatch(heard, loudParts(agent, toneEnd))).toBeGreaterThan(0.9)
    expect(Math.abs(loudSeconds(heard) - loudSeconds(agent))).toBeLessThan(0.2)
  })

  it('a tone alone is enough, even in the middle of the greeting', async () => {
    const { call, wav } = await callMachine('onlyTone', timeline(60, [[2, tone]]))
    expect(call).toMatchObject(outcome)
    expect(agentLines(call).at(-1)).toBe(left)
    expect(loudSeconds(channelOf(wav, 0), endOfTone(channelOf(wav, 1)))).toBeGreaterThan(2)
  })

  it('a tone that comes late, over the message: the message is left anew after it', async () => {
    const toneAt = 0.5 + announcement.length / 8_000 + 7
    const says = timeline(60, [
      [0.5, announcement],
      [toneAt, tone],
    ])
    const { call, wav } = await callMachine('lateTone', says)
    expect(call).toMatchObject(outcome)
    expect(agentLines(call).at(-1)).toBe(left)
    const toneEnd = endOfTone(channelOf(wav, 1))
    expect(toneEnd).toBeGreaterThan(announcement.length / 8_000 + 5)
    expect(loudSeconds(channelOf(wav, 0), toneEnd)).toBeGreaterThan(2)
  })

  it('an agent told to hang up leaves nothing, and does not wait for the tone', async () => {
    const toneAt = 0.5 + announcement.length / 8_000 + 12
    const says = timeline(60, [
      [0.5, announcement],
      [toneAt, tone],
    ])
    const { call, person, wav } = await callMachine('hungUpOn', says)
    expect(call).toMatchObject(outcome)
    expect(agentLines(call).join(' ')).not.toContain('call us back')
    expect(endOfTone(channelOf(wav, 1))).toBe(-1)
    expect(call.call_duration_seconds).toBeLessThan(toneAt)
    await untilBye(person)
  })
})

/** In pieces, of 20 ms unless told otherwise. */
const framesOf = (samples: Int16Array, size = 160) =>
  Array.from({ length: Math.floor(samples.length / size) }, (_, at) => samples.subarray(at * size, (at + 1) * size))

/** Where half a second of nothing but the machine's tone ends, in seconds; -1 without one. */
function endOfTone(samples: Int16Array): number {
  let steady = 0
  for (const [at, each] of framesOf(samples).entries()) {
    const [energy, atTone] = [powerOf(each), toneOf(each)]
    if (energy > 1_000 ** 2 && atTone > 0.8) steady += 1
    else if (steady >= 20) return at / 50
    else steady = 0
  }
  return -1
}
const powerOf = (samples: Int16Array) => samples.reduce((sum, each) => sum + each * each, 0) / samples.length
/** The share of 1 kHz in a frame. */
function toneOf(samples: Int16Array): number {
  let [re, im] = [0, 0]
  samples.forEach((each, at) => {
    re += each * Math.cos((2 * Math.PI * at) / 8)
    im += each * Math.sin((2 * Math.PI * at) / 8)
  })
  return (2 * (re * re + im * im)) / (samples.length ** 2 * Math.max(powerOf(samples), 1))
}
const loudFrames = (samples: Int16Array, from = 0, to = Number.POSITIVE_INFINITY) =>
  framesOf(samples).filter((each, at) => at >= from * 50 && at < to * 50 && powerOf(each) > 300 ** 2)
/** How long somebody is loud between two seconds of a recording. */
const loudSeconds = (samples: Int16Array, from?: number, to?: number) => loudFrames(samples, from, to).length / 50
/** Two seconds at places where somebody speaks: silence is like any other silence. */
const loudParts = (samples: Int16Array, from: number) => {
  const pieces = framesOf(samples.subarray(from * 8_000), 2_000).filter((each) => powerOf(each) > 1_000 ** 2)
  expect(pieces.length).toBeGreaterThanOrEqual(3)
  return join(pieces.slice(0, 8))
}
