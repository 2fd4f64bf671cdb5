import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Calendar, type Clinic, codeOf, contact, createCalendar, fieldsOf, monday } from './calendar.ts'

let t: Calendar
let clinic: Clinic
let checkUp: string
let xRay: string
beforeAll(async () => {
  t = await createCalendar()
  clinic = await t.clinic({ services: [{ name: 'Check-up' }, { name: 'X-ray' }] })
  ;[checkUp = '', xRay = ''] = clinic.services.map((each) => each?.appointment_type_id ?? '')
})
const slots = '/v1/appointment-slots'
const expectFaults = (answer: LightMyRequestResponse, faults: string[]) => {
  expect.soft(codeOf(answer)).toBe('400 VALIDATION_ERROR')
  expect.soft(fieldsOf(answer).toSorted()).toEqual(faults.toSorted())
}
const wordsOf = (answer: LightMyRequestResponse): string[] =>
  answer.json().error.details.map((each: { message: string }) => each.message)

describe('every faulty field is named at once (decisions 1)', () => {
  it('of a new window: ids that are none beside rules between fields', async () => {
    const body = { branch_id: randomUUID(), appointment_type_id: 'x', day: 'monday', session: 'Morning', ai_slots: 3 }
    expectFaults(await clinic.send('POST', slots, { ...body, max_slots: 2 }), [
      'branch_id not_found',
      'appointment_type_id not_found',
      'ai_slots exceeds_max_slots',
    ])
  })

  it.each(['appointment-slots/availability', 'appointment-slots/schedule-tracking', 'appointments/availability'])(
    'of %s',
    async (path) => {
      const query = 'branch_id=x&session=y&date=z&appointment_type_id=w&foo=1'
      expectFaults(await clinic.send('GET', `/v1/${path}?${query}`), [
        'branch_id not_found',
        'appointment_type_id not_found',
        'session not_allowed',
        'date format',
        'foo unknown_field',
      ])
      const late = `branch_id=${clinic.branchId}&end_date=2026-11-13&appointment_type_id=x`
      expectFaults(await clinic.send('GET', `/v1/${path}?${late}`), ['appointment_type_id not_found', 'end_date order'])
    },
  )

  it('of the lists and of regenerate', async () => {
    const windows = await clinic.send('GET', `${slots}?branch_id=x&day=Monday`)
    expectFaults(windows, ['branch_id not_found', 'day not_allowed'])
    const appointments = await clinic.send('GET', '/v1/appointments?calendar_id=x&call_id=zz&branch_id=x&status=gone')
    expectFaults(appointments, [
      'branch_id not_found',
      'calendar_id not_found',
      'call_id not_found',
      'status not_allowed',
    ])
    const services = await clinic.send('GET', '/v1/appointments/services?branch_id=x&limit=0')
    expectFaults(services, ['branch_id not_found', 'limit out_of_range'])
    const dates = { start_date: '2026-02-30', end_date: monday }
    const regenerate = (more: object) => clinic.send('POST', `${slots}/schedule-tracking/regenerate`, more)
    expectFaults(await regenerate({ ...dates, branch_id: 'x', calendar_id: 'x' }), [
      'branch_id not_found',
      'calendar_id not_found',
      'start_date format',
    ])
    expectFaults(await regenerate({ ...dates, start_date: monday, branch_id: 'x', calendar_id: randomUUID() }), [
      'branch_id not_found',
      'calendar_id not_found',
    ])
  })

  it('of a booking: the wrong weekday, an unknown call, a service the window does not take, a bad number', async () => {
    const { calendar_id: id } = await clinic.window({ appointment_type_id: checkUp })
    const wrong = { call_id: 'zz', appointment_type_id: xRay, contact_number: '123' }
    const faults = [
      'slot_id not_on_this_day',
      'call_id not_found',
      'appointment_type_id not_in_this_slot',
      'contact_number invalid_phone_number',
    ]
    expectFaults(await clinic.book(`${id}||2026-11-17`, wrong), faults)
    // The same when the schema has refused it already.
    expectFaults(await clinic.book(`${id}||2026-11-17`, { ...wrong, booked_by: 'robot', contact_name: ' ' }), [
      ...faults,
      'booked_by not_allowed',
      'contact_name too_short',
    ])
    expectFaults(await clinic.book('tomorrow', { ...wrong, appointment_type_id: 'x' }), [
      'slot_id format',
      'call_id not_found',
      'appointment_type_id not_found',
      'contact_number invalid_phone_number',
    ])
    expectFaults(await clinic.send('POST', '/v1/appointments', { contact_number: '+4915112345678' }), [
      'slot_id required',
      'contact_name required',
      'contact_number unsupported_country',
    ])
  })

  it('of a change: slot, service, reason and number', async () => {
    const { calendar_id: id } = await clinic.window({ appointment_type_id: checkUp })
    const { appointment_id } = await clinic.booked(`${id}||${monday}`)
    const wrong = { appointment_type_id: xRay, cancellation_reason: 'x', contact_number: '123' }
    expectFaults(await clinic.patch(appointment_id, { ...wrong, slot_id: `${id}||2026-11-17` }), [
      'slot_id not_on_this_day',
      'appointment_type_id not_in_this_slot',
      'cancellation_reason not_allowed',
      'contact_number invalid_phone_number',
    ])
    const unknown = { contact_number: '123', appointment_type_id: 'x', slot_id: `${randomUUID()}||${monday}` }
    const faults = ['slot_id not_found', 'appointment_type_id not_found', 'contact_number invalid_phone_number']
    expectFaults(await clinic.patch(appointment_id, unknown), faults)
    expectFaults(await clinic.patch(appointment_id, { ...unknown, notes: 5 }), [...faults, 'notes type'])
  })

  it('a repeat of what was booked once is still answered as it was then', async () => {
    const { calendar_id: id } = await clinic.window({ appointment_type_id: checkUp })
    const headers = { 'idempotency-key': 'all-faults' }
    const body = { slot_id: `${id}||${monday}`, ...contact }
    const first = await clinic.send('POST', '/v1/appointments', body, headers)
    await clinic.send('POST', `${slots}/${id}/disable`)
    expect((await clinic.send('POST', '/v1/appointments', body, headers)).body).toBe(first.body)
  })
})

describe('a fault is told in a whole sentence', () => {
  it('a date that does not exist, and one out of range, in a slot_id and in a query', async () => {
    const { calendar_id: id } = await clinic.window({ appointment_type_id: checkUp })
    const none = 'There is no 2026-02-30 in the calendar: give a date that exists.'
    const range = 'The date must lie between the years 1970 and 2999.'
    expect(wordsOf(await clinic.book(`${id}||2026-02-30`))).toEqual([none])
    expect(wordsOf(await clinic.book(`${id}||9999-12-31`))).toEqual([range])
    const track = (slotId: string) => clinic.send('PATCH', `${slots}/schedule-tracking/${slotId}`, { note: 'x' })
    expect(wordsOf(await track(`${id}||2026-02-30`))).toEqual([none])
    const find = (date: string) => clinic.send('GET', `${slots}/availability?branch_id=${clinic.branchId}&date=${date}`)
    expect(wordsOf(await find('2026-02-30'))).toEqual([none])
    const far = await find('9999-12-31')
    expect([...fieldsOf(far), ...wordsOf(far)]).toEqual(['date out_of_range', range])
  })

  it('what a status can become, and that reset is sent alone', async () => {
    const { calendar_id: id } = await clinic.window({ appointment_type_id: checkUp })
    const { appointment_id } = await clinic.booked(`${id}||${monday}`)
    await clinic.patch(appointment_id, { status: 'cancelled' })
    const refused = await clinic.patch(appointment_id, { status: 'completed' })
    expect(wordsOf(refused)).toEqual(['A cancelled appointment can only become confirmed.'])
    const body = { reset: true, note: 'x' }
    const both = await clinic.send('PATCH', `${slots}/schedule-tracking/${id}||${monday}`, body)
    expect(wordsOf(both)).toEqual(['Send reset without any other field.'])
  })

  it('a field that is there but cannot be changed is not called unknown', async () => {
    const { calendar_id: id } = await clinic.window({ appointment_type_id: checkUp })
    const { appointment_id } = await clinic.booked(`${id}||${monday}`)
    const window = await clinic.send('PATCH', `${slots}/${id}`, { branch_id: clinic.branchId, colour: 'red' })
    expect(wordsOf(window)).toEqual(['This cannot be changed.', 'There is no field of this name.'])
    for (const field of ['branch_id', 'booked_by', 'external_id'])
      expect.soft(wordsOf(await clinic.patch(appointment_id, { [field]: 'x' }))).toEqual(['This cannot be changed.'])
  })

  it('400 for a name of nothing but spaces, when booking and when changing', async () => {
    const { calendar_id: id } = await clinic.window({ appointment_type_id: checkUp })
    const { appointment_id } = await clinic.booked(`${id}||${monday}`)
    for (const contact_name of ['   ', '\t\n', ' ']) {
      expectFaults(await clinic.book(`${id}||${monday}`, { contact_name }), ['contact_name too_short'])
      expectFaults(await clinic.patch(appointment_id, { contact_name }), ['contact_name too_short'])
    }
  })
})
