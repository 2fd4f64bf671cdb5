import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { closeFeed, feedUrl, openFeed } from '../../src/appointments/feed.service.ts'
import { type Clinic, createCalendar, monday, nextMonday } from './calendar.ts'

const t = await createCalendar()
const base = 'http://127.0.0.1:3000'
const get = (url: string, headers = {}) => t.app.inject({ url: url.replace(base, ''), headers })
const asked = (clinic: Clinic) => ({ organisationId: clinic.organisationId, branchId: clinic.branchId, actor: 'test' })

async function feedOf(clinic: Clinic): Promise<string> {
  const { token } = await openFeed(t.db, asked(clinic))
  return feedUrl(base, token ?? '')
}
async function read(url: string) {
  const { body } = await get(url)
  for (const line of body.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(line).not.toMatch(/[\r\n]/)
  }
  const calendar = new ICAL.Component(ICAL.parse(body))
  const events = calendar.getAllSubcomponents('vevent').map((each) => ({
    uid: String(each.getFirstPropertyValue('uid')),
    start: new ICAL.Event(each).startDate.toJSDate().toISOString(),
    end: new ICAL.Event(each).endDate.toJSDate().toISOString(),
    tzid: each.getFirstProperty('dtstart')?.getFirstParameter('tzid'),
    summary: each.getFirstPropertyValue('summary'),
    description: each.getFirstPropertyValue('description'),
    status: each.getFirstPropertyValue('status'),
    sequence: each.getFirstPropertyValue('sequence'),
  }))
  return { calendar, events, body }
}

describe('the feed', () => {
  it('holds the branch’s appointments, for calendar programs', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window({ batch_name: 'Early' })
    const more = { contact_name: 'Maya Rao', notes: 'Brings her report.', booked_by: 'staff' }
    const { appointment_id } = await clinic.booked(`${slot_id}||${monday}`, more)
    const url = await feedOf(clinic)
    const answer = await get(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, max-age=300',
      'x-robots-tag': 'noindex',
    })
    const { calendar, events } = await read(url)
    expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH')
    expect(calendar.getFirstPropertyValue('prodid')).toBe('-//Parley//Appointments//EN')
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Main – Acme Clinic')
    expect(events).toEqual([
      {
        uid: `${appointment_id}@appointments.parley`,
        start: '2026-11-16T03:30:00.000Z',
        end: '2026-11-16T06:30:00.000Z',
        tzid: 'Asia/Kolkata',
        summary: 'Check-up: Maya Rao',
        description: 'Brings her report.\nBatch: Early\nBooked by staff.',
        status: 'CONFIRMED',
        sequence: 0,
      },
    ])
  })

  it('a change keeps the UID and raises SEQUENCE; a cancelled entry stays, marked', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window()
    const { appointment_id } = await clinic.booked(`${slot_id}||${monday}`)
    const url = await feedOf(clinic)
    const before = (await read(url)).events[0]
    await clinic.patch(appointment_id, { slot_id: `${slot_id}||${nextMonday}` })
    const moved = (await read(url)).events[0]
    expect(moved).toMatchObject({ uid: before?.uid, sequence: 1, start: '2026-11-23T03:30:00.000Z' })
    await clinic.patch(appointment_id, { status: 'cancelled', cancellation_reason: 'ill' })
    const [cancelled, ...others] = (await read(url)).events
    expect(others).toEqual([])
    expect(cancelled).toMatchObject({ uid: before?.uid, sequence: 2, status: 'CANCELLED' })
    expect(cancelled?.description).toContain('Cancelled: ill')
  })

  it('New York: right on both sides of the change of the clocks', async () => {
    t.clock.set('2026-10-30T12:00:00Z')
    const clinic = await t.clinic({ branches: [{ name: 'Main', timezone: 'America/New_York' }] })
    const { slot_id } = await clinic.window({ day: 'sunday' })
    const dates = ['2026-11-01', '2027-03-07', '2027-03-14', '2027-07-04']
    for (const date of dates) await clinic.booked(`${slot_id}||${date}`)
    const { events, calendar } = await read(await feedOf(clinic))
    expect(events.map((each) => each.start)).toEqual([
      '2026-11-01T14:00:00.000Z',
      '2027-03-07T14:00:00.000Z',
      '2027-03-14T13:00:00.000Z',
      '2027-07-04T13:00:00.000Z',
    ])
    const zone = calendar.getFirstSubcomponent('vtimezone')
    expect(zone?.getFirstPropertyValue('tzid')).toBe('America/New_York')
    t.clock.set('2026-11-14T12:00:00Z')
  })

  it('odd and long names arrive as they are', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window({ max_slots: 9 })
    const names = ['Rao; Maya, "Dr." \\ x', 'अनन्या राव '.repeat(12).trim(), '👩‍⚕️'.repeat(20), 'A:B=C']
    for (const contact_name of names) await clinic.booked(`${slot_id}||${monday}`, { contact_name, notes: 'a\nb;c' })
    const { events } = await read(await feedOf(clinic))
    expect(new Set(events.map((each) => each.summary))).toEqual(new Set(names.map((name) => `Check-up: ${name}`)))
    expect(events[0]?.description).toContain('a\nb;c')
  })

  it('an empty calendar is a valid one', async () => {
    const { calendar, events } = await read(await feedOf(await t.clinic()))
    expect([events, calendar.getAllSubcomponents('vtimezone').length]).toEqual([[], 1])
  })

  it('from thirty days back to a year ahead, and nothing of another branch', async () => {
    t.clock.set('2026-09-01T12:00:00Z')
    const clinic = await t.clinic({ branches: [{ name: 'Main' }, { name: 'Other' }], services: [{ name: 'Check-up' }] })
    const { slot_id } = await clinic.window()
    const other = await clinic.window({ branch_id: clinic.branches[1]?.branch_id })
    for (const date of ['2026-09-07', '2026-10-19', '2027-11-08', '2027-12-20'])
      await clinic.booked(`${slot_id}||${date}`)
    await clinic.booked(`${other.slot_id}||${monday}`)
    t.clock.set('2026-11-14T12:00:00Z')
    const { events } = await read(await feedOf(clinic))
    expect(events.map((each) => each.start.slice(0, 10))).toEqual(['2026-10-19', '2027-11-08'])
  })

  it('who has read it is told that nothing has changed', async () => {
    const clinic = await t.clinic()
    const { slot_id } = await clinic.window()
    const url = await feedOf(clinic)
    const { etag } = (await get(url)).headers
    const again = await get(url, { 'if-none-match': `"x", W/${etag}` })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    await clinic.booked(`${slot_id}||${monday}`)
    expect((await get(url, { 'if-none-match': String(etag) })).statusCode).toBe(200)
  })
})

describe('the address', () => {
  it('is told once, stored as a hash, and a new one ends the old one', async () => {
    const clinic = await t.clinic()
    const first = await openFeed(t.db, asked(clinic))
    expect(first.token).toMatch(/^[A-Za-z0-9]{43,}$/)
    expect(await openFeed(t.db, asked(clinic))).toEqual({ token: null, since: first.since })
    const rows = await t.db.query('select calendar_feeds::text as text from calendar_feeds')
    expect(JSON.stringify(rows)).not.toContain(first.token)
    const second = await openFeed(t.db, asked(clinic), { renew: true })
    expect((await get(feedUrl('', first.token ?? ''))).statusCode).toBe(404)
    expect((await get(feedUrl('', second.token ?? ''))).statusCode).toBe(200)
    expect([await closeFeed(t.db, asked(clinic)), await closeFeed(t.db, asked(clinic))]).toEqual([true, false])
    expect((await get(feedUrl('', second.token ?? ''))).statusCode).toBe(404)
  })

  it.each([
    ['short', 'x'],
    ['of the right length', 'A'.repeat(43)],
    ['with a zero', '%00'],
    ['dots', '..'],
    ['an emoji', '%F0%9F%98%80'],
    ['very long', 'x'.repeat(5_000)],
  ])('a wrong one answers like any address that is not there: %s', async (_kind, token) => {
    const answer = await get(`/calendar/${token}.ics`)
    const nowhere = await get('/nowhere')
    expect(answer.statusCode).toBe(404)
    expect(answer.json().error.message).toBe(nowhere.json().error.message)
    expect(answer.json().error.code).toBe('NOT_FOUND')
  })

  it('does not stand in the log', async () => {
    const url = await feedOf(await t.clinic())
    await get(url)
    expect(t.logLines.join('\n')).not.toContain(url.split('/').at(-1)?.replace('.ics', ''))
  })

  it('another organisation’s branch gets none', async () => {
    const [mine, theirs] = [await t.clinic(), await t.clinic()]
    const wrong = { ...asked(mine), branchId: theirs.branchId }
    await expect(openFeed(t.db, wrong, { renew: true })).rejects.toThrow('no branch')
  })
})

it('guessing is slowed down per address, and a good one is not held up by it', async () => {
  const slow = await createCalendar({ settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '5' } })
  const clinic = await slow.clinic()
  const { token } = await openFeed(slow.db, asked(clinic))
  const guess = () => slow.app.inject({ url: '/calendar/guess.ics' })
  const statuses = [guess, guess, guess, guess, guess, guess].map((each) => each().then((answer) => answer.statusCode))
  expect((await Promise.all(statuses)).toSorted()).toEqual([404, 404, 404, 404, 404, 429])
  expect((await slow.app.inject({ url: `/calendar/${token}.ics` })).statusCode).toBe(200)
})
