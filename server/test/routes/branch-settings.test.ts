import type { Role } from '@parley/contract/common'
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Calendar, codeOf, contact, createCalendar, fieldsOf, monday, saturdayNoon } from '../calendar/calendar.ts'
import { type Signed, signedOrganisation } from '../dashboard.ts'

let t: Calendar
let org: Signed
let theirs: Signed
let mainId: string
let serviceId: string

const roles = ['owner', 'admin', 'staff', 'viewer'] as const
const place = {
  branches: [{ name: 'Main', timezone: 'Asia/Kolkata' }],
  services: [{ name: 'Check-up', branches: ['Main'] }],
}

beforeAll(async () => {
  t = await createCalendar()
  // Sessions end by the database's clock.
  t.clock.set(new Date().toISOString())
  org = await signedOrganisation(t, place, roles)
  theirs = await signedOrganisation(t, place, ['owner'])
  t.clock.set(saturdayNoon)
  mainId = org.branches[0]?.branch_id ?? ''
  serviceId = org.services[0]?.appointment_type_id ?? ''
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const asRole = (role: Role, method: Method, url: string, body?: object, of: Signed = org) =>
  t.app.inject({
    method,
    url: `/api${url}`,
    headers: { cookie: of.cookies[role] },
    ...(body === undefined ? {} : { payload: body }),
  })
const ask = (method: Method, url: string, body?: object) => asRole('owner', method, url, body)
const dataOf = (answer: LightMyRequestResponse, status = 200) => {
  expect(answer.statusCode, answer.body).toBe(status)
  return answer.json().data
}
const newBranch = async (name: string, more = {}) =>
  dataOf(await ask('POST', '/branches', { name, timezone: 'Asia/Kolkata', ...more }), 201)
const audited = async (action: string, resourceId: string) =>
  (
    await t.db.query('select 1 from audit_log where organisation_id = $1 and action = $2 and resource_id = $3', [
      org.organisationId,
      action,
      resourceId,
    ])
  ).length
const windowAt = async (branchId: string, more = {}) =>
  dataOf(
    await t.send(org.key, 'POST', '/v1/appointment-slots', {
      branch_id: branchId,
      day: 'monday',
      session: 'Morning',
      ai_slots: 2,
      max_slots: 4,
      ...more,
    }),
    201,
  )

describe('who may change branches, services and holidays', () => {
  const writes: [Method, string, object | undefined][] = [
    ['POST', '/branches', { name: 'X', timezone: 'UTC' }],
    ['PATCH', '/branches/ID', { name: 'X' }],
    ['DELETE', '/branches/ID', undefined],
    ['POST', '/branches/ID/feed', {}],
    ['DELETE', '/branches/ID/feed', undefined],
    ['POST', '/services', { name: 'X', duration_minutes: 5 }],
    ['PATCH', '/services/ID', { name: 'X' }],
    ['DELETE', '/services/ID', undefined],
    ['POST', '/holidays', { branch_ids: ['ID'], entries: [{ start_date: monday, end_date: monday }] }],
    ['DELETE', '/holidays/ID', undefined],
  ]

  it('viewers and staff look, owners and admins change', async () => {
    for (const role of roles)
      for (const path of ['/branches', '/services', '/holidays', `/branches/${mainId}/feed`])
        expect((await asRole(role, 'GET', path)).statusCode, `${role} ${path}`).toBe(200)
    for (const role of ['viewer', 'staff'] as const)
      for (const [method, path, body] of writes)
        expect(codeOf(await asRole(role, method, path, body)), `${role} ${path}`).toBe('403 FORBIDDEN')
    expect((await asRole('admin', 'POST', '/branches', { name: 'By the admin', timezone: 'UTC' })).statusCode).toBe(201)
  })

  it('401 without a session, 403 from a foreign page', async () => {
    for (const [method, path, body] of writes) {
      const nobody = await t.app.inject({ method, url: `/api${path}`, ...(body ? { payload: body } : {}) })
      expect(codeOf(nobody), path).toBe('401 UNAUTHENTICATED')
    }
    const foreign = await t.app.inject({
      method: 'POST',
      url: '/api/branches',
      headers: { cookie: org.cookies.owner, origin: 'https://evil.test' },
      payload: { name: 'X', timezone: 'UTC' },
    })
    expect(codeOf(foreign)).toBe('403 FORBIDDEN')
  })

  it("another organisation's are as if they were not there", async () => {
    const theirBranch = theirs.branches[0]?.branch_id ?? ''
    const theirService = theirs.services[0]?.appointment_type_id ?? ''
    for (const [method, path, body] of writes.filter(([, path]) => path.includes('ID'))) {
      const their = path.startsWith('/services') ? theirService : theirBranch
      const foreign = await ask(method, path.replace('ID', their), body)
      const unknown = await ask(method, path.replace('ID', '01990000-0000-7000-8000-000000000000'), body)
      const odd = await ask(method, path.replace('ID', 'x'), body)
      for (const each of [foreign, unknown, odd]) expect(codeOf(each), `${method} ${path}`).toBe('404 NOT_FOUND')
      expect(foreign.json().error.message).toBe(unknown.json().error.message)
    }
    const holiday = { branch_ids: [theirBranch], entries: [{ start_date: monday, end_date: monday }] }
    expect(fieldsOf(await ask('POST', '/holidays', holiday))).toEqual(['branch_ids not_found'])
    const service = { name: 'Foreign', duration_minutes: 10, branch_ids: [theirBranch] }
    expect(fieldsOf(await ask('POST', '/services', service))).toEqual(['branch_ids not_found'])
    const theirNames = dataOf(await asRole('owner', 'GET', '/branches', undefined, theirs)) as { name: string }[]
    expect(theirNames.map((each) => each.name)).toEqual(['Main'])
  })
})

describe('branches', () => {
  it('are made, listed by name with what refers to them, changed and deleted, each with an audit line', async () => {
    const made = await newBranch('  Annexe ')
    expect(made).toMatchObject({ name: 'Annexe', timezone: 'Asia/Kolkata', windows: 0, agents: 0, services: 0 })
    expect(made.session_hours.Morning).toEqual({ start: '09:00', end: '12:00' })
    const hours = { ...made.session_hours, Morning: { start: '08:00', end: '11:00' } }
    const changed = dataOf(await ask('PATCH', `/branches/${made.branch_id}`, { name: 'East', session_hours: hours }))
    expect(changed).toMatchObject({ name: 'East', session_hours: hours, moved_appointments: 0 })
    const listed = dataOf(await ask('GET', '/branches')) as { name: string; services: number }[]
    expect(listed.map((each) => each.name)).toEqual(listed.map((each) => each.name).toSorted())
    expect(listed.find((each) => each.name === 'Main')?.services).toBe(1)
    expect(dataOf(await ask('DELETE', `/branches/${made.branch_id}`))).toEqual({
      branch_id: made.branch_id,
      deleted: true,
    })
    for (const action of ['branch.created', 'branch.changed', 'branch.deleted'])
      expect(await audited(action, made.branch_id), action).toBe(1)
  })

  it('every fault of a branch is named at once, in words', async () => {
    const backwards = { start: '12:00', end: '09:00' }
    const usual = { start: '13:00', end: '14:00' }
    const bad = {
      name: ' ',
      timezone: '+05:30',
      session_hours: { Morning: backwards, Afternoon: usual, Evening: usual },
    }
    const answer = await ask('POST', '/branches', bad)
    expect(fieldsOf(answer).toSorted()).toEqual(['name format', 'session_hours.Morning order', 'timezone format'])
    expect(fieldsOf(await ask('PATCH', `/branches/${mainId}`, {}))).toEqual(['body too_few'])
    expect(fieldsOf(await ask('PATCH', `/branches/${mainId}`, { zone: 'UTC' }))).toContain('zone unknown_field')
  })

  it('two branches of one name are refused, on making and on renaming', async () => {
    await newBranch('Twin')
    const again = await ask('POST', '/branches', { name: 'Twin', timezone: 'UTC' })
    expect(fieldsOf(again)).toEqual(['name exists'])
    expect(fieldsOf(await ask('PATCH', `/branches/${mainId}`, { name: 'Twin' }))).toEqual(['name exists'])
  })

  it('nothing new leaves no trace', async () => {
    const before = await audited('branch.changed', mainId)
    dataOf(await ask('PATCH', `/branches/${mainId}`, { name: 'Main', timezone: 'Asia/Kolkata' }))
    expect(await audited('branch.changed', mainId)).toBe(before)
  })

  it('a branch with windows cannot be deleted, and it is said why; its holidays and its feed go with it', async () => {
    const { branch_id } = await newBranch('Kept')
    dataOf(
      await ask('POST', '/holidays', { branch_ids: [branch_id], entries: [{ start_date: monday, end_date: monday }] }),
      201,
    )
    dataOf(await ask('POST', `/branches/${branch_id}/feed`, {}))
    await windowAt(branch_id)
    const refused = await ask('DELETE', `/branches/${branch_id}`)
    expect(codeOf(refused)).toBe('409 IN_USE')
    expect(refused.json().error.message).toBe('This branch cannot be deleted: 1 window refers to it.')
    const empty = await newBranch('Gone')
    dataOf(
      await ask('POST', '/holidays', {
        branch_ids: [empty.branch_id],
        entries: [{ start_date: monday, end_date: monday }],
      }),
      201,
    )
    dataOf(await ask('POST', `/branches/${empty.branch_id}/feed`, {}))
    dataOf(await ask('DELETE', `/branches/${empty.branch_id}`))
  })

  it('in another zone what is booked keeps its time of day, and says so in an event; what is over stays', async () => {
    const { branch_id } = await newBranch('Mover')
    const window = await windowAt(branch_id)
    const book = async (date: string) =>
      dataOf(
        await t.send(org.key, 'POST', '/v1/appointments', { slot_id: `${window.slot_id}||${date}`, ...contact }),
        201,
      )
    const past = await book(monday)
    t.clock.set('2026-11-17T12:00:00Z')
    const coming = await book('2026-11-23')
    const changed = dataOf(await ask('PATCH', `/branches/${branch_id}`, { timezone: 'America/New_York' }))
    t.clock.set(saturdayNoon)
    expect(changed.moved_appointments).toBe(1)
    const now = async (id: string) => dataOf(await t.send(org.key, 'GET', `/v1/appointments/${id}`))
    expect(await now(coming.appointment_id)).toMatchObject({
      start_time: '09:00',
      starts_at: '2026-11-23T09:00:00-05:00',
      timezone: 'America/New_York',
    })
    expect(await now(past.appointment_id)).toMatchObject({ starts_at: past.starts_at, timezone: 'Asia/Kolkata' })
    const events = await t.db.query<{ data: { appointment_id: string } }>(
      `select data from events where organisation_id = $1 and type = 'appointment.updated'`,
      [org.organisationId],
    )
    expect(events.map((each) => each.data.appointment_id)).toEqual([coming.appointment_id])
  })
})

describe('a branch that changes its zone while people book', () => {
  it('leaves nobody behind in the old one', async () => {
    const { branch_id } = await newBranch('Busy')
    const window = await windowAt(branch_id, { ai_slots: 0, max_slots: 40 })
    const book = () =>
      t.send(org.key, 'POST', '/v1/appointments', { slot_id: `${window.slot_id}||${monday}`, ...contact })
    const move = () => ask('PATCH', `/branches/${branch_id}`, { timezone: 'Europe/Paris' })
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, book),
      move(),
      ...Array.from({ length: 10 }, book),
    ])
    expect(answers.map((each) => each.statusCode).filter((status) => status >= 300)).toEqual([])
    const listed = dataOf(await t.send(org.key, 'GET', `/v1/appointments?branch_id=${branch_id}&limit=100`))
    expect(listed.length).toBe(20)
    const starts = new Set(listed.map((each: { starts_at: string }) => each.starts_at))
    expect([...starts]).toEqual([`${monday}T09:00:00+01:00`])
  })
})

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
