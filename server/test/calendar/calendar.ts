import type { Slot } from '@parley/contract/appointment-slots'
import type { Appointment } from '@parley/contract/appointments'
import type { SlotOnDate, TrackingRecord } from '@parley/contract/slot-dates'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { ApplyFile } from '../../src/cli/apply-file.ts'
import {
  createTestApp,
  type Organisation,
  type TestApp,
  type TestAppOptions,
  type TestClock,
  testClock,
} from '../app.ts'

/** Saturday, 14 November 2026, noon in Greenwich: in Kolkata 17:30, in New York 07:00. */
export const saturdayNoon = '2026-11-14T12:00:00Z'

export type Calendar = TestApp & { clock: TestClock; clinic(file?: Partial<ApplyFile>): Promise<Clinic> }

/** An organisation with one branch, in Kolkata, and one service. */
export type Clinic = Organisation & {
  branchId: string
  serviceId: string
  send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown, headers?: object): Reply
  /** A window on Mondays in the morning, four places, two of them the agent's; `more` changes that. */
  window(more?: object): Promise<Slot>
  book(slotId: string, more?: object): Reply
  booked(slotId: string, more?: object): Promise<Appointment>
  patch(appointmentId: string, body: object): Reply
  available(query?: string): Promise<SlotOnDate[]>
  tracked(query?: string): Promise<TrackingRecord[]>
  /** Types and data of the events so far, oldest first. */
  events(type?: string): Promise<{ type: string; data: Record<string, unknown> }[]>
}
type Reply = Promise<LightMyRequestResponse>

export const monday = '2026-11-16'
export const nextMonday = '2026-11-23'
export const contact = { contact_name: 'Maya Rao', contact_number: '+15005550001' }

export async function createCalendar(options: TestAppOptions = {}): Promise<Calendar> {
  const clock = testClock(new Date(saturdayNoon))
  const t = await createTestApp({ clock, settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '1000000' }, ...options })
  return {
    ...t,
    clock,
    clinic: async (file = {}) => {
      const org = await t.organisation({
        branches: [{ name: 'Main', timezone: 'Asia/Kolkata' }],
        services: [{ name: 'Check-up', branches: ['Main'] }],
        ...file,
      })
      return clinicOf(t, org)
    },
  }
}

function clinicOf(t: TestApp, org: Organisation): Clinic {
  const branchId = org.branches[0]?.branch_id ?? ''
  const send: Clinic['send'] = (method, url, body, headers) => t.send(org.key, method, url, body, headers)
  const data = async <T>(reply: Reply, status = 200): Promise<T> => {
    const answer = await reply
    expect(answer.statusCode, answer.body).toBe(status)
    return answer.json<{ data: T }>().data
  }
  const book: Clinic['book'] = (slotId, more = {}) =>
    send('POST', '/v1/appointments', { slot_id: slotId, ...contact, ...more })
  return {
    ...org,
    branchId,
    serviceId: org.services[0]?.appointment_type_id ?? '',
    send,
    window: (more = {}) => {
      const body = { branch_id: branchId, day: 'monday', session: 'Morning', ai_slots: 2, max_slots: 4, ...more }
      return data(send('POST', '/v1/appointment-slots', body), 201)
    },
    book,
    booked: (slotId, more) => data(book(slotId, more), 201),
    patch: (appointmentId, body) => send('PATCH', `/v1/appointments/${appointmentId}`, body),
    available: (query = '') => data(send('GET', `/v1/appointment-slots/availability?branch_id=${branchId}${query}`)),
    tracked: (query = '') => data(send('GET', `/v1/appointment-slots/schedule-tracking?branch_id=${branchId}${query}`)),
    events: (type) =>
      t.db.query(
        `select type, data from events where organisation_id = $1 and ($2::text is null or type = $2)
         order by created_at, event_id`,
        [org.organisationId, type ?? null],
      ),
  }
}

/** The counters of every date, beside what the appointments say. */
export async function expectTrueCounters(t: TestApp): Promise<void> {
  const wrong = await t.db.query(
    `select d.calendar_id, d.date::text, d.filled, d.ai_filled, d.max_slots, d.ai_slots, c.filled as counted, c.ai
     from day_slots d cross join lateral (
       select count(*)::int as filled, (count(*) filter (where booked_by = 'ai'))::int as ai from appointments a
       where a.calendar_id = d.calendar_id and a.date = d.date and a.status <> 'cancelled'
     ) c
     where d.filled <> c.filled or d.ai_filled <> c.ai or c.filled > d.max_slots or c.ai > d.ai_slots`,
  )
  expect(wrong).toEqual([])
}

export const codeOf = (answer: LightMyRequestResponse): string =>
  `${answer.statusCode} ${answer.json().error?.code ?? ''}`.trim()
export const fieldsOf = (answer: LightMyRequestResponse): string[] =>
  answer.json().error.details.map((each: { field: string; code: string }) => `${each.field} ${each.code}`)

const tracking = '/v1/appointment-slots/schedule-tracking'

/** A change of one date. */
export const track = (clinic: Clinic, slotId: string, body: object) =>
  clinic.send('PATCH', `${tracking}/${slotId}`, body)

/** What availability says of one date, full and closed ones too. */
export const itemOf = async (clinic: Clinic, slotId: string) =>
  (await clinic.available(`&date=${slotId.slice(-10)}&include_full=true&include_closed=true`)).find(
    (each) => each.slot_id === slotId,
  )

export async function regenerate(clinic: Clinic, more: object = {}) {
  const body = { branch_id: clinic.branchId, start_date: monday, end_date: '2026-11-30', ...more }
  const answer = await clinic.send('POST', `${tracking}/regenerate`, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
