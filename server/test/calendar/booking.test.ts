import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Calendar,
  type Clinic,
  codeOf,
  contact,
  createCalendar,
  expectTrueCounters,
  fieldsOf,
  monday,
  nextMonday,
} from './calendar.ts'

let t: Calendar
let clinic: Clinic
const base = '/v1/appointments'
beforeAll(async () => {
  t = await createCalendar()
  clinic = await t.clinic()
})
const slotOn = async (more: object = {}, date = monday) => `${(await clinic.window(more)).calendar_id}||${date}`

describe('booking', () => {
  it('answers 201 with the whole appointment object: batch, service name and times with the offset filled in', async () => {
    const window = await clinic.window({ batch_name: 'A', appointment_type_id: clinic.serviceId })
    const body = { ...contact, contact_email: 'maya@example.com', notes: 'First visit', external_id: 'ext-1' }
    const answer = await clinic.book(`${window.calendar_id}||${monday}`, body)
    expect(answer.statusCode).toBe(201)
    const { success, data } = answer.json()
    expect(success).toBe(true)
    expect(data).toEqual({
      appointment_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'confirmed',
      slot_id: `${window.calendar_id}||${monday}`,
      calendar_id: window.calendar_id,
      branch_id: clinic.branchId,
      date: monday,
      start_time: '09:00',
      end_time: '12:00',
      starts_at: '2026-11-16T09:00:00+05:30',
      ends_at: '2026-11-16T12:00:00+05:30',
      timezone: 'Asia/Kolkata',
      session: 'Morning',
      batch: 'A',
      appointment_type_id: clinic.serviceId,
      appointment_type_name: 'Check-up',
      contact_name: 'Maya Rao',
      contact_number: '+15005550001',
      contact_email: 'maya@example.com',
      notes: 'First visit',
      booked_by: 'api',
      call_id: null,
      external_id: 'ext-1',
      cancellation_reason: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: data.created_at,
    })
    expect((await clinic.send('GET', `${base}/${data.appointment_id}`)).json()).toEqual({ success: true, data })
    const events = (await clinic.events('appointment.created')).filter(
      (each) => each.data.appointment_id === data.appointment_id,
    )
    expect(events).toEqual([{ type: 'appointment.created', data }])
  })

  it('never goes over max_slots, nor for the agent over ai_slots, and says which', async () => {
    const slot = await slotOn({ ai_slots: 1, max_slots: 3 })
    expect((await clinic.booked(slot, { booked_by: 'ai' })).booked_by).toBe('ai')
    expect(codeOf(await clinic.book(slot, { booked_by: 'ai' }))).toBe('409 AI_QUOTA_EXHAUSTED')
    await clinic.booked(slot, { booked_by: 'staff' })
    await clinic.booked(slot)
    expect(codeOf(await clinic.book(slot))).toBe('409 SLOT_FULL')
    expect(codeOf(await clinic.book(slot, { booked_by: 'ai' }))).toBe('409 SLOT_FULL')
    await expectTrueCounters(t)
  })

  it('ai_slots is a ceiling, not a reservation: others may take every place', async () => {
    const slot = await slotOn({ ai_slots: 2, max_slots: 2 })
    await clinic.booked(slot, { booked_by: 'staff' })
    await clinic.booked(slot)
    expect(codeOf(await clinic.book(slot, { booked_by: 'ai' }))).toBe('409 SLOT_FULL')
  })

  it('a 409 for want of space carries the next three open slots', async () => {
    const own = await t.clinic()
    const full = await own.window({ ai_slots: 0, max_slots: 1 })
    const tuesday = await own.window({ day: 'tuesday', appointment_type_id: own.serviceId })
    await own.booked(`${full.calendar_id}||${monday}`)
    const { error } = (await own.book(`${full.calendar_id}||${monday}`)).json()
    expect(error.code).toBe('SLOT_FULL')
    expect(error.alternatives.map((each: { slot_id: string }) => each.slot_id)).toEqual([
      `${tuesday.calendar_id}||2026-11-17`,
      `${full.calendar_id}||${nextMonday}`,
      `${tuesday.calendar_id}||2026-11-24`,
    ])
    expect(error.alternatives[0]).toMatchObject({ available_slots: 4, starts_at: '2026-11-17T09:00:00+05:30' })
    const asked = (await own.book(`${full.calendar_id}||${monday}`, { booked_by: 'ai' })).json().error.alternatives
    expect(asked.map((each: { calendar_id: string }) => each.calendar_id)).toEqual(Array(3).fill(tuesday.calendar_id))
  })

  it('409 SLOT_CLOSED for a closed window, SLOT_IN_PAST once the window is over; not before', async () => {
    expect(codeOf(await clinic.book(await slotOn({ status: 'CLOSED' })))).toBe('409 SLOT_CLOSED')
    expect(codeOf(await clinic.book(await slotOn({}, '2026-11-09')))).toBe('409 SLOT_IN_PAST')
    // It is Saturday, 17:30 in Kolkata.
    const today = (end_time: string) => slotOn({ day: 'saturday', start_time: '17:00', end_time }, '2026-11-14')
    expect(codeOf(await clinic.book(await today('17:30')))).toBe('409 SLOT_IN_PAST')
    expect((await clinic.book(await today('17:31'))).statusCode).toBe(201)
  })

  it.each([
    ['no date', (id: string) => ({ slot_id: id }), 'slot_id without_date'],
    ['a date on which it does not fall', (id: string) => ({ slot_id: `${id}||2026-11-17` }), 'slot_id not_on_this_day'],
    ['a date that does not exist', (id: string) => ({ slot_id: `${id}||2026-02-30` }), 'slot_id format'],
    ['a time', (id: string) => ({ slot_id: `${id}||2026-11-16T09:00:00Z` }), 'slot_id format'],
    ['an unknown slot', () => ({ slot_id: `${randomUUID()}||${monday}` }), 'slot_id not_found'],
    ['no slot at all', () => ({ slot_id: 'tomorrow' }), 'slot_id format'],
    ['an unknown service', () => ({ appointment_type_id: randomUUID() }), 'appointment_type_id not_found'],
    ['a service that is no id', () => ({ appointment_type_id: 'x' }), 'appointment_type_id not_found'],
    ['an unknown call', () => ({ call_id: `call_${'0'.repeat(32)}` }), 'call_id not_found'],
    ['an unknown field', () => ({ user_name: 'Maya' }), 'user_name unknown_field'],
    ['an empty name', () => ({ contact_name: '' }), 'contact_name too_short'],
    ['a robot', () => ({ booked_by: 'robot' }), 'booked_by not_allowed'],
    ['a bad e-mail', () => ({ contact_email: 'maya' }), 'contact_email format'],
  ])('400 for %s', async (_, more, fault) => {
    const { calendar_id: id } = await clinic.window()
    const answer = await clinic.book(`${id}||${monday}`, more(id))
    expect(codeOf(answer)).toBe('400 VALIDATION_ERROR')
    expect(fieldsOf(answer)).toContain(fault)
  })

  it('422 for a number that cannot be called; with another fault 400 wins', async () => {
    const slot = await slotOn()
    expect(codeOf(await clinic.book(slot, { contact_number: '12345' }))).toBe('422 INVALID_PHONE_NUMBER')
    expect(codeOf(await clinic.book(slot, { contact_number: '+4915112345678' }))).toBe('422 UNSUPPORTED_COUNTRY')
    const both = { contact_number: '12345', appointment_type_id: randomUUID() }
    expect(codeOf(await clinic.book(slot, both))).toBe('400 VALIDATION_ERROR')
  })

  it("400 for another organisation's slot, 404 for its appointment", async () => {
    const other = await t.clinic()
    const slot = `${(await other.window()).calendar_id}||${monday}`
    expect(fieldsOf(await clinic.book(slot))).toEqual(['slot_id not_found'])
    const { appointment_id: id } = await other.booked(slot)
    expect(codeOf(await clinic.send('GET', `${base}/${id}`))).toBe('404 NOT_FOUND')
    expect(codeOf(await clinic.patch(id, { notes: 'x' }))).toBe('404 NOT_FOUND')
    expect(codeOf(await clinic.send('GET', `${base}?branch_id=${other.branchId}`))).toBe('400 VALIDATION_ERROR')
  })

  it('keeps the call it came from, and loses only the link when the call is erased', async () => {
    const call = await clinic.send('POST', '/v1/calls', { agent_id: clinic.agentId, user_number: '+15005550001' })
    const callId: string = call.json().data.call_id
    const booked = await clinic.booked(await slotOn(), { call_id: callId, booked_by: 'ai' })
    expect(booked.call_id).toBe(callId)
    const found = await clinic.send('GET', `${base}?call_id=${callId}`)
    expect(found.json().data).toHaveLength(1)
    await t.db.query(`update calls set status = 'completed', answered_at = now() where call_id = $1`, [callId])
    expect((await clinic.send('DELETE', `/v1/calls/${callId}`)).statusCode).toBe(200)
    const after = (await clinic.send('GET', `${base}/${booked.appointment_id}`)).json().data
    expect(after).toEqual({ ...booked, call_id: null })
    const told = (await clinic.events()).filter((each) => each.data.appointment_id === booked.appointment_id)
    expect(told).toEqual([])
  })
})

describe('the service', () => {
  it("is the window's own, and no other", async () => {
    const own = await t.clinic({ services: [{ name: 'Check-up' }, { name: 'X-ray' }] })
    const [checkUp, xRay] = own.services.map((each) => each?.appointment_type_id ?? '') as [string, string]
    const slot = `${(await own.window({ appointment_type_id: checkUp })).calendar_id}||${monday}`
    expect((await own.booked(slot)).appointment_type_name).toBe('Check-up')
    expect((await own.booked(slot, { appointment_type_id: checkUp })).appointment_type_id).toBe(checkUp)
    expect(fieldsOf(await own.book(slot, { appointment_type_id: xRay }))).toEqual([
      'appointment_type_id not_in_this_slot',
    ])
    expect(fieldsOf(await own.book(`${slot}||${xRay}`))).toEqual(['appointment_type_id not_in_this_slot'])
    expect((await own.booked(`${slot}||${checkUp}`)).slot_id).toBe(slot)
  })

  it('must be said where the branch has several; the only one need not; without any there is none', async () => {
    const several = await t.clinic({ services: [{ name: 'Check-up' }, { name: 'X-ray' }] })
    const slot = `${(await several.window()).calendar_id}||${monday}`
    expect(fieldsOf(await several.book(slot))).toEqual(['appointment_type_id required'])
    const xRay = several.services[1]?.appointment_type_id
    expect((await several.booked(slot, { appointment_type_id: xRay })).appointment_type_name).toBe('X-ray')
    expect((await several.booked(`${slot}||${xRay}`)).appointment_type_name).toBe('X-ray')
    expect((await clinic.booked(await slotOn())).appointment_type_name).toBe('Check-up')
    const none = await t.clinic({ services: [] })
    const open = `${(await none.window()).calendar_id}||${monday}`
    expect(await none.booked(open)).toMatchObject({ appointment_type_id: null, appointment_type_name: null })
  })
})

describe('repeats', () => {
  it('fifty at once with one Idempotency-Key: one appointment, one event, fifty equal answers', async () => {
    const slot = await slotOn({ max_slots: 50, ai_slots: 0 })
    const before = (await clinic.events('appointment.created')).length
    const body = { slot_id: slot, ...contact }
    const headers = { 'idempotency-key': 'once' }
    const answers = await Promise.all(Array.from({ length: 50 }, () => clinic.send('POST', base, body, headers)))
    expect(new Set(answers.map((each) => `${each.statusCode} ${each.body}`)).size).toBe(1)
    expect(answers[0]?.statusCode).toBe(201)
    expect((await clinic.events('appointment.created')).length - before).toBe(1)
    const other = await clinic.send('POST', base, { ...body, notes: 'x' }, headers)
    expect(codeOf(other)).toBe('422 IDEMPOTENCY_KEY_REUSED')
  })

  it('a repeat is answered although the slot is full, or over, by now; a refusal is not remembered', async () => {
    const slot = await slotOn({ max_slots: 1, ai_slots: 0 })
    const body = { slot_id: slot, ...contact }
    const headers = { 'idempotency-key': 'last-place' }
    const refused = await clinic.send('POST', base, { ...body, contact_number: '1' }, headers)
    expect(refused.statusCode).toBe(422)
    const first = await clinic.send('POST', base, body, headers)
    expect(first.statusCode).toBe(201)
    expect((await clinic.send('POST', base, body, headers)).body).toBe(first.body)
    expect(codeOf(await clinic.book(slot))).toBe('409 SLOT_FULL')
  })

  it('409 ALREADY_BOOKED for an external_id in use, until that appointment is cancelled', async () => {
    const slot = await slotOn({ max_slots: 1, ai_slots: 0 })
    const external_id = 'crm-77'
    const first = await clinic.booked(slot, { external_id })
    expect(codeOf(await clinic.book(slot, { external_id }))).toBe('409 ALREADY_BOOKED')
    expect(codeOf(await clinic.book(await slotOn(), { external_id }))).toBe('409 ALREADY_BOOKED')
    await clinic.patch(first.appointment_id, { status: 'cancelled' })
    await clinic.booked(slot, { external_id })
    expect(codeOf(await clinic.patch(first.appointment_id, { status: 'confirmed' }))).toBe('409 SLOT_FULL')
    const roomy = `${(await clinic.window()).calendar_id}||${monday}`
    const back = { status: 'confirmed', slot_id: roomy }
    expect(codeOf(await clinic.patch(first.appointment_id, back))).toBe('409 ALREADY_BOOKED')
    await expectTrueCounters(t)
  })
})
