import { beforeAll, describe, expect, it } from 'vitest'
import { findAppointmentOfContact } from '../../src/appointments/appointments.service.ts'
import { bookAppointment } from '../../src/appointments/book-appointment.ts'
import { cancelAppointment, rescheduleAppointment } from '../../src/appointments/change-appointment.ts'
import { findOpenSlots } from '../../src/slots/availability.ts'
import { holdPlace, releaseHold } from '../../src/slots/places.ts'
import {
  type Calendar,
  type Clinic,
  codeOf,
  createCalendar,
  expectTrueCounters,
  monday,
  nextMonday,
} from './calendar.ts'

let t: Calendar
let clinic: Clinic
let callId: string
beforeAll(async () => {
  t = await createCalendar()
  clinic = await t.clinic()
  const call = await clinic.send('POST', '/v1/calls', { agent_id: clinic.agentId, user_number: '+15005550001' })
  callId = call.json().data.call_id
})
const windowOf = async (more: object = {}) => (await clinic.window(more)).calendar_id
const hold = (calendarId: string, more: { callId?: string; seconds?: number } = {}) =>
  holdPlace(t, clinic.organisationId, { calendarId, date: monday, callId, ...more })
const person = { contactName: 'Maya', contactNumber: '+15005550001' }

describe('a held place', () => {
  it('counts against max_slots and ai_slots while it lasts, and for nothing afterwards', async () => {
    const id = await windowOf({ max_slots: 2, ai_slots: 1 })
    expect(await hold(id)).toEqual({ expiresAt: expect.any(Date) })
    const [held] = (await clinic.available()).filter((each) => each.calendar_id === id)
    expect(held).toMatchObject({ filled_slots: 0, available_slots: 1, ai_available_slots: 0 })
    expect(codeOf(await clinic.book(`${id}||${monday}`, { booked_by: 'ai' }))).toBe('409 AI_QUOTA_EXHAUSTED')
    expect(await hold(id, { callId: 'call_other' })).toBeNull()
    await clinic.booked(`${id}||${monday}`)
    expect(codeOf(await clinic.book(`${id}||${monday}`))).toBe('409 SLOT_FULL')
    // Five minutes later.
    await t.db.query('update day_slots set holds = jsonb_build_object($2::text, now()) where calendar_id = $1', [
      id,
      callId,
    ])
    await clinic.booked(`${id}||${monday}`, { booked_by: 'ai' })
    await expectTrueCounters(t)
  })

  it('is for the call that holds it, and becomes its booking', async () => {
    const id = await windowOf({ max_slots: 1, ai_slots: 1 })
    await hold(id)
    expect(codeOf(await clinic.book(`${id}||${monday}`))).toBe('409 SLOT_FULL')
    const wanted = { slotId: `${id}||${monday}`, ...person, bookedBy: 'ai', callId } as const
    expect(await bookAppointment(t, clinic.organisationId, wanted)).toMatchObject({ status: 'confirmed', callId })
    const [row] = await t.db.query('select holds, filled from day_slots where calendar_id = $1', [id])
    expect(row).toEqual({ holds: {}, filled: 1 })
  })

  it('lasts five minutes at most, is renewed by the same call, and can be let go', async () => {
    const id = await windowOf({ max_slots: 1, ai_slots: 1 })
    await hold(id, { seconds: 100_000 })
    const [row] = await t.db.query<{ seconds: number }>(
      `select extract(epoch from (holds ->> $2)::timestamptz - now())::float8 as seconds from day_slots where calendar_id = $1`,
      [id, callId],
    )
    expect(row?.seconds).toBeLessThanOrEqual(300)
    expect(await hold(id)).not.toBeNull()
    await releaseHold(t.db, { calendarId: id, date: monday, callId })
    await clinic.booked(`${id}||${monday}`)
  })

  it('is refused in a closed or unknown window and on a day it does not fall on', async () => {
    expect(await hold(await windowOf({ status: 'CLOSED' }))).toBeNull()
    expect(await hold(await windowOf({ day: 'tuesday' }))).toBeNull()
    expect(await hold(callId.slice(0, 36))).toBeNull()
  })
})

describe('what a call can do', () => {
  it('finds open slots that have not begun, earliest first, for the agent and a service', async () => {
    const own = await t.clinic()
    const later = await own.window({ day: 'tuesday' })
    const first = await own.window({ ai_slots: 1 })
    await own.window({ ai_slots: 0, max_slots: 5 })
    await own.window({ day: 'saturday', start_time: '17:00', end_time: '18:00' })
    const wanted = { branchId: own.branchId, bookedBy: 'ai', days: 7, appointmentTypeId: own.serviceId } as const
    const found = await findOpenSlots(t, own.organisationId, wanted)
    expect(found.map((day) => `${day.window.calendarId}||${day.date}`)).toEqual([
      `${first.calendar_id}||${monday}`,
      `${later.calendar_id}||2026-11-17`,
    ])
  })

  it('books, finds, moves and cancels in a transaction of its own, which goes on after a refusal', async () => {
    const [id, full] = [await windowOf(), await windowOf({ max_slots: 1, ai_slots: 1 })]
    await clinic.booked(`${full}||${monday}`)
    const contactNumber = '+15005550077'
    const wanted = { ...person, contactNumber, bookedBy: 'ai' } as const
    const booked = await t.db.transaction(async (tx) => {
      const tried = bookAppointment(t, clinic.organisationId, { ...wanted, slotId: `${full}||${monday}` }, { tx })
      await expect(tried).rejects.toMatchObject({ code: 'SLOT_FULL' })
      return bookAppointment(t, clinic.organisationId, { ...wanted, slotId: `${id}||${monday}` }, { tx })
    })
    expect(await findAppointmentOfContact(t, clinic.organisationId, contactNumber)).toMatchObject({
      appointmentId: booked.appointmentId,
    })
    await rescheduleAppointment(t, clinic.organisationId, booked.appointmentId, `${id}||${nextMonday}`)
    await cancelAppointment(t, clinic.organisationId, booked.appointmentId, 'Changed their mind')
    expect(await findAppointmentOfContact(t, clinic.organisationId, contactNumber)).toBeNull()
    const told = (await clinic.events()).filter((each) => each.data.appointment_id === booked.appointmentId)
    expect(told.map((each) => each.type)).toEqual([
      'appointment.created',
      'appointment.updated',
      'appointment.cancelled',
    ])
    await expectTrueCounters(t)
  })
})
