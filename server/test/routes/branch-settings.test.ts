import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf, contact, fieldsOf, monday, saturdayNoon } from '../calendar/calendar.ts'
import {
  ask,
  asRole,
  audited,
  dataOf,
  type Method,
  mainId,
  newBranch,
  org,
  roles,
  setUp,
  t,
  theirs,
  windowAt,
} from './branch-settings.ts'

beforeAll(setUp)

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
