import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, testClock } from '../app.ts'
import { type As, apiAs, type Signed, signedOrganisation } from '../dashboard.ts'

// Kolkata is at +05:30: these 20:00 UTC are the next day there.
const clock = testClock(new Date('2026-11-15T20:00:00Z'))
let t: TestApp
let org: Signed
let me: As

beforeAll(async () => {
  t = await createTestApp({ clock })
  org = await signedOrganisation(t, {
    organisation: { name: 'Acme', timezone: 'Asia/Kolkata', credits: 12 },
    phone_numbers: [{ number: '+15005550000' }, { number: '+15005550077' }],
  })
  me = apiAs(t, org.cookies.owner)
})

type Seed = {
  status: string
  at: string
  created?: string
  answered?: boolean
  source?: string
  number?: string
  error?: string
  completed?: string
}
const seed = async (calls: Seed[]) => {
  for (const [i, call] of calls.entries()) {
    const id = `call_${String(Math.random()).slice(2).padStart(20, '0').slice(0, 20)}${String(i).padStart(12, '0')}`
    await t.db.query(
      `insert into calls (call_id, organisation_id, agent_id, status, direction, source, contact_number, scheduled_at,
         triggered_at, answered_at, completed_at, error_code, created_at, updated_at)
       values ($1, $2, $3, $4, 'outbound', $5, $6, $7, case when $8 then $7::timestamptz end,
         case when $9 then $7::timestamptz end, $10, $11, $12, $12)`,
      [
        id,
        org.organisationId,
        org.agentId,
        call.status,
        call.source ?? 'api',
        call.number ?? `+1500555${String(1_000 + i)}`,
        call.at,
        !['scheduled', 'cancelled'].includes(call.status),
        call.answered ?? false,
        call.completed ?? null,
        call.error ?? null,
        call.created ?? call.at,
      ],
    )
  }
}
const home = async () => (await me('GET', '/home')).json().data

describe('home', () => {
  it('begins with a checklist that is ticked from what is there', async () => {
    expect((await home()).checklist).toEqual({
      agent: true,
      number: true,
      api_key: true,
      test_call: false,
      webhook: false,
      calendar: false,
    })
    expect((await home()).idle_numbers).toMatchObject([{ number: '+15005550077' }])
    expect((await home()).credits).toEqual({ balance: 12, held: 0 })
  })

  it('counts the day of the organisation, by when a call was placed or is due', async () => {
    await seed([
      // Today in Kolkata began at 18:30 UTC.
      { status: 'completed', at: '2026-11-15T18:31:00Z', answered: true },
      { status: 'completed', at: '2026-11-15T19:31:00Z', answered: true, created: '2026-11-01T00:00:00Z' },
      { status: 'failed', at: '2026-11-15T19:40:00Z', error: 'busy', completed: '2026-11-15T19:41:00Z' },
      { status: 'scheduled', at: '2026-11-16T10:00:00Z' },
      { status: 'scheduled', at: '2026-11-16T19:00:00Z' },
      // Yesterday there, and before what is shown.
      { status: 'completed', at: '2026-11-15T18:29:00Z', answered: true },
      { status: 'failed', at: '2026-11-14T12:00:00Z' },
      { status: 'completed', at: '2026-10-20T12:00:00Z', answered: true },
    ])
    const found = await home()
    expect(found).toMatchObject({ date: '2026-11-16', timezone: 'Asia/Kolkata' })
    expect(found.today).toMatchObject({
      by_status: { completed: 2, failed: 1, scheduled: 1 },
      answered: 2,
      not_answered: 1,
    })
    expect(found.today.hours).toHaveLength(24)
    expect(found.today.hours[0]).toEqual({ hour: 0, answered: 1, not_answered: 0 })
    expect(found.today.hours[1]).toEqual({ hour: 1, answered: 1, not_answered: 1 })
    expect(found.days).toHaveLength(14)
    expect(found.days.at(-2)).toMatchObject({ date: '2026-11-15', answered: 1, not_answered: 0 })
    expect(found.days.at(-3)).toMatchObject({ date: '2026-11-14', answered: 0, not_answered: 1 })
  })

  it('names failed calls nobody has tried again, and the callbacks of today', async () => {
    const at = '2026-11-15T19:50:00Z'
    await seed([
      { status: 'failed', at, completed: at, error: 'no_answer', number: '+15005557001' },
      { status: 'failed', at, completed: at, error: 'busy', number: '+15005557002' },
      { status: 'completed', at: '2026-11-15T19:55:00Z', answered: true, number: '+15005557002' },
      { status: 'scheduled', at: '2026-11-16T09:00:00Z', source: 'callback', number: '+15005557003' },
      { status: 'scheduled', at: '2026-11-17T09:00:00Z', source: 'callback', number: '+15005557004' },
    ])
    const { failed_calls, callbacks } = await home()
    const numbers = failed_calls.map((each: { contact_number: string }) => each.contact_number)
    expect(numbers).toContain('+15005557001')
    expect(numbers).not.toContain('+15005557002')
    expect(callbacks).toMatchObject([
      { contact_number: '+15005557003', agent_name: 'Asha', scheduled_at: '2026-11-16T09:00:00.000Z' },
    ])
  })

  it('live calls are those in the air on our lines, and nobody else’s', async () => {
    expect((await me('GET', '/home/live')).json().data).toEqual({ total: 0, waiting: 0, calls: [] })
    await t.db.query(
      `update calls set status = 'ringing', phone_number_id = (select phone_number_id from agents where agent_id = $1)
       where call_id = (select call_id from calls where organisation_id = $2 and status = 'failed' limit 1)`,
      [org.agentId, org.organisationId],
    )
    expect((await me('GET', '/home/live')).json().data).toMatchObject({ total: 1, calls: [{ status: 'ringing' }] })
    const stranger = apiAs(t, (await signedOrganisation(t)).cookies.owner)
    expect((await stranger('GET', '/home/live')).json().data.calls).toEqual([])
    const theirs = (await stranger('GET', '/home')).json().data
    expect([theirs.today.answered, theirs.failed_calls, theirs.callbacks]).toEqual([0, [], []])
  })
})
