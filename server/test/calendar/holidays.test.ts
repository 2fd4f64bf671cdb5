import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { addHoliday, listHolidays, removeHoliday } from '../../src/branches/holidays.service.ts'
import { readApplyFile } from '../../src/cli/apply-faults.ts'
import { type Calendar, createCalendar, monday } from './calendar.ts'

let t: Calendar
beforeAll(async () => {
  t = await createCalendar()
})
const weeks = { startDate: monday, endDate: '2026-12-06', reason: 'Renovation', hours: null }

describe('holidays of a branch', () => {
  it('are added, listed in the order they were entered, and removed', async () => {
    const clinic = await t.clinic()
    const { organisationId, branchId } = clinic
    const first = await addHoliday(t.db, organisationId, branchId, weeks)
    const second = await addHoliday(t.db, organisationId, branchId, { ...weeks, startDate: '2026-11-20' })
    expect(await listHolidays(t.db, organisationId, [branchId])).toEqual([first, second])
    expect(await listHolidays(t.db, organisationId, [branchId], { to: monday })).toEqual([first])
    expect(await listHolidays(t.db, organisationId, [branchId], { from: '2026-12-07' })).toEqual([])
    await removeHoliday(t.db, organisationId, first.holidayId)
    expect(await listHolidays(t.db, organisationId, [branchId])).toEqual([second])
  })

  it("are nobody else's", async () => {
    const [clinic, other] = [await t.clinic(), await t.clinic()]
    const missing = { code: 'NOT_FOUND' }
    await expect(addHoliday(t.db, clinic.organisationId, other.branchId, weeks)).rejects.toMatchObject(missing)
    const { holidayId } = await addHoliday(t.db, clinic.organisationId, clinic.branchId, weeks)
    await expect(removeHoliday(t.db, other.organisationId, holidayId)).rejects.toMatchObject(missing)
    for (const id of [randomUUID(), 'x'])
      await expect(removeHoliday(t.db, clinic.organisationId, id)).rejects.toMatchObject(missing)
    expect(await listHolidays(t.db, other.organisationId, [clinic.branchId])).toEqual([])
  })

  it.each([
    [{ endDate: '2026-11-15' }, 'end_date order'],
    [{ endDate: '2027-11-17' }, 'end_date too_long'],
    [{ startDate: '2026-02-30' }, 'start_date format'],
    [{ hours: {} }, 'hours too_few'],
    [{ hours: { Morning: { start: '12:00', end: '09:00' } } }, 'hours.Morning order'],
  ])('%j is refused', async (more, expected) => {
    const clinic = await t.clinic()
    const adding = addHoliday(t.db, clinic.organisationId, clinic.branchId, { ...weeks, ...more })
    const error = await adding.catch((thrown: unknown) => thrown as { details: { field: string; code: string }[] })
    const faults = 'details' in error ? error.details.map((each) => `${each.field} ${each.code}`) : []
    expect(faults).toEqual([expected])
  })
})

it('a file of parley apply names every fault of hours and holidays by its place', () => {
  const { faults } = readApplyFile({
    organisation: { name: 'Acme' },
    branches: [
      { name: 'Fine', holidays: [{ start_date: monday, end_date: monday }] },
      {
        name: 'Main',
        session_hours: { Evening: { start: '20:00', end: '17:00' } },
        holidays: [
          { start_date: monday, end_date: '2026-11-01' },
          { start_date: monday, end_date: monday, closed: false },
          { start_date: monday, end_date: monday, closed: true, hours: { Morning: { start: '10:00', end: '11:00' } } },
        ],
      },
      { name: 'East', holidays: [{ start_date: '2026-11-16T00:00', end_date: monday, note: 'x' }] },
    ],
  })
  expect(faults.map((each) => `${each.field} ${each.code}`).toSorted()).toEqual([
    'branches.1.holidays.0.end_date order',
    'branches.1.holidays.1.closed contradicts',
    'branches.1.holidays.2.closed contradicts',
    'branches.1.session_hours.Evening order',
    'branches.2.holidays.0.note unknown_field',
    'branches.2.holidays.0.start_date format',
  ])
})
