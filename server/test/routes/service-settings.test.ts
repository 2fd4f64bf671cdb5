import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf, contact, fieldsOf, monday } from '../calendar/calendar.ts'
import { ask, audited, dataOf, mainId, newBranch, org, serviceId, setUp, t, windowAt } from './branch-settings.ts'

beforeAll(setUp)

describe('services', () => {
  it('are made, changed and deleted, each with an audit line', async () => {
    const made = dataOf(await ask('POST', '/services', { name: 'Cleaning', duration_minutes: 45 }), 201)
    expect(made).toMatchObject({ name: 'Cleaning', duration_minutes: 45, branch_ids: [], windows: 0 })
    const id = made.appointment_type_id
    const changed = dataOf(await ask('PATCH', `/services/${id}`, { duration_minutes: 60, branch_ids: [mainId] }))
    expect(changed).toMatchObject({ duration_minutes: 60, branch_ids: [mainId] })
    expect(fieldsOf(await ask('POST', '/services', { name: 'Cleaning', duration_minutes: 5 }))).toEqual(['name exists'])
    expect(fieldsOf(await ask('PATCH', `/services/${id}`, { name: 'Check-up' }))).toEqual(['name exists'])
    expect(fieldsOf(await ask('PATCH', `/services/${id}`, { duration_minutes: 0 }))).toEqual([
      'duration_minutes out_of_range',
    ])
    dataOf(await ask('DELETE', `/services/${id}`))
    for (const action of ['service.created', 'service.changed', 'service.deleted'])
      expect(await audited(action, id), action).toBe(1)
  })

  it('one with a window or an appointment cannot be deleted, nor taken from where its window is', async () => {
    const other = await newBranch('Elsewhere')
    const window = await windowAt(mainId, { appointment_type_id: serviceId })
    const refused = await ask('DELETE', `/services/${serviceId}`)
    expect(codeOf(refused)).toBe('409 IN_USE')
    expect(refused.json().error.message).toContain('1 window refers')
    const moved = await ask('PATCH', `/services/${serviceId}`, { branch_ids: [other.branch_id] })
    expect(fieldsOf(moved)).toEqual(['branch_ids in_use'])
    expect(moved.json().error.details[0].message).toContain('Main')
    const free = dataOf(await ask('POST', '/services', { name: 'Booked once', duration_minutes: 5 }), 201)
    const open = await windowAt(mainId, { session: 'Evening' })
    const body = { slot_id: `${open.slot_id}||${monday}`, appointment_type_id: free.appointment_type_id, ...contact }
    dataOf(await t.send(org.key, 'POST', '/v1/appointments', body), 201)
    const kept = await ask('DELETE', `/services/${free.appointment_type_id}`)
    expect(kept.json().error.message).toContain('1 appointment refers')
    expect(window.appointment_type).toBe(serviceId)
  })
})

describe('holidays', () => {
  it('three weeks are one entry, at several branches at once; what is booked in them is counted and stays', async () => {
    const [a, b] = [await newBranch('Holiday A'), await newBranch('Holiday B')]
    const window = await windowAt(a.branch_id)
    const body = { slot_id: `${window.slot_id}||${monday}`, ...contact, appointment_type_id: serviceId }
    const unrestricted = await t.send(org.key, 'POST', '/v1/appointments', { ...body, appointment_type_id: undefined })
    dataOf(unrestricted, 201)
    const entry = { start_date: '2026-11-15', end_date: '2026-12-05', reason: 'Winter <b>break</b>' }
    const added = dataOf(
      await ask('POST', '/holidays', { branch_ids: [a.branch_id, b.branch_id], entries: [entry] }),
      201,
    )
    expect(added.map((each: { booked: number }) => each.booked)).toEqual([1, 0])
    const query = `branch_id=${a.branch_id}&date=${monday}`
    const [slot] = dataOf(await t.send(org.key, 'GET', `/v1/appointment-slots/schedule-tracking?${query}`))
    expect(slot).toMatchObject({ closed_reason: 'holiday', note: 'Winter <b>break</b>', window_filled_slots: 1 })
    const [first] = added
    expect(dataOf(await ask('DELETE', `/holidays/${first.holiday_id}`)).deleted).toBe(true)
    expect(await audited('holiday.added', first.holiday_id)).toBe(1)
    expect(await audited('holiday.removed', first.holiday_id)).toBe(1)
    const left = dataOf(await ask('GET', '/holidays')) as { holiday_id: string }[]
    expect(left.map((each) => each.holiday_id)).not.toContain(first.holiday_id)
  })

  it('faults of every entry are named at once, and then none is made', async () => {
    const before = (dataOf(await ask('GET', '/holidays')) as unknown[]).length
    const entries = [
      { start_date: monday, end_date: monday },
      { start_date: '2026-02-30', end_date: monday },
      { start_date: monday, end_date: '2026-11-01' },
      { start_date: monday, end_date: monday, hours: { Morning: { start: '12:00', end: '10:00' } } },
      { start_date: monday, end_date: monday, hours: { Night: { start: '12:00', end: '10:00' } } },
      { start_date: monday, end_date: monday, hours: 'none' },
      null,
    ]
    const answer = await ask('POST', '/holidays', { branch_ids: [mainId], entries })
    expect(answer.statusCode).toBe(400)
    const named = fieldsOf(answer).map((each) => each.split(' ')[0])
    for (const field of ['entries.1.start_date', 'entries.2.end_date', 'entries.3.hours.Morning', 'entries.6'])
      expect(named).toContain(field)
    expect((dataOf(await ask('GET', '/holidays')) as unknown[]).length).toBe(before)
  })
})

describe("a branch's calendar feed", () => {
  it('is told once, works until it is renewed or ended, and leaves audit lines', async () => {
    const { branch_id } = await newBranch('Fed')
    const path = `/branches/${branch_id}/feed`
    expect(dataOf(await ask('GET', path))).toEqual({ branch_id, since: null, url: null })
    const made = dataOf(await ask('POST', path, {}))
    const reads = async (url: string) => (await t.app.inject(new URL(url).pathname)).statusCode
    expect(await reads(made.url)).toBe(200)
    expect(dataOf(await ask('GET', path))).toMatchObject({ url: null, since: made.since })
    expect(dataOf(await ask('POST', path, {})).url).toBeNull()
    const renewed = dataOf(await ask('POST', path, { renew: true }))
    expect([await reads(made.url), await reads(renewed.url)]).toEqual([404, 200])
    expect(dataOf(await ask('DELETE', path))).toEqual({ branch_id, since: null, url: null })
    expect(await reads(renewed.url)).toBe(404)
    expect(await audited('feed.opened', branch_id)).toBe(2)
    expect(await audited('feed.closed', branch_id)).toBe(1)
  })
})
