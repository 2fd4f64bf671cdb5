import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addDays, todayIn, weekdayOf } from '../../src/platform/local-time.ts'
import { createTestApp, type TestApp } from '../app.ts'
import { type Signed, signedOrganisation } from '../dashboard.ts'
import { startChromium, whyNoChromium } from './chromium.ts'
import { expectSoundDialog, expectSoundScreen, type Opened, visit } from './dashboard.ts'

const reason = whyNoChromium()
const zone = 'Asia/Kolkata'
let t: TestApp
let org: Signed
let browser: Browser
let origin: string
let branchId: string
let serviceId: string
let monday: string

beforeAll(async () => {
  if (reason) return
  t = await createTestApp()
  origin = await t.app.listen({ host: '127.0.0.1', port: 0 })
  org = await signedOrganisation(
    t,
    { branches: [{ name: 'Main', timezone: zone }], services: [{ name: 'Check-up' }] },
    ['owner', 'viewer'],
  )
  branchId = org.branches[0]?.branch_id ?? ''
  serviceId = org.services[0]?.appointment_type_id ?? ''
  // Next week's: whatever day it is, all of it is still to come.
  monday = todayIn(zone, new Date())
  do monday = addDays(monday, 1)
  while (weekdayOf(monday) !== 'monday')
  browser = await startChromium()
}, 240_000)

const send = async (method: 'POST' | 'PATCH' | 'GET', url: string, body?: object) => {
  const answer = await t.send(org.key, method, url, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}
const window = (day: string, session: string, more = {}) =>
  send('POST', '/v1/appointment-slots', { branch_id: branchId, day, session, ai_slots: 1, max_slots: 2, ...more })
const book = (slotId: string, name: string, number = '+15005550001') =>
  send('POST', '/v1/appointments', {
    slot_id: slotId,
    contact_name: name,
    contact_number: number,
    appointment_type_id: serviceId,
  })
const open = (path: string, role: 'owner' | 'viewer' = 'owner'): Promise<Opened> =>
  visit(browser, { origin, path, cookie: org.cookies[role] })
const week = () => `/calendar?branch=${branchId}&week=${monday}`
const cell = (page: Page, words: RegExp) => page.getByRole('button', { name: words })
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

describe.skipIf(reason)(`calendar and appointments${reason ? ` (skipped: ${reason})` : ''}`, () => {
  it('a week is set up: a window on several days at once, a day copied, and both seen in the grid', async () => {
    const { page } = await open(week())
    await page.getByRole('button', { name: 'Add the first window' }).click()
    const form = page.getByRole('dialog', { name: 'Add a weekly window' })
    await form.getByText('Tue', { exact: true }).click()
    await form.getByLabel('Places', { exact: true }).fill('2')
    await expect.poll(() => form.getByLabel('AI places').inputValue()).toBe('2')
    await form.getByLabel('AI places').fill('1')
    await form.getByRole('button', { name: 'Add 2 windows' }).click()
    await cell(page, /^Tuesday .*Morning, 09:00 to 12:00, 0 of 2 booked, AI 0 of 1, Open$/).waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy a day to others…' }).click()
    // Tuesday has the same already: three are left.
    await page.getByRole('dialog').getByRole('button', { name: 'Add 3' }).click()
    await cell(page, /^Friday .*Morning/).waitFor()
    const windows = await send('GET', `/v1/appointment-slots?branch_id=${branchId}`)
    expect(windows.map((each: { day: string }) => each.day).toSorted()).toEqual([
      'friday',
      'monday',
      'thursday',
      'tuesday',
      'wednesday',
    ])
  })

  it('by keyboard: arrows move, N books, Enter opens, O changes this one date; others’ bookings appear by themselves', async () => {
    const evening = await window('monday', 'Evening', { batch_name: 'Late' })
    const { page } = await open(week())
    await page.getByText('Live', { exact: true }).waitFor()
    const first = cell(page, /^Monday .*Morning/)
    await first.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^Tuesday/)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('n')
    const booking = page.getByRole('dialog', { name: 'Book an appointment' })
    await booking.getByLabel('Name').fill('Maya Rao')
    await booking.getByLabel('Phone number').fill('5005550001')
    await booking.getByRole('button', { name: 'Book', exact: true }).click()
    await booking
      .getByText(/E\.164|\+1 or \+91|country/i)
      .last()
      .waitFor()
    await booking.getByLabel('Phone number').fill('+15005550001')
    await booking.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByText(/Maya Rao is booked for Mon/).waitFor()
    // The panel of that date stays open, with her in it.
    const panel = page.getByRole('dialog', { name: /^Monday .*Morning$/ })
    await panel.getByText('Maya Rao', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Close this date…' }).click()
    const closing = page.getByRole('dialog', { name: /^Close Mon/ })
    await closing.waitFor()
    await page.keyboard.press('Escape')
    await closing.waitFor({ state: 'detached' })
    expect(await panel.isVisible()).toBe(true)
    // The panel listens again a moment after the dialog before it has gone.
    const isOpenAfterEscape = async () => {
      await page.keyboard.press('Escape')
      return await panel.isVisible()
    }
    await expect.poll(isOpenAfterEscape).toBe(false)
    await panel.waitFor({ state: 'detached' })
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await expect.poll(focused).toMatch(/^Monday .*Morning/)
    await book(`${evening.slot_id}||${monday}`, 'Ravi Shah')
    await cell(page, /^Monday .*Late, 17:00 to 20:00, 1 of 2 booked/).waitFor()

    await cell(page, /^Tuesday .*Morning/).focus()
    await page.keyboard.press('o')
    const tuesday = page.getByRole('dialog', { name: /^Tuesday .*Morning$/ })
    await tuesday.getByLabel('Places', { exact: true }).fill('5')
    await tuesday.getByRole('button', { name: 'Save' }).click()
    await cell(page, /^Tuesday .*0 of 5 booked.*differs from the weekly rule$/).waitFor({ state: 'attached' })
    await tuesday.getByRole('button', { name: 'Back to the weekly rule' }).click()
    await tuesday.getByRole('button', { name: 'Back to the weekly rule' }).waitFor({ state: 'detached' })
  })

  it('whether one date or every week is meant is asked; a closed date says why it is not available', async () => {
    const { page } = await open(week())
    await cell(page, /^Thursday .*Morning/).click()
    const panel = page.getByRole('dialog', { name: /^Thursday .*Morning$/ })
    await panel.getByLabel('Places', { exact: true }).fill('9')
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('Say which dates you mean.').waitFor()
    await panel.getByLabel('Every Thursday').check()
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Every Thursday is changed. Booked dates keep theirs.').waitFor()
    await panel.getByRole('button', { name: 'Close this date…' }).click()
    const asked = page.getByRole('dialog', { name: /^Close Thu/ })
    await asked.getByLabel('Reason (optional)').fill('Doctor <i>away</i>')
    await asked.getByRole('button', { name: 'Close this date' }).click()
    await panel.getByText('This date was closed (Doctor <i>away</i>)').waitFor()
    await panel.getByRole('button', { name: 'Open this date' }).click()
    await panel.getByText('Why is this not available?').waitFor({ state: 'detached' })
    const [record] = await send(
      'GET',
      `/v1/appointment-slots/schedule-tracking?branch_id=${branchId}&date=${addDays(monday, 10)}`,
    )
    expect(record.max_slots).toBe(9)
  })

  it('a full time offers the next three that are open, and one press books there', async () => {
    const { slot_id } = await window('saturday', 'Morning', { max_slots: 1 })
    const saturday = addDays(monday, 5)
    const { page } = await open(`${week()}&slot=${encodeURIComponent(`${slot_id}||${saturday}`)}&do=book`)
    const booking = page.getByRole('dialog', { name: 'Book an appointment' })
    await booking.getByLabel('Name').fill('Late Lee')
    await booking.getByLabel('Phone number').fill('+15005550009')
    await book(`${slot_id}||${saturday}`, 'Quick Quin')
    await booking.getByRole('button', { name: 'Book', exact: true }).click()
    await booking.getByText('Every place of this slot is taken.').waitFor()
    const offers = booking.getByRole('group', { name: 'Next open times' }).getByRole('button')
    await expect.poll(() => offers.count()).toBe(3)
    await offers.first().click()
    await page.getByText(/Late Lee is booked for/).waitFor()
  })

  it('the week, a date and a booking are sound on every screen', async () => {
    const opened = await open(week())
    await expectSoundScreen(opened, (page) => page.getByText(/AI places are a ceiling/).waitFor())
    await cell(opened.page, /^Monday .*Morning/).click()
    const panel = opened.page.getByRole('dialog', { name: /^Monday .*Morning$/ })
    await expectSoundDialog(opened, () => panel.getByText('Maya Rao', { exact: true }).waitFor())
    await panel.getByRole('button', { name: 'Book here' }).click()
    const booking = opened.page.getByRole('dialog', { name: 'Book an appointment' })
    await expectSoundDialog(opened, () => booking.getByLabel('Name').waitFor())
  })

  it('a day is worked through: complete and taken back, moved, cancelled with a reason; the list keeps its filters in the address', async () => {
    const opened = await open(`/appointments?branch=${branchId}&date=${monday}`)
    const { page } = opened
    await page.getByRole('button', { name: 'Complete Maya Rao' }).click()
    await page.getByText('Maya Rao is marked as completed').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Taken back').waitFor()
    await page.getByRole('button', { name: 'Complete Maya Rao' }).waitFor()
    await expectSoundScreen(opened, (shown) => shown.getByText('Maya Rao', { exact: true }).waitFor())

    await page.getByRole('button', { name: 'More for Maya Rao' }).click()
    await page.getByRole('menuitem', { name: 'Move to another time…' }).click()
    const move = page.getByRole('dialog', { name: 'Move to another time' })
    await move
      .getByRole('radio', { name: /17:00–20:00 · Evening · Late · 1 of 2 free/ })
      .first()
      .check()
    await move.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText(/Maya Rao is moved to Mon/).waitFor()

    await page.getByRole('button', { name: 'More for Ravi Shah' }).click()
    await page.getByRole('menuitem', { name: 'Cancel…' }).click()
    await page.getByLabel('Reason (optional)').fill('Travelling')
    await page.getByRole('button', { name: 'Cancel the appointment' }).click()
    await page.getByText('Ravi Shah is cancelled').waitFor()
    await page.getByText('Ravi Shah', { exact: true }).waitFor({ state: 'detached' })

    await page.getByText('List', { exact: true }).click()
    await page.getByLabel('Status').selectOption('cancelled')
    await page.getByText('Reason: Travelling').waitFor()
    await expect.poll(() => param(page, 'status')).toBe('cancelled')
    await expect.poll(() => page.getByText('Maya Rao', { exact: true }).count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: 'Back to confirmed: Ravi Shah' }).waitFor()
    await expectSoundScreen(opened, (shown) => shown.getByText('Reason: Travelling').waitFor())
  })

  it('branches, services and holidays are kept in the settings, and the calendar follows', async () => {
    const opened = await open('/settings/branches')
    const { page } = opened
    await page.getByRole('button', { name: 'Add a branch' }).click()
    const form = page.getByRole('dialog', { name: 'Add a branch' })
    await form.getByLabel('Name').fill('Main')
    await form.getByRole('button', { name: 'Add branch' }).click()
    await form.getByText('There is a branch of this name already.').waitFor()
    opened.broken.length = 0
    await form.getByLabel('Name').fill('Lakeside')
    await form.getByLabel('Time zone').first().fill('new_york')
    await page.getByRole('option', { name: 'America/New_York' }).click()
    await form.getByRole('button', { name: 'Add branch' }).click()
    await page.getByRole('region', { name: 'Lakeside' }).getByText('America/New_York').waitFor()
    await page.getByText(/It cannot be deleted while \d+ windows refer to it/).waitFor()
    await page.getByRole('button', { name: 'Edit Main' }).click()
    const main = page.getByRole('dialog', { name: 'Edit Main' })
    await main.getByLabel('Time zone').first().fill('dubai')
    await page.getByRole('option', { name: 'Asia/Dubai' }).click()
    await main.getByText(/09:00 stays 09:00, but in the new zone/).waitFor()
    await expect.poll(() => main.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await main.waitFor({ state: 'detached' })
    await expectSoundScreen(opened, (shown) => shown.getByRole('region', { name: 'Lakeside' }).waitFor())

    await page.getByRole('link', { name: 'Services' }).click()
    await page.getByRole('button', { name: 'Add a service' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Cleaning')
    await page.getByRole('dialog').getByRole('button', { name: 'Add service' }).click()
    await page.getByRole('button', { name: 'Edit Cleaning' }).waitFor()
    await expectSoundScreen(opened, (shown) => shown.getByRole('button', { name: 'Edit Cleaning' }).waitFor())

    await page.getByRole('link', { name: 'Holidays' }).click()
    await page.getByRole('button', { name: 'Add a holiday' }).first().click()
    const holiday = page.getByRole('dialog', { name: 'Add a holiday' })
    await holiday.getByLabel('Every branch').check()
    await holiday.getByLabel('First day').fill(addDays(monday, 1))
    await holiday.getByLabel(/^Last day/).fill(addDays(monday, 2))
    await holiday.getByLabel('Reason (optional)').fill('Founders day')
    await holiday.getByRole('button', { name: 'Add holiday' }).click()
    await page.getByRole('cell', { name: 'Lakeside' }).waitFor()
    await expectSoundScreen(opened, (shown) => shown.getByRole('cell', { name: 'Lakeside' }).waitFor())
    await page.goto(`${origin}${week()}`)
    await cell(page, /^Tuesday .*Holiday, Founders day$/).waitFor()
  })

  it('who may only look sees the week and is told so, without a button that would be refused', async () => {
    const { page } = await open(week(), 'viewer')
    await cell(page, /^Monday .*Morning/).click()
    await page.getByText(/You can look at the calendar/).waitFor()
    for (const name of ['Add window', 'Book here', 'Save', 'Close this date…'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0)
  })

  it('a feed address is made and shown once', async () => {
    const { page } = await open(week())
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Calendar feed…' }).click()
    await page.getByRole('button', { name: 'Make an address' }).click()
    const shown = page.getByRole('region', { name: 'feed address' })
    const url = (await shown.textContent()) ?? ''
    expect((await t.app.inject(new URL(url).pathname)).body).toContain('BEGIN:VCALENDAR')
    await page.reload()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Calendar feed…' }).click()
    await page.getByText(/There is an address since/).waitFor()
    await expect.poll(() => shown.count()).toBe(0)
  })
})
