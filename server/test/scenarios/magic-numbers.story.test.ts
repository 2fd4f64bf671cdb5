import { once } from 'node:events'
import type { Call } from '@parley/contract/calls'
import { eventSchemas } from '@parley/contract/events'
import { describe, expect, it } from 'vitest'
import { bodySchemas } from '../../src/platform/schema-faults.ts'
import { createTestApp } from '../app.ts'

// The whole way over HTTP: create by REST, watch by GET, for every number of decisions 4.
const t = await createTestApp({ workers: {} })
await t.app.listen({ host: '127.0.0.1', port: 0 })
if (!t.app.server.listening) await once(t.app.server, 'listening')
const address = t.app.server.address() as { port: number }
const base = `http://127.0.0.1:${address.port}`

const org = await t.organisation({
  organisation: { name: 'Acme Clinic', plan: 'professional', credits: 10_000, timezone: 'Asia/Kolkata' },
  branches: [{ name: 'Main' }],
  services: [{ name: 'Check-up' }],
  windows: [{ branch: 'Main', session: 'Morning', ai_slots: 5, max_slots: 9 }],
  agents: [
    {
      name: 'Asha',
      number: '+15005550000',
      branch: 'Main',
      greeting: 'Hello {{user_name}}, this is Asha from Acme Clinic.',
      retry: { max_attempts: 2, delay: '1h', on: ['no_answer', 'voicemail'] },
    },
  ],
})

const headers = { 'x-api-key': org.key, 'content-type': 'application/json' }
async function callTo(number: string): Promise<Call> {
  const body = JSON.stringify({ agent_id: org.agentId, user_number: number, user_name: 'Maya' })
  const created = await fetch(`${base}/v1/calls`, { method: 'POST', headers, body })
  const { data } = (await created.json()) as { data: { call_id: string } }
  const isDone = (call: Call) =>
    call.status === 'failed' || (call.status === 'completed' && call.call_analytics !== null)
  return t.untilCall(org.key, data.call_id, isDone)
}
const eventsOf = (callId: string) =>
  t.db.query<{ type: keyof typeof eventSchemas; event_id: string; data: Record<string, unknown> }>(
    'select type, event_id, data from events where call_id = $1 order by created_at, event_id',
    [callId],
  )

const completed = [
  ['0001', 'appointment_booked'],
  ['0006', 'voicemail'],
  ['0007', 'callback_scheduled'],
  ['0008', 'not_interested'],
  ['0009', 'transferred'],
  ['0010', 'ended_by_customer'],
  ['0011', 'session_ended'],
  ['1234', 'not_interested'],
] as const
const failed = [
  ['0002', 'busy'],
  ['0003', 'no_answer'],
  ['0004', 'invalid_number'],
  ['0005', 'carrier_error'],
  ['0012', 'carrier_error'],
] as const

describe.each(['+1500555', '+91500555'])('%s…', (prefix) => {
  it.each(completed)('%s ends completed with the disposition %s', async (last, disposition) => {
    const call = await callTo(`${prefix}${last}`)
    expect(call).toMatchObject({ status: 'completed', error: null, call_analytics: { disposition } })
    expect(call.call_duration_seconds).toBeGreaterThan(0)
    expect(call.credits_consumed).toBe(Math.max(1, Math.ceil((call.call_duration_seconds ?? 0) / 60)))
    expect(call.call_transcript?.[0]).toMatchObject({
      speaker: 'agent',
      text: 'Hello Maya, this is Asha from Acme Clinic.',
    })
    const times = call.call_transcript?.map((each) => each.timestamp) ?? []
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    const events = await eventsOf(call.call_id)
    const between = last === '0001' ? (['appointment.created'] as const) : []
    expect(events.map((each) => each.type)).toEqual(['call.initiated', ...between, 'call.completed'])
    expect(events.at(-1)?.data).toMatchObject({
      scheduled_call_id: call.scheduled_call_id,
      credits_consumed: call.credits_consumed,
    })
  })

  it.each(failed)('%s ends failed with the error %s', async (last, code) => {
    const call = await callTo(`${prefix}${last}`)
    expect(call).toMatchObject({ status: 'failed', error: { code }, call_analytics: null, credits_consumed: null })
    expect(call.call_duration_seconds === null).toBe(last !== '0012')
    const events = await eventsOf(call.call_id)
    expect(events.map((each) => each.type)).toEqual(['call.initiated', 'call.failed'])
    expect(events[1]?.data).toMatchObject({ error: code, call_analytics: null })
  })
})

it('0001 books the first open appointment, and the event of the call holds it', async () => {
  const branch = `branch_id=${org.branches[0]?.branch_id}`
  const open = `/v1/appointment-slots/availability?${branch}&booked_by=ai`
  const [first] = (await t.send(org.key, 'GET', open)).json().data
  const call = await callTo('+15005550001')
  const [appointment] = (await t.send(org.key, 'GET', `/v1/appointments?call_id=${call.call_id}`)).json().data
  expect(appointment).toMatchObject({ slot_id: first.slot_id, booked_by: 'ai', contact_name: 'Maya' })
  expect((await eventsOf(call.call_id)).at(-1)?.data.appointment_details).toEqual(appointment)
})

describe('follow-ups', () => {
  it.each([
    ['0003', 'retry'],
    ['0006', 'retry'],
    ['0007', 'callback'],
  ])('%s makes a %s one hour later, linked both ways', async (last, source) => {
    const call = await callTo(`+1500555${last}`)
    const next = (await t.send(org.key, 'GET', `/v1/calls/${call.scheduled_call_id}`)).json().data as Call
    expect(next).toMatchObject({ status: 'scheduled', follows_call_id: call.call_id, contact_name: 'Maya' })
    expect(next.contact_number).toBe(call.contact_number)
    const wait = new Date(next.scheduled_at ?? 0).getTime() - new Date(call.completed_at ?? 0).getTime()
    // A callback is read to the minute.
    expect(Math.abs(wait - 3_600_000)).toBeLessThan(120_000)
    const [row] = await t.db.query('select source, attempt from calls where call_id = $1', [next.call_id])
    expect(row).toEqual({ source, attempt: source === 'retry' ? 2 : 1 })
  })

  it('the last attempt of a retry policy makes no further call', async () => {
    const call = await callTo('+15005550003')
    await t.db.query('update calls set scheduled_at = now() where call_id = $1', [call.scheduled_call_id])
    const second = await t.untilCall(org.key, call.scheduled_call_id ?? '', (each) => each.status === 'failed')
    expect(second.scheduled_call_id).toBeNull()
  })

  it('0002 is not in the policy: no follow-up', async () => {
    expect((await callTo('+15005550002')).scheduled_call_id).toBeNull()
  })
})

describe('afterwards', () => {
  it('every event has exactly the shape of its schema', async () => {
    const all = await t.db.query<{
      type: keyof typeof eventSchemas
      event_id: string
      created_at: Date
      data: unknown
    }>('select type, event_id, created_at, data from events')
    expect(all.length).toBeGreaterThan(40)
    for (const event of all) {
      const { type, data } = event
      const body = { event_id: event.event_id, event_type: type, created_at: event.created_at.toISOString(), data }
      const matches = bodySchemas.compile(eventSchemas[type])
      expect(matches(body), JSON.stringify(matches.errors)).toBe(true)
    }
  })

  it('no credit stays held, and the balance equals the ledger', async () => {
    const [row] = await t.db.query<{ balance: string; held: string; counted: string }>(
      `select b.balance, b.held, sum(case kind when 'grant' then amount when 'charge' then -amount else 0 end) as counted
       from credit_balances b join credit_entries using (organisation_id)
       where organisation_id = $1 group by b.balance, b.held`,
      [org.organisationId],
    )
    expect(row?.held).toBe('0')
    expect(row?.balance).toBe(row?.counted)
    expect(Number(row?.balance)).toBeLessThan(10_000)
  })
})
