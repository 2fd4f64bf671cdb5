import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Calendar, type Clinic, codeOf, createCalendar, monday, nextMonday } from './calendar.ts'

let t: Calendar
let clinic: Clinic
const base = '/v1/appointments'
beforeAll(async () => {
  t = await createCalendar()
  clinic = await t.clinic()
})

describe('lists and configuration', () => {
  it('lists appointments newest first, by branch, dates, status, session, number, service and who booked', async () => {
    const own = await t.clinic()
    const slot = `${(await own.window()).calendar_id}||${monday}`
    const later = `${(await own.window({ session: 'Evening' })).calendar_id}||${nextMonday}`
    const a = await own.booked(slot)
    const b = await own.booked(slot, { contact_number: '+15005550002', booked_by: 'ai' })
    const c = await own.booked(later, { booked_by: 'staff' })
    await own.patch(b.appointment_id, { status: 'cancelled' })
    const found = async (query: string) =>
      (await own.send('GET', `${base}?${query}`))
        .json()
        .data.map((each: { appointment_id: string }) => each.appointment_id)
    const ids = [c, b, a].map((each) => each.appointment_id)
    expect(await found('')).toEqual(ids)
    expect(await found(`branch_id=${own.branchId}&start_date=${monday}&end_date=${monday}`)).toEqual(ids.slice(1))
    expect(await found(`date=${nextMonday}`)).toEqual([c.appointment_id])
    expect(await found('status=cancelled')).toEqual([b.appointment_id])
    expect(await found('status=confirmed,completed')).toEqual([c.appointment_id, a.appointment_id])
    expect(await found('session=Evening')).toEqual([c.appointment_id])
    expect(await found('contact_number=%2B15005550002')).toEqual([b.appointment_id])
    expect(await found('booked_by=staff')).toEqual([c.appointment_id])
    expect(await found(`calendar_id=${a.calendar_id}`)).toEqual(ids.slice(1))
    expect(await found(`appointment_type_id=${own.serviceId}`)).toEqual(ids)
    const first = (await own.send('GET', `${base}?limit=2`)).json()
    expect(first).toMatchObject({ success: true, has_more: true })
    expect(await found(`limit=2&cursor=${first.next_cursor}`)).toEqual([a.appointment_id])
  })

  it.each([
    'start_date=2026-11-16T00:00:00Z',
    'date=2026-11-16&start_date=2026-11-16',
    'start_date=2026-11-17&end_date=2026-11-16',
    'status=confirmed,gone',
    'contact_number=123',
    'call_id=call_x',
    'external_id=%00',
    `calendar_id=${randomUUID()}`,
    'appointment_type_id=x',
  ])('400 for %s', async (query) => {
    expect(codeOf(await clinic.send('GET', `${base}?${query}`))).toBe('400 VALIDATION_ERROR')
  })

  it('configuration, services, branches and availability are there for appointments:read', async () => {
    const key = await t.keyWith(clinic.organisationId, ['appointments:read'])
    const get = (path: string) => t.send(key, 'GET', `${base}${path}`)
    expect((await get('/configuration')).json().data).toMatchObject({
      timezone: 'UTC',
      sessions: ['Morning', 'Afternoon', 'Evening'],
      moves: { confirmed: ['cancelled', 'completed', 'no_show'], cancelled: ['confirmed'] },
    })
    expect((await get(`/services?branch_id=${clinic.branchId}`)).json()).toMatchObject({
      success: true,
      data: [
        {
          appointment_type_id: clinic.serviceId,
          name: 'Check-up',
          duration_minutes: 30,
          branch_ids: [clinic.branchId],
        },
      ],
      has_more: false,
    })
    expect((await get('/branches')).json().data).toMatchObject([
      {
        branch_id: clinic.branchId,
        name: 'Main',
        timezone: 'Asia/Kolkata',
        session_hours: { Morning: { start: '09:00' } },
        holidays: [],
      },
    ])
    const slots = await clinic.available()
    expect((await get(`/availability?branch_id=${clinic.branchId}`)).json().data).toEqual(slots)
    const without = await t.keyWith(clinic.organisationId, ['appointments:write', 'slots:read'])
    for (const path of ['', '/configuration', '/services', '/branches', '/availability', `/${randomUUID()}`]) {
      expect.soft(codeOf(await t.send(without, 'GET', `${base}${path}`))).toBe('403 INSUFFICIENT_SCOPE')
    }
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', '/x'],
    ] as const) {
      expect.soft(codeOf(await t.send(key, method, `${base}${path}`, {}))).toBe('403 INSUFFICIENT_SCOPE')
    }
  })
})
