import { describe, expect, it } from 'vitest'
import { bookingTools } from '../../src/calls/booking-tools.ts'
import type { ToolState } from '../../src/calls/call-tools.ts'
import type { ToolName, ToolResult } from '../../src/voice/ports.ts'
import { type Clinic, contact, createCalendar, expectTrueCounters, monday, nextMonday } from '../calendar/calendar.ts'

const t = await createCalendar()

type Slots = { slot_id: string; label: string }[]
type CallOptions = { language?: string; to?: string; prompt?: string; contactName?: string | null; branchId?: string }

/** A call in the air, and its tools. */
async function inCall(clinic: Clinic, options: CallOptions = {}) {
  const { branchId = clinic.branchId, to = contact.contact_number, contactName = 'Maya' } = options
  const body = { agent_id: clinic.agentId, user_number: to }
  const { call_id: callId } = (await clinic.send('POST', '/v1/calls', body)).json().data
  const become = (status: string) => t.db.query('update calls set status = $2 where call_id = $1', [callId, status])
  await become('in_progress')
  const state: ToolState = { callbackAt: null, hold: null }
  const { language = 'en', prompt = '' } = options
  const { organisationId } = clinic
  const call = { callId, organisationId, branchId, language, to, contactName, contactEmail: null, prompt }
  const tools = bookingTools(t, { ...call, timezone: 'Asia/Kolkata' }, state)
  const use = (name: keyof typeof tools, args: unknown = {}, signal = new AbortController().signal) =>
    tools[name].run(args, signal)
  const list = async (args = {}) => (await use('list_slots', args)).slots as Slots
  return { callId, state, use, list, become }
}
const ok = (result: ToolResult) => result.ok

describe('list_slots', () => {
  it('names the next openings in the branch’s zone and the call’s language, five at most', async () => {
    const clinic = await t.clinic()
    for (const day of ['monday', 'tuesday', 'wednesday']) await clinic.window({ day })
    await clinic.window({ session: 'Afternoon', start_time: '15:30', end_time: '17:00' })
    const english = await (await inCall(clinic)).list()
    expect(english.map((each) => each.label)).toEqual([
      'Monday, 16 November at 9:00',
      'Monday, 16 November at 15:30',
      'Tuesday, 17 November at 9:00',
      'Wednesday, 18 November at 9:00',
      'Monday, 23 November at 9:00',
    ])
    const hindi = await (await inCall(clinic, { language: 'hi-IN' })).list()
    expect(hindi[1]?.label).toBe('सोमवार, 16 नवंबर को दोपहर 3:30 बजे')
  })

  it('begins with a date that is wished for, and with the next ones when nothing is open then', async () => {
    const clinic = await t.clinic()
    await clinic.window()
    const call = await inCall(clinic)
    expect((await call.list({ from_date: '2026-11-17' }))[0]?.label).toBe('Monday, 23 November at 9:00')
    expect((await call.list({ from_date: '2026-13-99' }))[0]?.label).toBe('Monday, 16 November at 9:00')
  })

  it('only where the agent has places left, and not beyond a fortnight', async () => {
    const clinic = await t.clinic()
    await clinic.window({ ai_slots: 0, max_slots: 5 })
    const window = await clinic.window({ session: 'Evening', ai_slots: 1 })
    await clinic.booked(`${window.slot_id}||${monday}`, { booked_by: 'ai' })
    expect((await (await inCall(clinic)).list()).map((each) => each.label)).toEqual(['Monday, 23 November at 17:00'])
  })

  it('says the service where there are several, and one time once', async () => {
    const clinic = await t.clinic({ services: [{ name: 'Check-up' }, { name: 'Vaccination' }] })
    const [first, second] = clinic.services.map((each) => each?.appointment_type_id)
    await clinic.window({ appointment_type_id: first })
    await clinic.window({ appointment_type_id: second })
    await clinic.window({ appointment_type_id: second })
    expect((await (await inCall(clinic)).list()).map((each) => each.label)).toEqual([
      'Monday, 16 November at 9:00, Check-up',
      'Monday, 16 November at 9:00, Vaccination',
      'Monday, 23 November at 9:00, Check-up',
      'Monday, 23 November at 9:00, Vaccination',
    ])
  })

  it('what one call holds is not open to another, and the call itself sees it again', async () => {
    const clinic = await t.clinic()
    await clinic.window({ ai_slots: 1 })
    const first = await inCall(clinic)
    const second = await inCall(clinic)
    const [held] = await first.list()
    expect((await second.list())[0]?.label).toBe('Monday, 23 November at 9:00')
    expect((await first.list())[0]).toEqual(held)
  })
})

describe('hold_slot', () => {
  it('lets go of the one before', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window({ ai_slots: 1 })
    const [first, second] = [await inCall(clinic), await inCall(clinic)]
    const hold = (call: typeof first, date: string) => call.use('hold_slot', { slot_id: `${slot_id}||${date}` })
    expect(await hold(first, monday)).toMatchObject({ ok: true, label: 'Monday, 16 November at 9:00' })
    const refused = await hold(second, monday)
    expect(refused).toMatchObject({ ok: false, message: 'I am sorry, that time is not open any more.' })
    expect((refused.slots as Slots)[0]?.label).toBe('Monday, 23 November at 9:00')
    expect(await hold(first, nextMonday)).toMatchObject({ ok: true })
    expect(await hold(second, monday)).toMatchObject({ ok: true })
  })

  it('is booked by the call that has it, and by nobody else', async () => {
    const clinic = await t.clinic()
    await clinic.window({ ai_slots: 1, max_slots: 1 })
    const [first, second] = [await inCall(clinic), await inCall(clinic)]
    const slotId = (await first.list())[0]?.slot_id
    expect(await second.use('book_appointment', { slot_id: slotId })).toMatchObject({ ok: false })
    expect(await first.use('book_appointment', { slot_id: slotId })).toMatchObject({ ok: true })
    expect(first.state.hold).toBeNull()
    await expectTrueCounters(t)
  })
})

describe('book_appointment', () => {
  it('asked for again in the same call it is the same appointment, also at the same moment', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window({ ai_slots: 4 })
    const call = await inCall(clinic)
    const book = () => call.use('book_appointment', { slot_id: `${slot_id}||${monday}` })
    const results = [...(await Promise.all([book(), book(), book()])), await book()]
    expect(results.every(ok)).toBe(true)
    expect(new Set(results.map((each) => each.appointment_id)).size).toBe(1)
    expect(await clinic.events('appointment.created')).toHaveLength(1)
  })

  it('a booking that took too long is not made after all', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window()
    const call = await inCall(clinic)
    const signal = AbortSignal.abort()
    await expect(call.use('book_appointment', { slot_id: `${slot_id}||${monday}` }, signal)).rejects.toThrow()
    expect(await clinic.events('appointment.created')).toEqual([])
  })

  it('after the end of the call nothing is booked or held', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window()
    const call = await inCall(clinic)
    await call.become('completed')
    const args = { slot_id: `${slot_id}||${monday}` }
    expect(await call.use('book_appointment', args)).toMatchObject({ ok: false })
    expect(await call.use('hold_slot', args)).toMatchObject({ ok: false })
    expect(await clinic.events('appointment.created')).toEqual([])
  })

  it.each([undefined, 7, '', 'x||y', '01990000-0000-7000-8000-000000000000||2026-11-16'])(
    '%s is no slot',
    async (id) => {
      const call = await inCall(await t.clinic())
      for (const name of ['hold_slot', 'book_appointment'] as const)
        expect(await call.use(name, { slot_id: id })).toMatchObject({ ok: false })
      expect(await call.use('book_appointment', null)).toMatchObject({ ok: false })
    },
  )

  it('another branch’s slot is refused', async () => {
    const clinic = await t.clinic({ branches: [{ name: 'Main' }, { name: 'Other' }], services: [{ name: 'Check-up' }] })
    const { slot_id } = await clinic.window({ branch_id: clinic.branches[1]?.branch_id })
    const call = await inCall(clinic)
    expect(await call.use('book_appointment', { slot_id: `${slot_id}||${monday}` })).toMatchObject({ ok: false })
  })

  it.each([
    [{ service: 'vaccination' }, '', 'Vaccination'],
    [{}, 'Offer a vaccination.', 'Vaccination'],
    [{}, 'Offer a visit.', 'Check-up or Vaccination'],
    [{ service: 'Surgery' }, '', 'Check-up or Vaccination'],
  ])('where a slot takes several services: %j, prompt "%s": %s', async (more, prompt, name) => {
    const clinic = await t.clinic({ services: [{ name: 'Check-up' }, { name: 'Vaccination' }] })
    const { slot_id } = await clinic.window()
    const call = await inCall(clinic, { prompt, contactName: null })
    await call.use('book_appointment', { slot_id: `${slot_id}||${monday}`, ...more })
    const [event] = await clinic.events('appointment.created')
    expect(event?.data).toMatchObject({ contact_name: contact.contact_number })
    // Services made at the same moment have no oldest.
    expect(name.split(' or ')).toContain(event?.data.appointment_type_name)
  })
})

describe('an appointment of theirs', () => {
  const someone = '+15005557777'
  const changes: [ToolName, object][] = [
    ['cancel_appointment', {}],
    ['move_appointment', { slot_id: '' }],
  ]

  it('is found, with the zone and words of the call', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window()
    await clinic.booked(`${slot_id}||${nextMonday}`)
    await clinic.booked(`${slot_id}||${monday}`)
    await clinic.booked(`${slot_id}||${monday}`, { contact_number: someone })
    const found = await (await inCall(clinic)).use('find_appointments')
    expect(found.message).toBe(
      'Your appointment is on Monday, 16 November at 9:00, and another on Monday, 23 November at 9:00.',
    )
    expect(found.appointments).toHaveLength(2)
  })

  it('cancelled again it is still cancelled: one event', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window()
    const { appointment_id } = await clinic.booked(`${slot_id}||${monday}`)
    const call = await inCall(clinic)
    const cancel = () => call.use('cancel_appointment', { appointment_id, reason: 'ill' })
    expect([await cancel(), await cancel()].every(ok)).toBe(true)
    const events = await clinic.events('appointment.cancelled')
    expect(events).toMatchObject([{ data: { cancellation_reason: 'ill' } }])
  })

  it('takes the last place of the agent’s that its own call holds', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window({ ai_slots: 1, max_slots: 1 })
    const { appointment_id } = await clinic.booked(`${slot_id}||${monday}`, { booked_by: 'ai' })
    const call = await inCall(clinic)
    const [next] = await call.list()
    const move = () => call.use('move_appointment', { appointment_id, slot_id: next?.slot_id })
    expect([await move(), await move()].every(ok)).toBe(true)
    expect(await clinic.events('appointment.updated')).toHaveLength(1)
    await expectTrueCounters(t)
  })

  it('two that swap their places do not block each other', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window({ ai_slots: 4 })
    const [a, b] = [`${slot_id}||${monday}`, `${slot_id}||${nextMonday}`]
    const mine = await clinic.booked(a)
    const yours = await clinic.booked(b, { contact_number: someone })
    const [me, you] = [await inCall(clinic), await inCall(clinic, { to: someone })]
    const results = await Promise.all([
      me.use('move_appointment', { appointment_id: mine.appointment_id, slot_id: b }),
      you.use('move_appointment', { appointment_id: yours.appointment_id, slot_id: a }),
    ])
    expect(results.every(ok)).toBe(true)
    await expectTrueCounters(t)
  })

  it.each(changes)('%s of somebody else’s, or of one that is over, does nothing', async (name, more) => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window()
    const theirs = await clinic.booked(`${slot_id}||${monday}`, { contact_number: someone })
    const call = await inCall(clinic)
    for (const appointment_id of [theirs.appointment_id, 'x', undefined, null]) {
      const args = { ...more, appointment_id, slot_id: `${slot_id}||${nextMonday}` }
      const result = await call.use(name as 'move_appointment', args)
      expect(result).toMatchObject({ ok: false, message: 'I am sorry, I cannot find that appointment.' })
    }
    expect(await clinic.events()).toHaveLength(2)
  })

  it('a slot that is full leaves it where it is', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window({ ai_slots: 0, max_slots: 4 })
    const { appointment_id } = await clinic.booked(`${slot_id}||${monday}`)
    const call = await inCall(clinic)
    const result = await call.use('move_appointment', { appointment_id, slot_id: `${slot_id}||${nextMonday}` })
    expect(result).toMatchObject({ ok: false, message: 'I am sorry, that time is not open any more.' })
    expect(await clinic.events('appointment.updated')).toEqual([])
  })
})
