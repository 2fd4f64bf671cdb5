import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Calendar, type Clinic, codeOf, createCalendar, fieldsOf, monday } from './calendar.ts'

let t: Calendar
let clinic: Clinic
const base = '/v1/appointment-slots'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

beforeAll(async () => {
  t = await createCalendar()
  clinic = await t.clinic()
})
const least = () => ({ branch_id: clinic.branchId, day: 'monday', session: 'Morning', ai_slots: 3 })

describe('creating a window', () => {
  it('answers 201 with every field of §2.3, counts null and slot_id the calendar_id', async () => {
    const answer = await clinic.send('POST', base, {
      ...least(),
      max_slots: 5,
      start_time: '09:30',
      end_time: '11:00',
      batch_name: 'A',
      appointment_type_id: clinic.serviceId,
    })
    expect(answer.statusCode).toBe(201)
    const { success, data } = answer.json()
    expect(success).toBe(true)
    expect(data).toEqual({
      slot_id: data.calendar_id,
      calendar_id: expect.stringMatching(uuid),
      parent_calendar_id: null,
      branch_id: clinic.branchId,
      day: 'monday',
      session: 'Morning',
      batch: 'A',
      start_time: '09:30',
      end_time: '11:00',
      appointment_type: clinic.serviceId,
      max_slots: 5,
      ai_slots: 3,
      filled_slots: null,
      available_slots: null,
      status: 'OPEN',
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: data.created_at,
    })
  })

  it("takes max_slots from ai_slots, the branch's hours for the session, no batch and no service", async () => {
    const { data } = (await clinic.send('POST', base, { ...least(), session: 'Evening' })).json()
    expect(data).toMatchObject({ max_slots: 3, ai_slots: 3, start_time: '17:00', end_time: '20:00' })
    expect(data).toMatchObject({ batch: null, appointment_type: null, status: 'OPEN' })
  })

  it('may be CLOSED from the start', async () => {
    expect((await clinic.window({ status: 'CLOSED' })).status).toBe('CLOSED')
  })

  it('several windows may stand on one day and session', async () => {
    const [a, b] = [await clinic.window(), await clinic.window()]
    expect(a.calendar_id).not.toBe(b.calendar_id)
  })

  it.each([
    [{}, ['branch_id required', 'day required', 'session required', 'ai_slots required']],
    [{ ai_slots: 3, max_slots: 2 }, ['ai_slots exceeds_max_slots']],
    [{ ai_slots: -1 }, ['ai_slots out_of_range']],
    [{ ai_slots: 1.5 }, ['ai_slots type']],
    [{ ai_slots: '3' }, ['ai_slots type']],
    [{ day: 'Monday' }, ['day not_allowed']],
    [{ session: 'morning' }, ['session not_allowed']],
    [{ status: 'open' }, ['status not_allowed']],
    [{ start_time: '09:00' }, ['end_time required']],
    [{ end_time: '09:00' }, ['start_time required']],
    [{ start_time: '11:00', end_time: '10:00' }, ['end_time order']],
    [{ start_time: '10:00', end_time: '10:00' }, ['end_time order']],
    [{ start_time: '9:00', end_time: '25:00' }, ['start_time format', 'end_time format']],
    [{ batch: 'A' }, ['batch unknown_field']],
    [{ branch_id: randomUUID() }, ['branch_id not_found']],
    [{ branch_id: 'Main' }, ['branch_id not_found']],
    [{ appointment_type_id: randomUUID() }, ['appointment_type_id not_found']],
  ])('400 for %j, every fault named', async (more, faults) => {
    const body = Object.keys(more).length === 0 ? {} : { ...least(), ...more }
    const answer = await clinic.send('POST', base, body)
    expect(codeOf(answer)).toBe('400 VALIDATION_ERROR')
    expect(fieldsOf(answer)).toEqual(faults)
  })

  it("400 for another organisation's branch and service, and for a service not offered at the branch", async () => {
    const other = await t.clinic()
    for (const [more, fault] of [
      [{ branch_id: other.branchId }, 'branch_id not_found'],
      [{ appointment_type_id: other.serviceId }, 'appointment_type_id not_found'],
    ] as const) {
      const answer = await clinic.send('POST', base, { ...least(), ...more })
      expect([codeOf(answer), ...fieldsOf(answer)]).toEqual(['400 VALIDATION_ERROR', fault])
    }
    const two = await t.clinic({
      branches: [{ name: 'Main' }, { name: 'East' }],
      services: [{ name: 'X-ray', branches: ['East'] }],
    })
    const body = { ...least(), branch_id: two.branchId, appointment_type_id: two.serviceId }
    expect(fieldsOf(await two.send('POST', base, body))).toEqual(['appointment_type_id not_offered'])
  })

  it('with an Idempotency-Key makes one window, and answers the same bytes again', async () => {
    const before = (await clinic.events('slot.updated')).length
    const headers = { 'idempotency-key': 'window-1' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => clinic.send('POST', base, least(), headers)))
    expect(new Set(answers.map((each) => each.body)).size).toBe(1)
    expect(answers.filter((each) => each.headers['idempotent-replayed'] === 'true')).toHaveLength(9)
    expect(codeOf(await clinic.send('POST', base, { ...least(), ai_slots: 9 }, headers))).toBe(
      '422 IDEMPOTENCY_KEY_REUSED',
    )
    expect((await clinic.events('slot.updated')).length - before).toBe(1)
  })
})

describe('changing a window', () => {
  it('changes only what is given, and tells it by slot.updated', async () => {
    const window = await clinic.window({ batch_name: 'A' })
    const answer = await clinic.send('PATCH', `${base}/${window.slot_id}`, { max_slots: 9, batch_name: 'B' })
    expect(answer.statusCode).toBe(200)
    const { data } = answer.json()
    expect(data).toEqual({ ...window, max_slots: 9, batch: 'B', updated_at: expect.any(String) })
    expect(data.filled_slots).toBeNull()
    expect((await clinic.events('slot.updated')).at(-1)?.data).toEqual(data)
  })

  it.each([
    ['the plain UUID', (id: string) => id],
    ['with a date', (id: string) => `${id}||${monday}`],
    ['with a date and a service', (id: string) => `${id}||${monday}||${clinic.serviceId}`],
    ['with a date, percent-encoded', (id: string) => `${id}%7C%7C${monday}`],
    ['with both, percent-encoded in small letters', (id: string) => `${id}%7c%7c${monday}%7c%7c${clinic.serviceId}`],
    ['in capitals', (id: string) => id.toUpperCase()],
    ['with anything behind the first ||', (id: string) => `${id}||whatever`],
  ])('takes a slot_id %s, in PATCH, disable and GET', async (_, form) => {
    const { calendar_id: id } = await clinic.window()
    expect((await clinic.send('PATCH', `${base}/${form(id)}`, { ai_slots: 1 })).json().data.ai_slots).toBe(1)
    expect((await clinic.send('POST', `${base}/${form(id)}/disable`)).json().data.status).toBe('CLOSED')
    expect((await clinic.send('GET', `${base}/${form(id)}`)).json().data).toMatchObject({
      slot_id: id,
      ai_slots: 1,
      status: 'CLOSED',
    })
  })

  it('400 for nothing to change, for fields that cannot change, and for capacities that contradict what is there', async () => {
    const { slot_id: id } = await clinic.window({ ai_slots: 2, max_slots: 4 })
    for (const [body, fault] of [
      [{}, 'body too_few'],
      [{ branch_id: clinic.branchId }, 'branch_id unknown_field'],
      [{ appointment_type_id: clinic.serviceId }, 'appointment_type_id unknown_field'],
      [{ max_slots: 1 }, 'max_slots below_ai_slots'],
      [{ ai_slots: 5 }, 'ai_slots exceeds_max_slots'],
      [{ start_time: '10:00' }, 'end_time required'],
      [{ status: null }, 'status type'],
    ] as const) {
      const answer = await clinic.send('PATCH', `${base}/${id}`, body)
      expect.soft([codeOf(answer), ...fieldsOf(answer)], JSON.stringify(body)).toContain(fault)
    }
  })

  it("one time of two may change, and null for both returns to the branch's hours", async () => {
    const { slot_id: id } = await clinic.window({ start_time: '09:00', end_time: '10:00' })
    const patch = async (body: object) => (await clinic.send('PATCH', `${base}/${id}`, body)).json().data
    expect(await patch({ end_time: '11:30' })).toMatchObject({ start_time: '09:00', end_time: '11:30' })
    expect(await patch({ start_time: null, end_time: null })).toMatchObject({ start_time: '09:00', end_time: '12:00' })
    expect(await patch({ session: 'Evening' })).toMatchObject({ start_time: '17:00', end_time: '20:00' })
  })

  it('opens a closed window again', async () => {
    const { slot_id: id } = await clinic.window({ status: 'CLOSED' })
    expect((await clinic.send('PATCH', `${base}/${id}`, { status: 'OPEN' })).json().data.status).toBe('OPEN')
  })

  it('says nothing when nothing changes: no event, the same updated_at', async () => {
    const window = await clinic.window()
    const before = (await clinic.events()).length
    const same = await clinic.send('PATCH', `${base}/${window.slot_id}`, { day: 'monday', max_slots: 4 })
    expect(same.json().data).toEqual(window)
    await clinic.send('POST', `${base}/${window.slot_id}/disable`)
    await clinic.send('POST', `${base}/${window.slot_id}/disable`)
    expect((await clinic.events()).length - before).toBe(1)
  })
})

describe('finding windows', () => {
  it('404 for an unknown id, a malformed one and one of another organisation, whatever is asked', async () => {
    const foreign = await (await t.clinic()).window()
    for (const id of [randomUUID(), 'x', '%7C%7C', foreign.slot_id]) {
      const url = `${base}/${id}`
      expect.soft(codeOf(await clinic.send('GET', url))).toBe('404 NOT_FOUND')
      expect.soft(codeOf(await clinic.send('PATCH', url, { ai_slots: 1 }))).toBe('404 NOT_FOUND')
      expect.soft(codeOf(await clinic.send('POST', `${url}/disable`))).toBe('404 NOT_FOUND')
    }
  })

  it('lists them newest first, page by page, with filters', async () => {
    const own = await t.clinic()
    const made = []
    for (const day of ['monday', 'tuesday', 'monday']) made.push((await own.window({ day })).slot_id)
    const first = await own.send('GET', `${base}?limit=2`)
    expect(first.json().data.map((each: { slot_id: string }) => each.slot_id)).toEqual([made[2], made[1]])
    expect(first.json().has_more).toBe(true)
    expect(first.headers.link).toContain('rel="next"')
    const second = await own.send('GET', `${base}?limit=2&cursor=${first.json().next_cursor}`)
    expect(second.json()).toMatchObject({ data: [{ slot_id: made[0] }], has_more: false, next_cursor: null })
    const mondays = await own.send('GET', `${base}?day=monday&status=OPEN&session=Morning&branch_id=${own.branchId}`)
    expect(mondays.json().data).toHaveLength(2)
    const foreign = await own.send('GET', `${base}?branch_id=${clinic.branchId}&cursor=eA`)
    expect(codeOf(foreign)).toBe('400 VALIDATION_ERROR')
  })
})

describe('scopes', () => {
  it.each([
    ['GET', '', 'slots:read'],
    ['GET', '/x', 'slots:read'],
    ['GET', '/availability', 'slots:read'],
    ['GET', '/schedule-tracking', 'slots:read'],
    ['POST', '', 'slots:write'],
    ['PATCH', '/x', 'slots:write'],
    ['POST', '/x/disable', 'slots:write'],
    ['PATCH', '/schedule-tracking/x', 'slots:write'],
    ['POST', '/schedule-tracking/regenerate', 'slots:write'],
  ] as const)('%s %s needs %s', async (method, path, scope) => {
    const others = (['slots:read', 'slots:write', 'appointments:write', 'calls:read'] as const).filter(
      (each) => each !== scope,
    )
    const without = await t.keyWith(clinic.organisationId, others)
    const answer = await t.send(without, method, `${base}${path}`, method === 'GET' ? undefined : {})
    expect(codeOf(answer)).toBe('403 INSUFFICIENT_SCOPE')
    const key = await t.keyWith(clinic.organisationId, [scope])
    expect((await t.send(key, method, `${base}${path}`, method === 'GET' ? undefined : {})).statusCode).not.toBe(403)
  })
})
