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
  regenerate,
  track,
} from './calendar.ts'

let t: Calendar
beforeAll(async () => {
  t = await createCalendar()
})
const base = '/v1/appointment-slots'

describe('regenerate', () => {
  const nothing = { created: 0, updated: 0, unchanged: 0, repaired_counters: 0, conflicts: [] }

  it('makes the missing dates, once; a dry run only says so', async () => {
    const clinic = await t.clinic()
    const { calendar_id } = await clinic.window()
    await clinic.window({ day: 'tuesday' })
    const first = { ...nothing, created: 5 }
    expect(await regenerate(clinic, { dry_run: true })).toEqual(first)
    expect(await regenerate(clinic, { dry_run: true, calendar_id })).toEqual({ ...nothing, created: 3 })
    expect(await regenerate(clinic)).toEqual(first)
    expect(await regenerate(clinic)).toEqual({ ...nothing, unchanged: 5 })
  })

  it('gives booked dates the capacity of the rule; where that is too little it names them and drops nothing', async () => {
    const clinic = await t.clinic()
    const { calendar_id: id } = await clinic.window({ max_slots: 4, ai_slots: 2 })
    await clinic.booked(`${id}||${monday}`)
    await clinic.send('PATCH', `${base}/${id}`, { max_slots: 2, ai_slots: 2 })
    await track(clinic, `${id}||${nextMonday}`, { max_slots: 4 })
    for (const booked_by of ['ai', 'ai', 'staff']) await clinic.booked(`${id}||${nextMonday}`, { booked_by })
    const dry = await regenerate(clinic, { dry_run: true, keep_overrides: false })
    const done = await regenerate(clinic, { keep_overrides: false })
    expect(done).toEqual(dry)
    expect(done).toMatchObject({ created: 1, updated: 2, unchanged: 0 })
    expect(done.conflicts).toEqual([
      {
        slot_id: `${id}||${nextMonday}`,
        calendar_id: id,
        date: nextMonday,
        code: 'capacity_below_booked',
        message: expect.any(String),
        max_slots: 2,
        ai_slots: 2,
        filled_slots: 3,
        ai_filled_slots: 2,
      },
    ])
    expect(await itemOf(clinic, `${id}||${monday}`)).toMatchObject({ max_slots: 2, filled_slots: 1 })
    expect(await itemOf(clinic, `${id}||${nextMonday}`)).toMatchObject({ max_slots: 4, filled_slots: 3 })
    await expectTrueCounters(t)
  })

  it('keeps overrides unless told otherwise', async () => {
    const clinic = await t.clinic()
    const slot = `${(await clinic.window()).calendar_id}||${monday}`
    await track(clinic, slot, { max_slots: 9, status: 'CLOSED', note: 'x' })
    expect(await regenerate(clinic, { end_date: monday })).toMatchObject({ unchanged: 1 })
    expect(await itemOf(clinic, slot)).toMatchObject({ max_slots: 9, status: 'CLOSED' })
    expect(await regenerate(clinic, { end_date: monday, keep_overrides: false })).toMatchObject({ updated: 1 })
    expect(await itemOf(clinic, slot)).toMatchObject({ max_slots: 4, status: 'OPEN', note: null })
  })

  it('repairs counters that are wrong', async () => {
    const clinic = await t.clinic()
    const { calendar_id: id } = await clinic.window()
    await clinic.booked(`${id}||${monday}`, { booked_by: 'ai' })
    await t.db.query('update day_slots set filled = 3, ai_filled = 0 where calendar_id = $1', [id])
    expect(await regenerate(clinic, { dry_run: true })).toMatchObject({ repaired_counters: 1 })
    expect(await regenerate(clinic)).toMatchObject({ repaired_counters: 1, created: 2 })
    expect(await itemOf(clinic, `${id}||${monday}`)).toMatchObject({ filled_slots: 1, ai_filled_slots: 1 })
    await expectTrueCounters(t)
  })

  it('names bookings on days the window has left, and in closed windows', async () => {
    const clinic = await t.clinic()
    const [{ calendar_id: moved }, { calendar_id: closed }] = [await clinic.window(), await clinic.window()]
    for (const id of [moved, closed]) await clinic.booked(`${id}||${monday}`)
    await clinic.send('PATCH', `${base}/${moved}`, { day: 'friday' })
    await clinic.send('POST', `${base}/${closed}/disable`)
    const { conflicts } = await regenerate(clinic)
    expect(conflicts.map((each: { calendar_id: string; code: string }) => [each.calendar_id, each.code])).toEqual([
      [moved, 'not_on_this_day'],
      [closed, 'booked_while_closed'],
    ])
  })

  it.each([
    [{ end_date: '2027-02-17' }, 'end_date too_long'],
    [{ end_date: '2026-11-15' }, 'end_date order'],
    [{ start_date: '2026-11-16T00:00:00Z' }, 'start_date format'],
    [{ calendar_id: randomUUID() }, 'calendar_id not_found'],
    [{ calendar_id: 'x' }, 'calendar_id not_found'],
    [{ branch_id: randomUUID() }, 'branch_id not_found'],
    [{ dry_run: 'true' }, 'dry_run type'],
  ])('400 for %j', async (more, fault) => {
    const clinic = await t.clinic()
    const body = { branch_id: clinic.branchId, start_date: monday, end_date: monday, ...more }
    const answer = await clinic.send('POST', `${base}/schedule-tracking/regenerate`, body)
    expect(codeOf(answer)).toBe('400 VALIDATION_ERROR')
    expect(fieldsOf(answer)).toContain(fault)
  })

  it('92 days are not too many', async () => {
    const clinic = await t.clinic()
    await clinic.window()
    expect(await regenerate(clinic, { end_date: '2027-02-15' })).toMatchObject({ created: 14 })
  })
})
