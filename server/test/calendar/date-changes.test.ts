import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Calendar, codeOf, createCalendar, fieldsOf, monday, nextMonday, regenerate, track } from './calendar.ts'

let t: Calendar
beforeAll(async () => {
  t = await createCalendar()
})
const base = '/v1/appointment-slots'

describe('the service in a slot_id of schedule-tracking', () => {
  it('404 when it is unknown, of another organisation, not offered there or not the window’s; nothing changes', async () => {
    const [clinic, other] = [
      await t.clinic({
        branches: [{ name: 'Main', timezone: 'Asia/Kolkata' }, { name: 'East' }],
        services: [{ name: 'Check-up' }, { name: 'Massage' }, { name: 'X-ray', branches: ['East'] }],
      }),
      await t.clinic(),
    ]
    const [checkUp, massage, xRay] = clinic.services.map((each) => each?.appointment_type_id ?? '')
    const { calendar_id: open } = await clinic.window()
    const { calendar_id: own } = await clinic.window({ appointment_type_id: checkUp })
    const events = (await clinic.events()).length
    const before = await clinic.tracked()
    for (const slotId of [
      ...[randomUUID(), other.serviceId, xRay, 'x', ''].map((service) => `${open}||${monday}||${service}`),
      `${own}||${monday}||${massage}`,
    ])
      expect.soft(codeOf(await track(clinic, slotId, { max_slots: 9 })), slotId).toBe('404 NOT_FOUND')
    expect(await clinic.tracked()).toEqual(before)
    expect(await clinic.events()).toHaveLength(events)
    for (const slotId of [`${open}||${monday}||${massage}`, `${own}||${monday}||${checkUp}`])
      expect((await track(clinic, slotId, { max_slots: 9 })).json().data).toMatchObject({
        slot_id: slotId,
        max_slots: 9,
      })
  })
})

describe('slot.updated of a date', () => {
  it('carries the time of the change, and so does what is read afterwards; bookings do not move it', async () => {
    const clinic = await t.clinic()
    const window = await clinic.window()
    const slot = `${window.calendar_id}||${monday}`
    await clinic.booked(slot)
    expect((await clinic.available())[0]?.updated_at).toBe(window.updated_at)
    const { data } = (await track(clinic, slot, { max_slots: 7 })).json()
    expect(data.updated_at > window.updated_at).toBe(true)
    expect((await clinic.events('slot.updated')).at(-1)?.data.updated_at).toBe(data.updated_at)
    await clinic.booked(slot)
    const shown = [(await clinic.available())[0], (await clinic.tracked())[0]].map((each) => each?.updated_at)
    expect(shown).toEqual([data.updated_at, data.updated_at])
    const later = (await clinic.send('PATCH', `${base}/${window.slot_id}`, { batch_name: 'B' })).json().data
    expect((await clinic.available())[0]?.updated_at).toBe(later.updated_at)
  })

  it('is sent once for every date that regenerate changes, and not by a dry run', async () => {
    const clinic = await t.clinic()
    const { calendar_id: id } = await clinic.window({ max_slots: 5, ai_slots: 2 })
    await track(clinic, `${id}||${monday}`, { max_slots: 7 })
    await track(clinic, `${id}||${nextMonday}`, { status: 'CLOSED' })
    const before = (await clinic.events('slot.updated')).length
    await regenerate(clinic, { keep_overrides: false, dry_run: true })
    expect(await clinic.events('slot.updated')).toHaveLength(before)
    expect(await regenerate(clinic, { keep_overrides: false })).toMatchObject({ created: 1, updated: 2 })
    const told = (await clinic.events('slot.updated')).slice(before).map(({ data }) => data)
    expect(told.map((data) => [data.slot_id, data.max_slots, data.status]).toSorted()).toEqual([
      [`${id}||${monday}`, 5, 'OPEN'],
      [`${id}||${nextMonday}`, 5, 'OPEN'],
    ])
    const shown = await clinic.available(`&start_date=${monday}&end_date=${nextMonday}`)
    expect(told.map((data) => data.updated_at).toSorted()).toEqual(shown.map((each) => each.updated_at).toSorted())
    await regenerate(clinic, { keep_overrides: false })
    expect(await clinic.events('slot.updated')).toHaveLength(before + 2)
  })

  it('is sent for a booked date that gets the capacity of its rule; not for one that has had it all along', async () => {
    const clinic = await t.clinic()
    const { calendar_id: id } = await clinic.window({ max_slots: 4, ai_slots: 2 })
    await clinic.booked(`${id}||${monday}`)
    await regenerate(clinic)
    await clinic.send('PATCH', `${base}/${id}`, { max_slots: 6 })
    const before = (await clinic.events('slot.updated')).length
    // All three rows are written, but the two that nobody booked have followed the rule before.
    expect(await regenerate(clinic)).toMatchObject({ updated: 3 })
    const told = (await clinic.events('slot.updated')).slice(before).map(({ data }) => data)
    expect(told).toMatchObject([{ slot_id: `${id}||${monday}`, max_slots: 6, filled_slots: 1, available_slots: 5 }])
  })
})

describe('the note of a date', () => {
  it('is the holiday’s reason while that closes it, and not once the date is opened for itself', async () => {
    const holidays = [{ start_date: monday, end_date: monday, reason: 'Strike' }]
    const clinic = await t.clinic({ branches: [{ name: 'Main', timezone: 'Asia/Kolkata', holidays }] })
    const slot = `${(await clinic.window()).calendar_id}||${monday}`
    expect((await clinic.tracked())[0]).toMatchObject({ status: 'CLOSED', note: 'Strike' })
    expect((await track(clinic, slot, { max_slots: 5 })).json().data).toMatchObject({
      status: 'CLOSED',
      note: 'Strike',
    })
    expect((await track(clinic, slot, { status: 'OPEN' })).json().data).toMatchObject({ status: 'OPEN', note: null })
    expect((await clinic.events('slot.updated')).at(-1)?.data).toMatchObject({ status: 'OPEN', note: null })
    expect((await track(clinic, slot, { note: 'Open after all' })).json().data.note).toBe('Open after all')
  })
})

describe('availability for a service', () => {
  it('is empty where the branch does not offer it, as booking refuses it there', async () => {
    const clinic = await t.clinic({
      branches: [{ name: 'Main', timezone: 'Asia/Kolkata' }, { name: 'East' }],
      services: [{ name: 'X-ray', branches: ['East'] }, { name: 'Check-up', branches: ['Main'] }, { name: 'Advice' }],
    })
    const [xRay, checkUp, advice] = clinic.services.map((each) => each?.appointment_type_id ?? '')
    const slot = `${(await clinic.window()).calendar_id}||${monday}`
    for (const path of [
      'appointment-slots/availability',
      'appointment-slots/schedule-tracking',
      'appointments/availability',
    ]) {
      const query = `branch_id=${clinic.branchId}&appointment_type_id=${xRay}`
      expect.soft((await clinic.send('GET', `/v1/${path}?${query}`)).json(), path).toEqual({ success: true, data: [] })
    }
    expect(fieldsOf(await clinic.book(slot, { appointment_type_id: xRay }))).toEqual([
      'appointment_type_id not_offered',
    ])
    for (const offered of [checkUp, advice])
      expect(await clinic.available(`&appointment_type_id=${offered}`)).toHaveLength(1)
  })
})
