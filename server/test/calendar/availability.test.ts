import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { addHoliday } from '../../src/branches/holidays.service.ts'
import { type Calendar, type Clinic, codeOf, createCalendar, fieldsOf, monday, nextMonday } from './calendar.ts'

let t: Calendar
beforeAll(async () => {
  t = await createCalendar()
})
const base = '/v1/appointment-slots'
const ids = (items: { slot_id: string }[]) => items.map((each) => each.slot_id)
const zoned = (timezone: string, more: object = {}) => t.clinic({ branches: [{ name: 'Main', timezone, ...more }] })

describe('availability', () => {
  it("an item has the window's fields and those of the date", async () => {
    const clinic = await t.clinic()
    const window = await clinic.window({ batch_name: 'A' })
    await clinic.booked(`${window.calendar_id}||${monday}`, { booked_by: 'ai' })
    const [item] = await clinic.available()
    expect(item).toEqual({
      ...window,
      slot_id: `${window.calendar_id}||${monday}`,
      date: monday,
      starts_at: '2026-11-16T09:00:00+05:30',
      ends_at: '2026-11-16T12:00:00+05:30',
      timezone: 'Asia/Kolkata',
      filled_slots: 1,
      ai_filled_slots: 1,
      available_slots: 3,
      ai_available_slots: 1,
      status: 'OPEN',
      closed_reason: null,
      note: null,
    })
  })

  it('shows today at the branch and the six days after, in time order, without what is over', async () => {
    const clinic = await t.clinic()
    for (const day of ['sunday', 'saturday', 'monday', 'friday'])
      for (const session of ['Evening', 'Morning']) await clinic.window({ day, session })
    // Saturday, 17:30 there: the morning is over, the evening is not.
    expect((await clinic.available()).map((each) => `${each.date} ${each.session}`)).toEqual([
      '2026-11-14 Evening',
      '2026-11-15 Morning',
      '2026-11-15 Evening',
      '2026-11-16 Morning',
      '2026-11-16 Evening',
      '2026-11-20 Morning',
      '2026-11-20 Evening',
    ])
  })

  it('leaves out full and closed slots unless asked, and says why they are closed', async () => {
    const clinic = await t.clinic()
    const full = await clinic.window({ max_slots: 1, ai_slots: 0 })
    const closed = await clinic.window({ status: 'CLOSED', session: 'Evening' })
    await clinic.booked(`${full.calendar_id}||${monday}`)
    expect(await clinic.available()).toEqual([])
    const shown = await clinic.available('&include_full=true&include_closed=true')
    expect(shown.map((each) => [each.calendar_id, each.status, each.closed_reason, each.available_slots])).toEqual([
      [full.calendar_id, 'OPEN', null, 0],
      [closed.calendar_id, 'CLOSED', 'window_closed', 0],
    ])
    expect(ids(await clinic.available('&include_full=true'))).toEqual([`${full.calendar_id}||${monday}`])
    const past = await clinic.available('&date=2026-11-09&include_closed=true')
    expect(past.map((each) => each.closed_reason)).toEqual(['past', 'past'])
  })

  it('for the agent, only what is free within ai_slots', async () => {
    const clinic = await t.clinic()
    const slot = `${(await clinic.window({ ai_slots: 1, max_slots: 3 })).calendar_id}||${monday}`
    expect(ids(await clinic.available('&booked_by=ai'))).toEqual([slot])
    await clinic.booked(slot, { booked_by: 'ai' })
    expect(await clinic.available('&booked_by=ai')).toEqual([])
    expect(ids(await clinic.available('&booked_by=staff'))).toEqual([slot])
  })

  it('filters by session, day and service; windows without a service are for every service', async () => {
    const clinic = await t.clinic({ services: [{ name: 'Check-up' }, { name: 'X-ray' }] })
    const [checkUp, xRay] = clinic.services.map((each) => each?.appointment_type_id)
    const open = `${(await clinic.window({ session: 'Evening' })).calendar_id}||${monday}`
    const own = `${(await clinic.window({ appointment_type_id: checkUp })).calendar_id}||${monday}`
    const other = `${(await clinic.window({ day: 'tuesday', appointment_type_id: xRay })).calendar_id}||2026-11-17`
    expect(ids(await clinic.available())).toEqual([own, open, other])
    expect(ids(await clinic.available(`&appointment_type_id=${checkUp}`))).toEqual([own, open])
    expect(ids(await clinic.available('&session=Evening'))).toEqual([open])
    expect(ids(await clinic.available('&day=tuesday'))).toEqual([other])
    expect(ids(await clinic.available(`&date=${nextMonday}&session=Morning`))).toEqual([
      `${own.slice(0, 36)}||${nextMonday}`,
    ])
  })

  it.each([
    ['date=2026-11-16T00:00:00Z', 'date format'],
    ['start_date=2026-11-16T09:00:00%2B05:30', 'start_date format'],
    ['end_date=16.11.2026', 'end_date format'],
    ['date=2026-02-30', 'date format'],
    ['date=2026-11-16&end_date=2026-11-17', 'date not_allowed'],
    ['start_date=2026-11-17&end_date=2026-11-16', 'end_date order'],
    ['start_date=2026-11-01&end_date=2026-12-02', 'end_date too_long'],
    ['end_date=2026-11-13', 'end_date order'],
    ['session=morning', 'session not_allowed'],
    ['day=Monday', 'day not_allowed'],
    ['booked_by=api', 'booked_by not_allowed'],
    ['include_full=yes', 'include_full type'],
    ['limit=5', 'limit unknown_field'],
    [`appointment_type_id=${randomUUID()}`, 'appointment_type_id not_found'],
    ['appointment_type_id=x', 'appointment_type_id not_found'],
  ])('400 for %s, on availability and tracking', async (query, fault) => {
    const clinic = await t.clinic()
    for (const path of [
      'appointment-slots/availability',
      'appointment-slots/schedule-tracking',
      'appointments/availability',
    ]) {
      const answer = await clinic.send('GET', `/v1/${path}?branch_id=${clinic.branchId}&${query}`)
      expect.soft(codeOf(answer), path).toBe('400 VALIDATION_ERROR')
      expect.soft(fieldsOf(answer), path).toContain(fault)
    }
  })

  it("needs a branch, and takes only the organisation's own; 31 days are not too many", async () => {
    const [clinic, other] = [await t.clinic(), await t.clinic()]
    expect(fieldsOf(await clinic.send('GET', `${base}/availability`))).toEqual(['branch_id required'])
    const foreign = await clinic.send('GET', `${base}/availability?branch_id=${other.branchId}`)
    expect(fieldsOf(foreign)).toEqual(['branch_id not_found'])
    await clinic.window()
    expect(await clinic.available('&start_date=2026-11-16&end_date=2026-12-16')).toHaveLength(5)
  })
})

describe('time zones', () => {
  it("today and the weekday are the branch's, not the server's", async () => {
    const [kiritimati, pagoPago] = [await zoned('Pacific/Kiritimati'), await zoned('Pacific/Pago_Pago')]
    // Saturday noon in Greenwich: Sunday on Kiritimati, still Saturday on Pago Pago.
    const wide = { start_time: '00:00', end_time: '23:59' }
    for (const clinic of [kiritimati, pagoPago])
      for (const day of ['saturday', 'sunday']) await clinic.window({ day, ...wide })
    expect((await kiritimati.available()).map((each) => each.date)).toEqual(['2026-11-15', '2026-11-21'])
    expect((await pagoPago.available()).map((each) => each.date)).toEqual(['2026-11-14', '2026-11-15'])
  })

  it('New York in spring: what falls into the gap shifts forward', async () => {
    const clinic = await zoned('America/New_York')
    const window = await clinic.window({ day: 'sunday', start_time: '02:30', end_time: '04:00' })
    const found = await clinic.available('&start_date=2027-03-07&end_date=2027-03-21')
    expect(found.map((each) => `${each.start_time} ${each.starts_at} ${each.ends_at}`)).toEqual([
      '02:30 2027-03-07T02:30:00-05:00 2027-03-07T04:00:00-05:00',
      '02:30 2027-03-14T03:30:00-04:00 2027-03-14T04:00:00-04:00',
      '02:30 2027-03-21T02:30:00-04:00 2027-03-21T04:00:00-04:00',
    ])
    const booked = await clinic.booked(`${window.calendar_id}||2027-03-14`)
    expect(booked).toMatchObject({ start_time: '02:30', starts_at: '2027-03-14T03:30:00-04:00' })
  })

  it('New York in autumn: a repeated hour means the first', async () => {
    const clinic = await zoned('America/New_York')
    const window = await clinic.window({ day: 'sunday', start_time: '01:30', end_time: '03:00' })
    const booked = await clinic.booked(`${window.calendar_id}||2027-11-07`)
    expect(booked).toMatchObject({ starts_at: '2027-11-07T01:30:00-04:00', ends_at: '2027-11-07T03:00:00-05:00' })
    const [item] = await clinic.available('&date=2027-11-07')
    expect(item?.starts_at).toBe(booked.starts_at)
  })

  it('over month end, year end and leap day no date is lost or doubled', async () => {
    const clinic = await t.clinic()
    for (const day of ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])
      await clinic.window({ day })
    const dates = async (from: string, to: string) =>
      (await clinic.available(`&start_date=${from}&end_date=${to}`)).map((each) => each.date.slice(5))
    expect(await dates('2026-11-29', '2026-12-02')).toEqual(['11-29', '11-30', '12-01', '12-02'])
    expect(await dates('2026-12-30', '2027-01-02')).toEqual(['12-30', '12-31', '01-01', '01-02'])
    expect(await dates('2028-02-27', '2028-03-01')).toEqual(['02-27', '02-28', '02-29', '03-01'])
    expect(await dates('2027-02-27', '2027-03-01')).toEqual(['02-27', '02-28', '03-01'])
  })
})

describe('hours and holidays', () => {
  const holidays = [{ start_date: '2026-11-16', end_date: '2026-12-06', reason: 'Renovation' }]
  const closedDates = async (clinic: Clinic) =>
    (await clinic.available('&start_date=2026-11-15&end_date=2026-12-15&include_closed=true'))
      .filter((each) => each.closed_reason === 'holiday')
      .map((each) => each.date)

  it('three weeks of holiday are one entry of parley apply, and close every date in them', async () => {
    const clinic = await zoned('Asia/Kolkata', { holidays })
    const window = await clinic.window()
    expect(await closedDates(clinic)).toEqual(['2026-11-16', '2026-11-23', '2026-11-30'])
    expect(ids(await clinic.available('&start_date=2026-11-15&end_date=2026-12-15'))).toEqual([
      `${window.calendar_id}||2026-12-07`,
      `${window.calendar_id}||2026-12-14`,
    ])
    const refused = await clinic.book(`${window.calendar_id}||${monday}`)
    expect(codeOf(refused)).toBe('409 SLOT_CLOSED')
    expect(refused.json().error.alternatives[0].date).toBe('2026-12-07')
    const [branch] = (await clinic.send('GET', '/v1/appointments/branches')).json().data
    expect(branch.holidays).toMatchObject([{ ...holidays[0], closed: true, hours: null }])
  })

  it('a date of a window wins over the holiday; a closed window stays closed', async () => {
    const clinic = await zoned('Asia/Kolkata', { holidays })
    const { calendar_id: id } = await clinic.window()
    const day = `${id}||${monday}`
    const tracked = await clinic.send('PATCH', `${base}/schedule-tracking/${day}`, { status: 'OPEN' })
    expect(tracked.json().data).toMatchObject({ status: 'OPEN', closed_reason: null, is_override: true })
    await clinic.booked(day)
    await clinic.send('POST', `${base}/${id}/disable`)
    expect(codeOf(await clinic.book(day))).toBe('409 SLOT_CLOSED')
    const [item] = await clinic.available(`&date=${monday}&include_closed=true`)
    expect(item).toMatchObject({ closed_reason: 'window_closed', filled_slots: 1 })
  })

  it('session hours and hours for some days are the times of windows that have none of their own', async () => {
    const clinic = await zoned('Asia/Kolkata', {
      session_hours: { Morning: { start: '08:00', end: '11:00' } },
      holidays: [
        { start_date: nextMonday, end_date: nextMonday, hours: { Morning: { start: '10:00', end: '11:00' } } },
      ],
    })
    await clinic.window()
    await clinic.window({ start_time: '09:00', end_time: '09:30' })
    const found = await clinic.available(`&start_date=${monday}&end_date=${nextMonday}`)
    expect(found.map((each) => `${each.date} ${each.start_time}-${each.end_time}`)).toEqual([
      `${monday} 08:00-11:00`,
      `${monday} 09:00-09:30`,
      `${nextMonday} 09:00-09:30`,
      `${nextMonday} 10:00-11:00`,
    ])
  })

  it('a holiday entered over bookings leaves them, and tracking shows them', async () => {
    const clinic = await t.clinic()
    const { calendar_id: id } = await clinic.window()
    const booked = await clinic.booked(`${id}||${monday}`)
    const holiday = { startDate: monday, endDate: monday, reason: 'Strike', hours: null }
    await addHoliday(t.db, clinic.organisationId, clinic.branchId, holiday)
    const [record] = await clinic.tracked()
    expect(record).toMatchObject({ status: 'CLOSED', closed_reason: 'holiday', note: 'Strike', filled_slots: 1 })
    const kept = (await clinic.send('GET', `/v1/appointments/${booked.appointment_id}`)).json().data
    expect(kept).toEqual(booked)
  })
})
