import type { Appointment } from '@parley/contract/appointments'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Calendar,
  type Clinic,
  codeOf,
  createCalendar,
  expectTrueCounters,
  fieldsOf,
  monday,
  nextMonday,
} from './calendar.ts'

let t: Calendar
let clinic: Clinic
beforeAll(async () => {
  t = await createCalendar()
  clinic = await t.clinic()
})
const slotOn = async (more: object = {}, date = monday) => `${(await clinic.window(more)).calendar_id}||${date}`
const dataOf = async (id: string, body: object): Promise<Appointment> => {
  const answer = await clinic.patch(id, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const eventsOf = async (id: string) =>
  (await clinic.events()).filter((each) => each.data.appointment_id === id).map((each) => each.type)
const freeIn = async (slotId: string) => {
  const date = slotId.slice(-10)
  const found = await clinic.available(`&date=${date}&include_full=true&include_closed=true`)
  return found.find((each) => each.slot_id === slotId)?.available_slots
}

describe('cancelling', () => {
  it('gives the place back, keeps the reason, and tells it once however often it is repeated', async () => {
    const slot = await slotOn({ max_slots: 1, ai_slots: 1 })
    const { appointment_id: id } = await clinic.booked(slot, { booked_by: 'ai' })
    expect(await freeIn(slot)).toBe(0)
    const cancelled = await dataOf(id, { status: 'cancelled', cancellation_reason: 'Travelling' })
    expect(cancelled).toMatchObject({ status: 'cancelled', cancellation_reason: 'Travelling' })
    expect(await freeIn(slot)).toBe(1)
    expect(await dataOf(id, { status: 'cancelled', cancellation_reason: 'Another' })).toEqual(cancelled)
    expect(await eventsOf(id)).toEqual(['appointment.created', 'appointment.cancelled'])
    const [event] = (await clinic.events('appointment.cancelled')).slice(-1)
    expect(event?.data).toEqual(cancelled)
    expect(await dataOf(id, { cancellation_reason: 'Better put' })).toMatchObject({ cancellation_reason: 'Better put' })
    expect(await eventsOf(id)).toHaveLength(3)
    await clinic.booked(slot, { booked_by: 'ai' })
    await expectTrueCounters(t)
  })

  it('has a reason only when it is one', async () => {
    const { appointment_id: id } = await clinic.booked(await slotOn())
    expect(fieldsOf(await clinic.patch(id, { cancellation_reason: 'x' }))).toEqual(['cancellation_reason not_allowed'])
    const both = await clinic.patch(id, { status: 'completed', cancellation_reason: 'x' })
    expect(fieldsOf(both)).toEqual(['cancellation_reason not_allowed'])
  })
})

describe('moves', () => {
  it.each(['completed', 'no_show', 'cancelled'] as const)(
    'confirmed → %s → confirmed, one event each',
    async (status) => {
      const slot = await slotOn()
      const { appointment_id: id } = await clinic.booked(slot)
      expect((await dataOf(id, { status })).status).toBe(status)
      expect((await dataOf(id, { status })).status).toBe(status)
      expect(await freeIn(slot)).toBe(status === 'cancelled' ? 4 : 3)
      expect(await dataOf(id, { status: 'confirmed' })).toMatchObject({
        status: 'confirmed',
        cancellation_reason: null,
      })
      expect(await freeIn(slot)).toBe(3)
      const type = status === 'no_show' ? 'appointment.updated' : `appointment.${status}`
      expect(await eventsOf(id)).toEqual(['appointment.created', type, 'appointment.updated'])
      await expectTrueCounters(t)
    },
  )

  it.each([
    ['cancelled', 'completed'],
    ['cancelled', 'no_show'],
    ['completed', 'cancelled'],
    ['no_show', 'completed'],
  ])('409 from %s to %s, and nothing changes', async (from, to) => {
    const { appointment_id: id } = await clinic.booked(await slotOn())
    const before = await dataOf(id, { status: from })
    expect(codeOf(await clinic.patch(id, { status: to, notes: 'x' }))).toBe('409 APPOINTMENT_STATUS_CONFLICT')
    expect((await clinic.send('GET', `/v1/appointments/${id}`)).json().data).toEqual(before)
  })

  it('back from cancelled only while there is a place', async () => {
    const slot = await slotOn({ max_slots: 1, ai_slots: 0 })
    const { appointment_id: id } = await clinic.booked(slot)
    await dataOf(id, { status: 'cancelled' })
    await clinic.booked(slot)
    const refused = await clinic.patch(id, { status: 'confirmed' })
    expect(codeOf(refused)).toBe('409 SLOT_FULL')
    expect(refused.json().error.alternatives.length).toBeGreaterThan(0)
    expect(await eventsOf(id)).toEqual(['appointment.created', 'appointment.cancelled'])
    await expectTrueCounters(t)
  })
})

describe('rescheduling', () => {
  it('takes the new place and gives the old one back: times, date, session and batch follow, one event', async () => {
    const from = await slotOn({ max_slots: 1, ai_slots: 0 })
    const to = await slotOn({ day: 'tuesday', session: 'Evening', batch_name: 'E' }, '2026-11-17')
    const before = await clinic.booked(from)
    const moved = await dataOf(before.appointment_id, { slot_id: to })
    expect(moved).toEqual({
      ...before,
      slot_id: to,
      calendar_id: to.slice(0, 36),
      date: '2026-11-17',
      start_time: '17:00',
      end_time: '20:00',
      starts_at: '2026-11-17T17:00:00+05:30',
      ends_at: '2026-11-17T20:00:00+05:30',
      session: 'Evening',
      batch: 'E',
      updated_at: expect.any(String),
    })
    expect([await freeIn(from), await freeIn(to)]).toEqual([1, 3])
    expect(await eventsOf(before.appointment_id)).toEqual(['appointment.created', 'appointment.updated'])
    expect(await dataOf(before.appointment_id, { slot_id: to })).toEqual(moved)
    expect(await eventsOf(before.appointment_id)).toHaveLength(2)
    await expectTrueCounters(t)
  })

  it('to another date of the same window', async () => {
    const slot = await slotOn({ max_slots: 1, ai_slots: 0 })
    const { appointment_id: id } = await clinic.booked(slot)
    expect((await dataOf(id, { slot_id: `${slot.slice(0, 36)}||${nextMonday}` })).date).toBe(nextMonday)
    expect(await freeIn(slot)).toBe(1)
  })

  it('where there is no place: 409, alternatives, and the old place stays taken', async () => {
    const from = await slotOn({ max_slots: 1, ai_slots: 0 })
    const full = await slotOn({ max_slots: 1, ai_slots: 0 })
    const before = await clinic.booked(from)
    await clinic.booked(full)
    const answer = await clinic.patch(before.appointment_id, { slot_id: full, notes: 'Later' })
    expect(codeOf(answer)).toBe('409 SLOT_FULL')
    expect(answer.json().error.alternatives.length).toBeGreaterThan(0)
    expect((await clinic.send('GET', `/v1/appointments/${before.appointment_id}`)).json().data).toEqual(before)
    const closed = await slotOn({ status: 'CLOSED' })
    expect(codeOf(await clinic.patch(before.appointment_id, { slot_id: closed }))).toBe('409 SLOT_CLOSED')
    const past = await slotOn({}, '2026-11-09')
    expect(codeOf(await clinic.patch(before.appointment_id, { slot_id: past }))).toBe('409 SLOT_IN_PAST')
    await expectTrueCounters(t)
  })

  it('counts against ai_slots there too, when the agent booked it', async () => {
    const { appointment_id: id } = await clinic.booked(await slotOn(), { booked_by: 'ai' })
    const to = await slotOn({ ai_slots: 0, max_slots: 3 })
    expect(codeOf(await clinic.patch(id, { slot_id: to }))).toBe('409 AI_QUOTA_EXHAUSTED')
  })

  it('only what is confirmed, or becomes so in the same request', async () => {
    const { appointment_id: id } = await clinic.booked(await slotOn())
    const to = await slotOn()
    expect(fieldsOf(await clinic.patch(id, { slot_id: to, status: 'cancelled' }))).toEqual(['slot_id not_allowed'])
    await dataOf(id, { status: 'cancelled' })
    expect(codeOf(await clinic.patch(id, { slot_id: to }))).toBe('409 APPOINTMENT_STATUS_CONFLICT')
    expect(await dataOf(id, { slot_id: to, status: 'confirmed' })).toMatchObject({ slot_id: to, status: 'confirmed' })
    expect(await freeIn(to)).toBe(3)
    await expectTrueCounters(t)
  })

  it('400 for a slot that is none, not on that day, or for another service', async () => {
    const own = await t.clinic({ services: [{ name: 'Check-up' }, { name: 'X-ray' }] })
    const [checkUp, xRay] = own.services.map((each) => each?.appointment_type_id)
    const { appointment_id: id } = await own.booked(
      `${(await own.window({ appointment_type_id: checkUp })).calendar_id}||${monday}`,
    )
    const other = (await own.window({ appointment_type_id: xRay })).calendar_id
    expect(fieldsOf(await own.patch(id, { slot_id: other }))).toEqual(['slot_id without_date'])
    expect(fieldsOf(await own.patch(id, { slot_id: `${other}||2026-11-17` }))).toEqual(['slot_id not_on_this_day'])
    expect(fieldsOf(await own.patch(id, { slot_id: `${other}||${monday}` }))).toEqual(['slot_id not_in_this_slot'])
    const both = await own.patch(id, { slot_id: `${other}||${monday}`, appointment_type_id: xRay })
    expect(both.json().data).toMatchObject({ calendar_id: other, appointment_type_name: 'X-ray' })
    expect(fieldsOf(await own.patch(id, { appointment_type_id: checkUp }))).toEqual([
      'appointment_type_id not_in_this_slot',
    ])
  })
})

describe('other fields', () => {
  it('contact, notes and service change with one appointment.updated; nothing changed is nothing told', async () => {
    const own = await t.clinic({ services: [{ name: 'Check-up' }, { name: 'X-ray' }] })
    const [checkUp, xRay] = own.services.map((each) => each?.appointment_type_id)
    const slot = `${(await own.window()).calendar_id}||${monday}`
    const before = await own.booked(slot, { appointment_type_id: checkUp, notes: 'a', contact_email: 'a@b.test' })
    const change = {
      appointment_type_id: xRay,
      contact_name: 'Ravi',
      contact_number: '+919876543210',
      contact_email: null,
      notes: null,
    }
    const after = (await own.patch(before.appointment_id, change)).json().data
    expect(after).toMatchObject({ ...change, appointment_type_name: 'X-ray', status: 'confirmed', slot_id: slot })
    expect((await own.patch(before.appointment_id, change)).json().data).toEqual(after)
    expect((await own.events('appointment.updated')).map((each) => each.data)).toEqual([after])
  })

  it('400 for nothing and for what cannot change, 422 for a bad number, 404 for what is none', async () => {
    const { appointment_id: id } = await clinic.booked(await slotOn())
    expect(fieldsOf(await clinic.patch(id, {}))).toEqual(['body too_few'])
    for (const field of ['booked_by', 'call_id', 'external_id', 'date', 'created_at'])
      expect.soft(fieldsOf(await clinic.patch(id, { [field]: 'ai' }))).toEqual([`${field} unknown_field`])
    expect(codeOf(await clinic.patch(id, { contact_number: '123' }))).toBe('422 INVALID_PHONE_NUMBER')
    for (const other of ['x', id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))])
      expect(codeOf(await clinic.patch(other, { notes: 'x' }))).toBe('404 NOT_FOUND')
  })

  it('an appointment keeps the times it was booked with when the window changes later', async () => {
    const slot = await slotOn({ start_time: '09:00', end_time: '10:00' })
    const before = await clinic.booked(slot)
    await clinic.send('PATCH', `/v1/appointment-slots/${slot}`, {
      start_time: '10:00',
      end_time: '11:00',
      day: 'friday',
    })
    expect((await clinic.send('GET', `/v1/appointments/${before.appointment_id}`)).json().data).toEqual(before)
  })
})
