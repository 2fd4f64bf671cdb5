import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Calendar,
  codeOf,
  createCalendar,
  expectTrueCounters,
  fieldsOf,
  itemOf,
  monday,
  nextMonday,
  track,
} from './calendar.ts'

let t: Calendar
beforeAll(async () => {
  t = await createCalendar()
})
const base = '/v1/appointment-slots'

describe('schedule-tracking', () => {
  it('has one record per window, date and service; an open window shares its places among them', async () => {
    const clinic = await t.clinic({ services: [{ name: 'Check-up' }, { name: 'X-ray' }] })
    const [checkUp, xRay] = clinic.services.map((each) => each?.appointment_type_id ?? '') as [string, string]
    const { calendar_id: open } = await clinic.window()
    const { calendar_id: own } = await clinic.window({ session: 'Evening', appointment_type_id: xRay })
    for (const appointment_type_id of [checkUp, checkUp, xRay])
      await clinic.booked(`${open}||${monday}`, { appointment_type_id })
    const records = await clinic.tracked()
    expect(
      records.map((each) => [
        each.slot_id,
        each.appointment_type_name,
        each.shared_capacity,
        each.filled_slots,
        each.window_filled_slots,
        each.available_slots,
      ]),
    ).toEqual([
      [`${open}||${monday}||${checkUp}`, 'Check-up', true, 2, 3, 1],
      [`${open}||${monday}||${xRay}`, 'X-ray', true, 1, 3, 1],
      [`${own}||${monday}||${xRay}`, 'X-ray', false, 0, 0, 4],
    ])
    expect(records[0]).toMatchObject({
      appointment_type: checkUp,
      date: monday,
      timezone: 'Asia/Kolkata',
      is_override: false,
    })
    expect(await clinic.tracked(`&appointment_type_id=${checkUp}`)).toHaveLength(1)
  })

  it('shows past, full and closed dates as they were planned; the filters can leave them out', async () => {
    const clinic = await t.clinic()
    const { calendar_id: id } = await clinic.window({ max_slots: 1, ai_slots: 0 })
    await clinic.window({ status: 'CLOSED' })
    await clinic.booked(`${id}||${monday}`)
    expect((await clinic.tracked('&date=2026-11-09')).map((each) => each.status)).toEqual(['OPEN', 'CLOSED'])
    expect(await clinic.tracked('&include_full=false')).toHaveLength(1)
    expect(await clinic.tracked('&include_full=false&include_closed=false')).toHaveLength(0)
  })

  it('a window at a branch without services has one record without one', async () => {
    const clinic = await t.clinic({ services: [] })
    const { calendar_id: id } = await clinic.window()
    expect(await clinic.tracked()).toMatchObject([
      { slot_id: `${id}||${monday}`, appointment_type: null, shared_capacity: true },
    ])
  })

  it('a booked date on which the window no longer falls is still shown', async () => {
    const clinic = await t.clinic()
    const { calendar_id: id } = await clinic.window()
    await clinic.booked(`${id}||${monday}`)
    await clinic.send('PATCH', `${base}/${id}`, { day: 'tuesday' })
    expect((await clinic.tracked()).map((each) => `${each.date} ${each.filled_slots}`)).toEqual([
      `${monday} 1`,
      '2026-11-17 0',
    ])
    expect((await clinic.available()).map((each) => each.date)).toEqual(['2026-11-17'])
  })
})

describe('one date only', () => {
  it('changes capacity, status, times and note of that date, tells it, and leaves the others', async () => {
    const clinic = await t.clinic()
    const { calendar_id: id } = await clinic.window()
    const slot = `${id}||${monday}`
    const body = { max_slots: 8, ai_slots: 5, start_time: '10:00', end_time: '13:00', note: 'Second doctor' }
    const answer = await track(clinic, slot.replace('||', '%7C%7C'), body)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      success: true,
      data: { ...body, slot_id: slot, is_override: true, starts_at: '2026-11-16T10:00:00+05:30', status: 'OPEN' },
    })
    expect(await itemOf(clinic, slot)).toMatchObject({ ...body, available_slots: 8, ai_available_slots: 5 })
    expect(await itemOf(clinic, `${id}||${nextMonday}`)).toMatchObject({
      max_slots: 4,
      start_time: '09:00',
      note: null,
    })
    const events = await clinic.events('slot.updated')
    expect(events).toHaveLength(2)
    expect(events[1]?.data).toMatchObject({
      slot_id: slot,
      calendar_id: id,
      max_slots: 8,
      filled_slots: 0,
      available_slots: 8,
    })
    await track(clinic, slot, body)
    expect(await clinic.events('slot.updated')).toHaveLength(2)
    expect(await clinic.booked(slot)).toMatchObject({ start_time: '10:00', end_time: '13:00' })
  })

  it('closes one date and opens it again; reset returns it to the rule', async () => {
    const clinic = await t.clinic()
    const slot = `${(await clinic.window()).calendar_id}||${monday}`
    await clinic.booked(slot)
    expect((await track(clinic, slot, { status: 'CLOSED' })).json().data).toMatchObject({
      status: 'CLOSED',
      closed_reason: 'date_closed',
      filled_slots: 1,
    })
    expect(codeOf(await clinic.book(slot))).toBe('409 SLOT_CLOSED')
    await track(clinic, slot, { max_slots: 9 })
    const reset = (await track(clinic, slot, { reset: true })).json().data
    expect(reset).toMatchObject({ status: 'OPEN', max_slots: 4, is_override: false, filled_slots: 1 })
    await clinic.booked(slot)
  })

  it('409 CAPACITY_BELOW_BOOKED for less than is booked, by reset too; the bookings stay', async () => {
    const clinic = await t.clinic()
    const { calendar_id: id } = await clinic.window({ max_slots: 3, ai_slots: 2 })
    const slot = `${id}||${monday}`
    for (const booked_by of ['ai', 'ai', 'staff']) await clinic.booked(slot, { booked_by })
    expect(codeOf(await track(clinic, slot, { max_slots: 2 }))).toBe('409 CAPACITY_BELOW_BOOKED')
    expect(codeOf(await track(clinic, slot, { ai_slots: 1 }))).toBe('409 CAPACITY_BELOW_BOOKED')
    await track(clinic, slot, { max_slots: 4 })
    await clinic.booked(slot)
    expect(codeOf(await track(clinic, slot, { reset: true }))).toBe('409 CAPACITY_BELOW_BOOKED')
    expect(await itemOf(clinic, slot)).toMatchObject({ max_slots: 4, filled_slots: 4, available_slots: 0 })
    await expectTrueCounters(t)
  })

  it.each([
    [{}, 'body too_few'],
    [{ max_slots: 1 }, 'max_slots below_ai_slots'],
    [{ ai_slots: 5 }, 'ai_slots exceeds_max_slots'],
    [{ start_time: '12:00' }, 'start_time order'],
    [{ end_time: '09:00' }, 'end_time order'],
    [{ reset: false }, 'reset not_allowed'],
    [{ reset: true, note: 'x' }, 'note not_allowed'],
    [{ day: 'monday' }, 'day unknown_field'],
  ])('400 for %j', async (body, fault) => {
    const clinic = await t.clinic()
    const answer = await track(clinic, `${(await clinic.window()).calendar_id}||${monday}`, body)
    expect([codeOf(answer), ...fieldsOf(answer)]).toEqual(['400 VALIDATION_ERROR', fault])
  })

  it('400 without a date and on a date on which it does not fall; 404 for another organisation and for no window', async () => {
    const [clinic, other] = [await t.clinic(), await t.clinic()]
    const { calendar_id: id } = await clinic.window()
    expect(fieldsOf(await track(clinic, id, { note: 'x' }))).toEqual(['slot_id without_date'])
    expect(fieldsOf(await track(clinic, `${id}||2026-11-17`, { note: 'x' }))).toEqual(['slot_id not_on_this_day'])
    expect(fieldsOf(await track(clinic, `${id}||soon`, { note: 'x' }))).toEqual(['slot_id format'])
    for (const unknown of [`${randomUUID()}||${monday}`, 'x', `x||${monday}`])
      expect(codeOf(await track(clinic, unknown, { note: 'x' }))).toBe('404 NOT_FOUND')
    expect(codeOf(await track(other, `${id}||${monday}`, { note: 'x' }))).toBe('404 NOT_FOUND')
    expect(codeOf(await track(other, id, { note: 'x' }))).toBe('404 NOT_FOUND')
  })
})

describe('booked dates', () => {
  it('keep their capacity when the rule changes later; all others follow the rule', async () => {
    const clinic = await t.clinic()
    const { calendar_id: id } = await clinic.window({ max_slots: 4, ai_slots: 2 })
    const slot = `${id}||${monday}`
    const first = await clinic.booked(slot)
    await clinic.booked(slot)
    expect((await clinic.send('PATCH', `${base}/${id}`, { max_slots: 2, ai_slots: 1 })).statusCode).toBe(200)
    expect(await itemOf(clinic, slot)).toMatchObject({ max_slots: 4, available_slots: 2 })
    expect(await itemOf(clinic, `${id}||${nextMonday}`)).toMatchObject({ max_slots: 2, available_slots: 2 })
    await clinic.booked(slot)
    await clinic.booked(slot)
    expect(codeOf(await clinic.book(slot))).toBe('409 SLOT_FULL')
    await clinic.booked(`${id}||${nextMonday}`)
    await clinic.booked(`${id}||${nextMonday}`)
    expect(codeOf(await clinic.book(`${id}||${nextMonday}`))).toBe('409 SLOT_FULL')
    await clinic.patch(first.appointment_id, { status: 'cancelled' })
    await expectTrueCounters(t)
  })
})
