import { setTimeout as sleep } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { bookAppointment } from '../../src/appointments/book-appointment.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { holdPlace } from '../../src/slots/places.ts'
import { createTestDatabase } from '../database.ts'
import {
  type Calendar,
  type Clinic,
  codeOf,
  contact,
  createCalendar,
  expectTrueCounters,
  monday,
  nextMonday,
} from './calendar.ts'

/** Many at once on the real database, each race `repeat` times. Afterwards every counter equals a recount. */
export function calendarRaces(repeat: number): void {
  let t: Calendar
  let clinic: Clinic

  beforeAll(async () => {
    const { url } = await createTestDatabase()
    const db = openDatabase({ url, applicationName: 'races', poolSize: 40 })
    t = await createCalendar({ database: { db, url } })
    clinic = await t.clinic()
    // The connections are there before the first race, or it would be one of connecting.
    await Promise.all(Array.from({ length: 40 }, () => db.query('select pg_sleep(0.05)')))
  })

  const slotOf = async (more: object = {}, date = monday) => `${(await clinic.window(more)).calendar_id}||${date}`
  const tally = (answers: LightMyRequestResponse[]): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const each of answers) counts[codeOf(each)] = (counts[codeOf(each)] ?? 0) + 1
    return counts
  }
  const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, at) => work(at)))
  const again = async (race: (round: number) => Promise<void>) => {
    for (let round = 0; round < repeat; round += 1) {
      await race(round)
      await expectTrueCounters(t)
    }
  }
  const eventsOf = async (type: string, appointmentId: string) =>
    (await clinic.events(type)).filter((each) => each.data.appointment_id === appointmentId)
  const confirmedIn = async (slotId: string) => {
    const rows = await t.db.query<{ booked_by: string }>(
      `select booked_by from appointments where calendar_id = $1 and date = $2::date and status <> 'cancelled'`,
      slotId.split('||'),
    )
    return { all: rows.length, ai: rows.filter((each) => each.booked_by === 'ai').length }
  }

  describe(`races on the calendar, ${repeat} times each`, () => {
    it('fifty bookings on the last place: one is booked, and one event says so', () =>
      again(async () => {
        const slot = await slotOf({ max_slots: 1, ai_slots: 0 })
        const answers = await times(50, () => clinic.book(slot))
        expect(tally(answers)).toEqual({ '201': 1, '409 SLOT_FULL': 49 })
        const id: string = answers.find((each) => each.statusCode === 201)?.json().data.appointment_id
        expect(await eventsOf('appointment.created', id)).toHaveLength(1)
        expect(await confirmedIn(slot)).toEqual({ all: 1, ai: 0 })
      }))

    it('the agent and staff together: never over ai_slots, never over max_slots', () =>
      again(async (round) => {
        const slot = await slotOf({ max_slots: 10, ai_slots: 4 })
        const answers = await times(40, (at) => clinic.book(slot, { booked_by: (at + round) % 2 ? 'ai' : 'staff' }))
        const booked = await confirmedIn(slot)
        expect(booked.all).toBe(tally(answers)['201'])
        expect(booked.all).toBe(10)
        expect(booked.ai).toBeLessThanOrEqual(4)
      }))

    it('ten cancels of one appointment: one place back, one event, ten equal answers', () =>
      again(async () => {
        const slot = await slotOf({ max_slots: 1, ai_slots: 0 })
        const { appointment_id: id } = await clinic.booked(slot)
        const answers = await times(10, (at) =>
          clinic.patch(id, { status: 'cancelled', cancellation_reason: `No. ${at}` }),
        )
        expect(new Set(answers.map((each) => `${each.statusCode} ${each.body}`)).size).toBe(1)
        expect(answers[0]?.statusCode).toBe(200)
        expect(await eventsOf('appointment.cancelled', id)).toHaveLength(1)
        expect(tally(await times(5, () => clinic.book(slot)))).toEqual({ '201': 1, '409 SLOT_FULL': 4 })
      }))

    it('appointments that swap slots cross without a deadlock, and each moves once', () =>
      again(async () => {
        const [a, b] = [await slotOf(), await slotOf({}, nextMonday)]
        const here = await times(2, () => clinic.booked(a))
        const there = await times(2, () => clinic.booked(b))
        const answers = await Promise.all([
          ...here.map((each) => clinic.patch(each.appointment_id, { slot_id: b })),
          ...there.map((each) => clinic.patch(each.appointment_id, { slot_id: a })),
        ])
        expect(tally(answers)).toEqual({ '200': 4 })
        for (const { appointment_id: id } of [...here, ...there])
          expect(await eventsOf('appointment.updated', id)).toHaveLength(1)
        // Between two dates of one window, back and forth, while the rule changes and a date of it too.
        const one = `${a.split('||')[0]}||${nextMonday}`
        const moved = await Promise.all([
          ...here.map((each) => clinic.patch(each.appointment_id, { slot_id: one })),
          ...there.map((each) => clinic.patch(each.appointment_id, { slot_id: one })),
          clinic.send('PATCH', `/v1/appointment-slots/${a}`, { max_slots: 5 }),
          clinic.send('PATCH', `/v1/appointment-slots/schedule-tracking/${a}`, { note: 'busy' }),
        ])
        expect(tally(moved)).toEqual({ '200': 6 })
      }))

    it('disabling while booking: once it has answered, nothing more is booked', () =>
      again(async () => {
        const slot = await slotOf({ max_slots: 100, ai_slots: 0 })
        const bookings = times(30, async (at) => {
          await sleep(at % 10)
          return clinic.book(slot)
        })
        await sleep(5)
        const disabled = await clinic.send('POST', `/v1/appointment-slots/${slot}/disable`)
        expect(disabled.json().data.status).toBe('CLOSED')
        const atOnce = (await confirmedIn(slot)).all
        const counts = tally(await bookings)
        expect((counts['201'] ?? 0) + (counts['409 SLOT_CLOSED'] ?? 0)).toBe(30)
        expect((await confirmedIn(slot)).all).toBe(atOnce)
        expect(counts['201'] ?? 0).toBe(atOnce)
      }))

    it('lowering a window while booking: refused, or what was booked by then still fitted', () =>
      again(async (round) => {
        const slot = await slotOf({ max_slots: 10, ai_slots: 0 })
        const bookings = times(10, async (at) => {
          await sleep(at)
          return clinic.book(slot)
        })
        await sleep(round % 10)
        const lowered = await clinic.send('PATCH', `/v1/appointment-slots/${slot}`, { max_slots: 3 })
        const booked = tally(await bookings)['201'] ?? 0
        // Nobody was booked by then: three. One to three were: the date keeps its ten. More: it was refused.
        if (lowered.statusCode === 200) expect([3, 10]).toContain(booked)
        else expect([codeOf(lowered), booked]).toEqual(['409 CAPACITY_BELOW_BOOKED', 10])
      }))

    it('regenerate while booking and cancelling: no booking is lost, no counter wrong', () =>
      again(async () => {
        const slot = await slotOf({ max_slots: 20, ai_slots: 5 })
        const body = { branch_id: clinic.branchId, start_date: monday, end_date: nextMonday, keep_overrides: false }
        const [answers] = await Promise.all([
          times(30, async (at) => {
            const answer = await clinic.book(slot, { booked_by: at % 3 ? 'staff' : 'ai' })
            const id: string | undefined = answer.json().data?.appointment_id
            if (id && at % 4 === 0) await clinic.patch(id, { status: 'cancelled' })
            return answer
          }),
          times(4, async (at) => {
            await sleep(at * 3)
            const answer = await clinic.send('POST', '/v1/appointment-slots/schedule-tracking/regenerate', body)
            expect(codeOf(answer)).toBe('200')
            expect(answer.json().data.repaired_counters).toBe(0)
          }),
        ])
        const ids = answers.flatMap((each) => each.json().data?.appointment_id ?? [])
        const rows = await t.db.query('select 1 from appointments where appointment_id = any($1)', [ids])
        expect(rows).toHaveLength(ids.length)
      }))

    it('a hold that runs out while others book: its place is taken once', () =>
      again(async (round) => {
        const slot = await slotOf({ max_slots: 1, ai_slots: 1 })
        const [calendarId = '', date = ''] = slot.split('||')
        const call = await clinic.send('POST', '/v1/calls', { agent_id: clinic.agentId, user_number: '+15005550001' })
        const callId: string = call.json().data.call_id
        // A few milliseconds: it runs out somewhere between these bookings.
        const held = await holdPlace(t, clinic.organisationId, {
          calendarId,
          date,
          callId,
          seconds: 0.005 + (round % 8) / 400,
        })
        expect(held).not.toBeNull()
        const own = bookAppointment(t, clinic.organisationId, {
          slotId: slot,
          contactName: contact.contact_name,
          contactNumber: contact.contact_number,
          bookedBy: 'ai',
          callId,
        }).then(
          () => 1,
          () => 0,
        )
        const others = times(20, async (at) => {
          await sleep(at)
          return clinic.book(slot)
        })
        const booked = (await own) + (tally(await others)['201'] ?? 0)
        expect(booked).toBe(1)
        expect((await confirmedIn(slot)).all).toBe(1)
      }))
  })
}
