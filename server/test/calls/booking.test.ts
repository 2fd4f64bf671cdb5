import type { Appointment } from '@parley/contract/appointments'
import type { Call } from '@parley/contract/calls'
import { describe, expect, it } from 'vitest'
import { createTestApp, type Organisation } from '../app.ts'
import { expectTrueCounters } from '../calendar/calendar.ts'
import { type Script, scriptedCarrier } from './scripted-callee.ts'

const scripts = new Map<string, Script>()
const t = await createTestApp({
  workers: { telephony: { simulator: scriptedCarrier((number) => scripts.get(number) ?? { lines: [] }) } },
})

const everyDay = { branch: 'Main', session: 'Morning' as const, ai_slots: 2, max_slots: 4 }
const clinic = (windows: object[] = [everyDay], language = 'en') =>
  t.organisation({
    branches: [{ name: 'Main', timezone: 'Asia/Kolkata' }],
    services: [{ name: 'Check-up' }],
    windows: windows as (typeof everyDay)[],
    agents: [{ name: 'Asha', number: '+15005550000', branch: 'Main', language, greeting: 'Hello.' }],
  })

let last = 1000
const aNumber = () => {
  last += 1
  return `+1500555${last}`
}

async function talk(org: Organisation, script: Script, number = aNumber()): Promise<Call> {
  scripts.set(number, script)
  const body = { agent_id: org.agentId, user_number: number, user_name: 'Maya', user_email: 'maya@example.com' }
  const { call_id } = (await t.send(org.key, 'POST', '/v1/calls', body)).json().data
  const isDone = (call: Call) =>
    call.status === 'failed' || (call.status === 'completed' && call.call_analytics !== null)
  return t.untilCall(org.key, call_id, isDone)
}
const appointmentsOf = async (org: Organisation, query = ''): Promise<Appointment[]> =>
  (await t.send(org.key, 'GET', `/v1/appointments?limit=100${query}`)).json().data
const eventsOf = (org: Organisation, callId: string) =>
  t.db.query<{ type: string; data: Record<string, unknown> }>(
    'select type, data from events where organisation_id = $1 and call_id = $2 order by created_at, event_id',
    [org.organisationId, callId],
  )
const holdsOf = (org: Organisation) =>
  t.db.query<{ holds: Record<string, string> }>(
    `select holds from day_slots d join branches b using (branch_id) where b.organisation_id = $1 and holds <> '{}'`,
    [org.organisationId],
  )
async function anAppointment(org: Organisation, number: string): Promise<Appointment> {
  const branchId = org.branches[0]?.branch_id
  const slots = (await t.send(org.key, 'GET', `/v1/appointment-slots/availability?branch_id=${branchId}`)).json().data
  const body = { slot_id: slots.at(-1).slot_id, contact_name: 'Maya', contact_number: number }
  return (await t.send(org.key, 'POST', '/v1/appointments', body)).json().data
}

const yesToAll = ['I want to book an appointment', 'Yes, please book it']

describe('booking in a call', () => {
  it('makes an appointment that names the call, with one event, and the call’s event holds it', async () => {
    const org = await clinic()
    const call = await talk(org, { lines: yesToAll })
    expect(call.call_analytics?.disposition).toBe('appointment_booked')
    const [appointment, ...others] = await appointmentsOf(org, `&call_id=${call.call_id}`)
    expect(others).toEqual([])
    expect(appointment).toMatchObject({
      status: 'confirmed',
      booked_by: 'ai',
      call_id: call.call_id,
      contact_name: 'Maya',
      contact_number: call.contact_number,
      contact_email: 'maya@example.com',
      appointment_type_name: 'Check-up',
    })
    const events = await eventsOf(org, call.call_id)
    expect(events.map((each) => each.type)).toEqual(['call.initiated', 'appointment.created', 'call.completed'])
    expect(events[1]?.data).toEqual(appointment)
    expect(events[2]?.data.appointment_details).toEqual(appointment)
    expect(await holdsOf(org)).toEqual([])
    await expectTrueCounters(t)
  })

  it('is said and booked in Hindi', async () => {
    const call = await talk(await clinic([everyDay], 'hi'), { lines: ['अपॉइंटमेंट चाहिए', 'हाँ, बुक कर दीजिए'] })
    expect(call.call_analytics?.disposition).toBe('appointment_booked')
    const said = call.call_transcript?.map((each) => each.text).join('\n') ?? ''
    expect(said).toMatch(/पहला खाली समय .+वार, \d+ .+ को सुबह 9:00 बजे है। क्या इसे बुक कर दूँ\?/)
    expect(said).toMatch(/आपका अपॉइंटमेंट .+ बुक हो गया है।/)
  })

  it('without windows nothing is open: the agent says so and offers a call back', async () => {
    const org = await clinic([])
    const call = await talk(org, { lines: ['I want to book an appointment', 'No'] })
    expect(call.call_transcript?.map((each) => each.text)).toContain(
      'I am sorry, there are no open appointments at the moment. Shall I call you back another time?',
    )
    expect(call.call_analytics?.disposition).not.toBe('appointment_booked')
    expect((await eventsOf(org, call.call_id)).at(-1)?.data.appointment_details).toBeNull()
    expect(await appointmentsOf(org)).toEqual([])
  })

  it('an agent without a branch books nothing', async () => {
    const org = await t.organisation({ agents: [{ name: 'Asha', number: '+15005550000' }] })
    const call = await talk(org, { lines: ['I want to book an appointment', 'No'] })
    expect(call.call_analytics?.disposition).not.toBe('appointment_booked')
  })

  it('ten calls at once for one place of the agent’s: one has it', async () => {
    const org = await clinic([{ ...everyDay, days: ['monday'], ai_slots: 1, max_slots: 9 }])
    const calls = await Promise.all(Array.from({ length: 10 }, () => talk(org, { lines: [...yesToAll, 'No'] })))
    const dates = (await appointmentsOf(org)).map((each) => each.date)
    const booked = calls.filter((call) => call.call_analytics?.disposition === 'appointment_booked')
    // Two Mondays, or three, lie within the next fortnight.
    expect(new Set(dates).size).toBe(dates.length)
    expect(dates.length).toBe(booked.length)
    expect(dates.length).toBeGreaterThan(0)
    await expectTrueCounters(t)
  })

  it('a call that fails after booking has the appointment in its event too', async () => {
    const org = await clinic()
    const end = { reason: 'line_dropped', by: 'carrier' } as const
    const call = await talk(org, { lines: yesToAll, end, endsAt: /is booked/ })
    expect(call).toMatchObject({ status: 'failed', error: { code: 'carrier_error' } })
    const [appointment] = await appointmentsOf(org)
    const event = (await eventsOf(org, call.call_id)).at(-1)
    expect(event).toMatchObject({ type: 'call.failed', data: { appointment_details: appointment } })
    expect(appointment?.call_id).toBe(call.call_id)
  })
})

describe('a hold', () => {
  it('keeps the slot on the table while it is talked about, and lapses with the call', async () => {
    const org = await clinic()
    const seen: Record<string, string>[][] = []
    const onLine = async () => void seen.push((await holdsOf(org)).map((each) => each.holds))
    const call = await talk(org, { lines: ['I want to book an appointment', 'Hm', 'Hm'], onLine })
    expect(seen.map((each) => each.length)).toEqual([0, 1, 1])
    const until = new Date(seen[1]?.[0]?.[call.call_id] ?? 0).getTime()
    expect(until - new Date(call.call_triggered_at ?? 0).getTime()).toBeLessThanOrEqual(301_000)
    expect(await holdsOf(org)).toEqual([])
  })

  it('goes along to the next opening', async () => {
    const org = await clinic()
    const seen: number[] = []
    const onLine = async () => void seen.push((await holdsOf(org)).length)
    await talk(org, { lines: ['I want to book an appointment', 'No', 'Hm'], onLine })
    expect(seen).toEqual([0, 1, 1])
    expect(await holdsOf(org)).toEqual([])
  })
})

describe('an appointment they have', () => {
  it('is cancelled in the call', async () => {
    const org = await clinic()
    const number = aNumber()
    const before = await anAppointment(org, number)
    const call = await talk(org, { lines: ['I want to cancel my appointment', 'Yes'] }, number)
    const [after] = await appointmentsOf(org)
    expect(after).toMatchObject({ appointment_id: before.appointment_id, status: 'cancelled', call_id: null })
    const events = await eventsOf(org, call.call_id)
    expect(events.at(-1)?.data.appointment_details).toEqual(after)
    expect(call.call_analytics).toMatchObject({ disposition: 'session_ended' })
    expect(call.call_analytics?.summary).toContain('The appointment was cancelled')
    const told = await t.db.query(
      `select 1 from events where organisation_id = $1 and type = 'appointment.cancelled'`,
      [org.organisationId],
    )
    expect(told).toHaveLength(1)
    await expectTrueCounters(t)
  })

  it('is moved in the call', async () => {
    const org = await clinic()
    const number = aNumber()
    const before = await anAppointment(org, number)
    const call = await talk(org, { lines: ['Can I reschedule my appointment?', 'Yes', 'Yes'] }, number)
    const [after, ...others] = await appointmentsOf(org)
    expect(others).toEqual([])
    expect(after).toMatchObject({ appointment_id: before.appointment_id, status: 'confirmed', booked_by: 'api' })
    expect(after?.slot_id).not.toBe(before.slot_id)
    expect((await eventsOf(org, call.call_id)).at(-1)?.data.appointment_details).toEqual(after)
    expect(call.call_analytics).toMatchObject({ disposition: 'appointment_booked' })
    expect(call.call_analytics?.summary).toContain('The appointment was moved')
    expect(await holdsOf(org)).toEqual([])
    await expectTrueCounters(t)
  })

  it('of somebody else is out of reach, and who has none is told so', async () => {
    const org = await clinic()
    const theirs = await anAppointment(org, aNumber())
    const call = await talk(org, { lines: ['I want to cancel my appointment', 'Yes'] })
    expect(call.call_transcript?.map((each) => each.text).join(' ')).toContain('I cannot find an appointment of yours')
    expect((await appointmentsOf(org))[0]).toEqual(theirs)
  })

  it('stays when the call is erased, without a link to it', async () => {
    const org = await clinic()
    const call = await talk(org, { lines: yesToAll })
    expect((await t.send(org.key, 'DELETE', `/v1/calls/${call.call_id}`)).statusCode).toBe(200)
    expect(await appointmentsOf(org)).toMatchObject([{ status: 'confirmed', call_id: null }])
  })
})
