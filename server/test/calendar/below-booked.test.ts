import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { holdPlace } from '../../src/slots/places.ts'
import {
  type Calendar,
  type Clinic,
  codeOf,
  createCalendar,
  expectTrueCounters,
  fieldsOf,
  itemOf,
  monday,
  nextMonday,
  saturdayNoon,
  track,
} from './calendar.ts'

let t: Calendar
let clinic: Clinic
beforeAll(async () => {
  t = await createCalendar()
  clinic = await t.clinic()
})
const base = '/v1/appointment-slots'
const change = (id: string, body: object) => clinic.send('PATCH', `${base}/${id}`, body)
const wordsOf = (answer: LightMyRequestResponse): string[] =>
  answer.json().error.details.map((each: { message: string }) => each.message)

/** Three booked on the first Monday, two of them by the agent; one on the next. */
async function bookedWindow(): Promise<string> {
  const { calendar_id: id } = await clinic.window({ max_slots: 5, ai_slots: 3 })
  for (const booked_by of ['ai', 'ai', 'staff']) await clinic.booked(`${id}||${monday}`, { booked_by })
  await clinic.booked(`${id}||${nextMonday}`)
  return id
}

describe('a window changed below what is booked', () => {
  it('409 CAPACITY_BELOW_BOOKED, naming the field, the date and how many are booked there; nothing changes', async () => {
    const id = await bookedWindow()
    const before = (await clinic.send('GET', `${base}/${id}`)).json().data
    const events = (await clinic.events()).length
    const answer = await change(id, { max_slots: 2, ai_slots: 2, batch_name: 'B' })
    expect(codeOf(answer)).toBe('409 CAPACITY_BELOW_BOOKED')
    expect(fieldsOf(answer)).toEqual(['max_slots below_booked'])
    expect(wordsOf(answer)).toEqual([`On ${monday} 3 are booked: give at least 3.`])
    expect(answer.json().error.message).toContain(monday)
    expect((await clinic.send('GET', `${base}/${id}`)).json().data).toEqual(before)
    expect(await clinic.events()).toHaveLength(events)
  })

  it('ai_slots is held against what the agent has booked, and both are named when both are too low', async () => {
    const id = await bookedWindow()
    const one = await change(id, { ai_slots: 1 })
    expect([codeOf(one), ...fieldsOf(one)]).toEqual(['409 CAPACITY_BELOW_BOOKED', 'ai_slots below_booked'])
    expect(wordsOf(one)[0]).toContain(`On ${monday} the AI agent has booked 2`)
    expect(fieldsOf(await change(id, { max_slots: 1, ai_slots: 0 }))).toEqual([
      'max_slots below_booked',
      'ai_slots below_booked',
    ])
  })

  it('what still covers the bookings is taken, and booked dates keep their old capacity', async () => {
    const id = await bookedWindow()
    expect(codeOf(await change(id, { max_slots: 3, ai_slots: 2 }))).toBe('200')
    expect(await itemOf(clinic, `${id}||${monday}`)).toMatchObject({ max_slots: 5, ai_slots: 3, filled_slots: 3 })
    expect(await itemOf(clinic, `${id}||2026-11-30`)).toMatchObject({ max_slots: 3, ai_slots: 2 })
    await clinic.booked(`${id}||${monday}`)
    await clinic.booked(`${id}||${monday}`)
    expect(codeOf(await clinic.book(`${id}||${monday}`))).toBe('409 SLOT_FULL')
    await expectTrueCounters(t)
  })

  it('what is cancelled counts no more', async () => {
    const { calendar_id: id } = await clinic.window({ max_slots: 2, ai_slots: 0 })
    const { appointment_id } = await clinic.booked(`${id}||${monday}`)
    await clinic.booked(`${id}||${monday}`)
    expect(codeOf(await change(id, { max_slots: 1 }))).toBe('409 CAPACITY_BELOW_BOOKED')
    await clinic.patch(appointment_id, { status: 'cancelled' })
    expect(codeOf(await change(id, { max_slots: 1 }))).toBe('200')
  })

  it('dates before today at the branch do not matter, today does', async () => {
    const { calendar_id: id } = await clinic.window({ day: 'saturday', session: 'Evening', ai_slots: 0, max_slots: 2 })
    for (const _ of [1, 2]) await clinic.booked(`${id}||2026-11-14`)
    expect(codeOf(await change(id, { max_slots: 1 }))).toBe('409 CAPACITY_BELOW_BOOKED')
    // Saturday, 18:30 in Greenwich: midnight in Kolkata.
    t.clock.set('2026-11-14T18:30:00Z')
    expect(codeOf(await change(id, { max_slots: 1 }))).toBe('200')
    t.clock.set(saturdayNoon)
  })

  it('places that a running call holds are not booked', async () => {
    const { calendar_id: id } = await clinic.window({ max_slots: 1, ai_slots: 1 })
    const hold = { calendarId: id, date: monday, callId: 'call_1' }
    expect(await holdPlace(t, clinic.organisationId, hold)).not.toBeNull()
    expect(codeOf(await change(id, { max_slots: 0, ai_slots: 0 }))).toBe('200')
  })

  it('it can be disabled, moved to another day, raised, and sent again with the places it has', async () => {
    const { calendar_id: id } = await clinic.window({ max_slots: 1, ai_slots: 0 })
    await track(clinic, `${id}||${monday}`, { max_slots: 4 })
    for (const _ of [1, 2, 3]) await clinic.booked(`${id}||${monday}`)
    for (const body of [{ max_slots: 1, batch_name: 'B' }, { max_slots: 2 }, { day: 'tuesday' }, { status: 'CLOSED' }])
      expect.soft(codeOf(await change(id, body)), JSON.stringify(body)).toBe('200')
    expect(codeOf(await clinic.send('POST', `${base}/${id}/disable`))).toBe('200')
  })

  it('while others book: whoever is first wins, and a date never has more than it has places', async () => {
    const { calendar_id: id } = await clinic.window({ max_slots: 4, ai_slots: 0 })
    const [changed, ...booked] = await Promise.all([
      change(id, { max_slots: 1 }),
      ...Array.from({ length: 4 }, () => clinic.book(`${id}||${monday}`)),
    ])
    const count = booked.filter((each) => each.statusCode === 201).length
    if (changed.statusCode === 200) expect([1, 4]).toContain(count)
    else expect([codeOf(changed), count]).toEqual(['409 CAPACITY_BELOW_BOOKED', 4])
    await expectTrueCounters(t)
  })
})

describe('a refusal blames only what is at fault', () => {
  it('of one date: the field that was sent, and reset when it is the rule that is too small', async () => {
    const id = await bookedWindow()
    const slot = `${id}||${monday}`
    expect(fieldsOf(await track(clinic, slot, { ai_slots: 0 }))).toEqual(['ai_slots below_booked'])
    expect(fieldsOf(await track(clinic, slot, { ai_slots: 3, max_slots: 2 }))).toEqual(['ai_slots exceeds_max_slots'])
    expect(fieldsOf(await track(clinic, slot, { ai_slots: 2, max_slots: 2 }))).toEqual(['max_slots below_booked'])
    await track(clinic, slot, { max_slots: 6 })
    for (const _ of [1, 2, 3]) await clinic.booked(slot)
    const reset = await track(clinic, slot, { reset: true })
    expect([codeOf(reset), ...fieldsOf(reset)]).toEqual(['409 CAPACITY_BELOW_BOOKED', 'reset below_booked'])
    expect(wordsOf(reset)[0]).toContain('The rule has 5 places')
  })

  it('of a window: max_slots when only max_slots was sent, and it says what it collides with', async () => {
    const { slot_id: id } = await clinic.window({ max_slots: 4, ai_slots: 2 })
    const answer = await change(id, { max_slots: 1 })
    expect([codeOf(answer), ...fieldsOf(answer)]).toEqual(['400 VALIDATION_ERROR', 'max_slots below_ai_slots'])
    expect(wordsOf(answer)).toEqual(['max_slots must be at least ai_slots, which is 2.'])
    expect(wordsOf(await change(id, { ai_slots: 5 }))).toEqual(['ai_slots must not exceed max_slots, which is 4.'])
  })
})
