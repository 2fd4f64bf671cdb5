import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../app.ts'
import { type Signed, signedOrganisation, webhookSettings } from '../dashboard.ts'
import { startReceiver } from '../receiver.ts'
import { startChromium, whyNoChromium } from './chromium.ts'
import { expectSoundScreen, visit } from './dashboard.ts'

const reason = whyNoChromium()
const later = new Date(Date.now() + 86_400_000).toISOString()
let t: TestApp
let org: Signed
let browser: Browser
let origin: string
let booked: string
let unanswered: string

const call = async (body: object, of = org) => {
  const answer = await t.send(of.key, 'POST', '/v1/calls', { agent_id: of.agentId, ...body })
  return answer.json().data.call_id as string
}
const callsOf = async (of: Signed) =>
  (await t.send(of.key, 'GET', '/v1/calls?limit=100')).json().data as { call_id: string; status: string }[]
const open = (path: string, cookie = org.cookies.owner) => visit(browser, { origin, path, cookie })
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const secondsOf = (page: Page) => page.evaluate(() => document.querySelector('audio')?.currentTime ?? -1)

beforeAll(async () => {
  if (reason) return
  const settings = { ...(await webhookSettings()), PARLEY_SIMULATOR_SPEED: '20' }
  t = await createTestApp({ workers: {}, settings })
  origin = await t.app.listen({ host: '127.0.0.1', port: 0 })
  org = await signedOrganisation(
    t,
    {
      organisation: {
        name: 'Lakeside Dental',
        plan: 'professional',
        credits: 500,
        timezone: 'Asia/Kolkata',
        public_share: { enabled: true, expiry: null },
      },
      branches: [{ name: 'Main' }],
      windows: [{ branch: 'Main', session: 'Morning', ai_slots: 50 }],
      agents: [
        {
          name: 'Asha',
          number: '+15005550000',
          branch: 'Main',
          greeting: 'Hello {{user_name}}, about {{order_id}}.',
          retry: { max_attempts: 2, delay: '1h', on: ['no_answer'] },
        },
      ],
    },
    ['owner', 'viewer'],
  )
  const receiver = await startReceiver()
  await org.as.owner('POST', '/endpoints', { url: receiver.url, events: ['call.completed'] })
  const info = { order_id: 'pelican-7', note: '<img src=x onerror=alert(1)>' }
  booked = await call({ user_number: '+15005550001', user_name: 'Maya Rao', additional_info: info })
  unanswered = await call({ user_number: '+15005550003', user_name: 'Ravi Iyer' })
  await t.untilCall(org.key, booked, ({ call_analytics }) => call_analytics !== null)
  await t.untilCall(org.key, unanswered, ({ status }) => status === 'failed')
  browser = await startChromium()
}, 240_000)

describe.skipIf(reason)(`calls in the dashboard${reason ? ` (skipped: ${reason})` : ''}`, () => {
  it('the list shows states as they change, finds by words that were said, and keeps its filters in the address', async () => {
    const opened = await open('/calls')
    const { page } = opened
    await expectSoundScreen(opened, () => row(page, 'Maya Rao').waitFor())
    await page.getByText('Live', { exact: true }).waitFor()
    await call({ user_number: '+15005550008', user_name: 'Jo March' })
    await row(page, 'Jo March').getByText('Not interested').waitFor({ timeout: 60_000 })
    await page.getByRole('button', { name: /^Completed 2$/ }).waitFor()

    await page.getByLabel('Search').fill('PELICAN')
    await page.locator('.excerpt', { hasText: 'about pelican-7' }).waitFor()
    await expect.poll(() => row(page, 'Jo March').count()).toBe(0)
    await expect.poll(() => new URL(page.url()).search).toBe('?q=PELICAN')
    await page.getByLabel('Outcome').selectOption('voicemail')
    await page.getByText('No call matches').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: /^Failed/ }).click()
    await row(page, 'Nobody answered').waitFor()
    await expect.poll(() => row(page, 'Maya Rao').count()).toBe(0)
    await page.reload()
    await row(page, 'Nobody answered').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Failed/ }).getAttribute('aria-pressed')).toBe('true')
  })

  it('an organisation without calls is told how to place one', async () => {
    const fresh = await signedOrganisation(t)
    const opened = await open('/calls', fresh.cookies.owner)
    await expectSoundScreen(opened, (page) => page.getByText('Place your first call').waitFor())
    await expect
      .poll(() => opened.page.getByRole('region', { name: 'curl command' }).textContent())
      .toContain('/v1/calls')
  })

  it('a new call: the number is checked while it is typed, a double click calls once, and the call is watched live', async () => {
    const before = (await callsOf(org)).length
    const opened = await open('/calls/new')
    const { page } = opened
    const number = page.getByLabel('Phone number')
    await number.fill('+44 20 7123 4567')
    await page.getByText('Only numbers in the United States (+1) and India (+91) can be called.').waitFor()
    await number.fill('+1 500 555 000')
    await page.getByText('One more digit.').waitFor()
    await number.fill('+1 (500) 555-0001')
    await page.getByText('+1 500 555 0001 · United States or Canada').waitFor()
    await page.getByText('user_name is missing').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Kim')
    await page.getByRole('button', { name: 'Add order_id' }).click()
    await page.getByLabel('Value 1: order_id').fill('B-2')
    await page.getByText('order_id is filled in').waitFor()
    await expectSoundScreen(opened, () => page.getByRole('button', { name: 'Call now' }).waitFor())
    await page.getByRole('button', { name: 'Call now' }).dblclick()

    await page.getByRole('heading', { name: 'Call with Kim' }).waitFor()
    await page.locator('.line', { hasText: 'Hello Kim, about B-2.' }).waitFor({ timeout: 60_000 })
    await page.getByText('Appointment booked').waitFor({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    expect(await callsOf(org)).toHaveLength(before + 1)
  })

  it('a time is chosen in a zone, and shown where the phone rings', async () => {
    const { page } = await open(`/calls/new?again=${booked}`)
    await page.getByRole('heading', { name: 'Call again' }).waitFor()
    await expect.poll(() => page.getByLabel('Phone number').inputValue()).toBe('+15005550001')
    await page.getByLabel('Phone number').fill('+919876543210')
    await page.getByText('At a time', { exact: true }).click()
    await page.getByRole('button', { name: 'Schedule the call' }).click()
    await page.getByText('Choose a day and a time.').waitFor()
    await page.getByLabel('Day').fill(later.slice(0, 10))
    await page.getByLabel('Time', { exact: true }).fill('23:30')
    await page.getByText('It is night in India').waitFor()
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/London')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show as curl' }).click()
    await expect
      .poll(() => page.getByRole('region', { name: 'curl command' }).textContent())
      .toMatch(/T23:30:00\+0[01]:00/)
    await page.getByRole('button', { name: 'Schedule the call' }).click()
    await page.getByRole('heading', { name: 'Call with Maya Rao' }).waitFor()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel the call' }).click()
    await page.locator('.lead').getByText('Cancelled').waitFor()
  })

  it('a call is heard and read: lines lead into the sound, the sound through the lines, also by keyboard', async () => {
    // A real line would have measured it.
    await t.db.query('insert into call_turns values ($1, 0, 4.2, 560, 130, 40, 90, 820)', [booked])
    const opened = await open(`/calls/${booked}`)
    const { page } = opened
    await page.getByRole('table', { name: 'Reply times' }).getByText('820 ms').waitFor()
    await expectSoundScreen(opened, () => page.locator('.wave-agent').first().waitFor({ state: 'attached' }))
    const line = page.locator('.line').nth(2)
    await line.getByRole('button').click()
    await expect.poll(() => line.getAttribute('aria-current'), { timeout: 15_000 }).toBe('true')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('heading', { level: 1 }).click()
    const at = await secondsOf(page)
    await page.keyboard.press('k')
    await expect.poll(() => secondsOf(page)).toBeLessThan(at)
    await page.keyboard.press('j')
    await expect.poll(() => line.getAttribute('aria-current')).toBe('true')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press('Space')
    await page.getByLabel('Search in the transcript').fill('appointment')
    await page.getByText(/^Found \d times$/).waitFor()
    await expect.poll(() => page.locator('.line mark').count()).toBeGreaterThan(1)
  })

  it('one call whole: timeline, deliveries, what strangers wrote as text, JSON', async () => {
    const opened = await open(`/calls/${booked}?tab=timeline`)
    const { page } = opened
    await page.getByText('Delivered: call.completed, attempt 1').waitFor({ timeout: 30_000 })
    const titles = await page.locator('.moment .mark').allTextContents()
    const steps = ['Created', 'Due, waiting for a line', 'Dialled', 'Ringing', 'Answered', 'Ended']
    expect(titles.filter((title) => steps.includes(title))).toEqual(steps)
    await page.getByRole('tab', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.locator('.attempts li').nth(1).waitFor({ timeout: 30_000 })
    await page.getByRole('tab', { name: 'Contact' }).click()
    await page.getByText('<img src=x onerror=alert(1)>').waitFor()
    expect(await page.locator('img').count()).toBe(0)
    await page.getByRole('tab', { name: 'Booking' }).click()
    await page.getByText('Confirmed').waitFor()
    await page.getByRole('tab', { name: 'JSON' }).click()
    await expect
      .poll(() => page.getByRole('region', { name: 'answer of GET /v1/calls' }).textContent())
      .toContain(`"call_id": "${booked}"`)
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=json')
    expect([opened.broken, opened.strayed]).toEqual([[], []])
  })

  it('a failed call says why, what to do next, and leads to its retry and back', async () => {
    const opened = await open(`/calls/${unanswered}`)
    const { page } = opened
    await expectSoundScreen(opened, () => page.getByText('Call again at another time of day.').waitFor())
    await page.getByRole('link', { name: 'the next call' }).click()
    await page.getByText('This is a retry of').waitFor()
    await page.getByRole('link', { name: 'the call before' }).click()
    await page.getByText('Call again at another time of day.').waitFor()
  })

  it('a link of one day takes the place of the one that events carry, opens, and is revoked', async () => {
    const { page } = await open(`/calls/${booked}`)
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByLabel('A new link opens for').selectOption('day')
    await page.getByRole('button', { name: 'Make a new link' }).click()
    await page.locator('p', { hasText: /It opens until \d/ }).waitFor()
    const url = new URL((await page.getByRole('region', { name: 'share link' }).textContent()) ?? '')
    expect((await fetch(`${origin}${url.pathname}${url.search}`)).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke the link' }).click()
    await page.getByText('opens nothing any more').waitFor()
    expect((await fetch(`${origin}${url.pathname}${url.search}`)).status).toBe(404)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Share')
  })

  it('waiting calls are cancelled together; a call is erased after it was typed, with a receipt', async () => {
    for (const name of ['Ann', 'Ben'])
      await call({ user_number: '+15005550001', user_name: name, scheduled_time: later })
    const gone = await call({ user_number: '+15005550008', user_name: 'Zoe' })
    await t.untilCall(org.key, gone, ({ call_analytics }) => call_analytics !== null)
    const { page } = await open('/calls')
    for (const name of ['Ann', 'Ben']) await page.getByLabel(`Select the call with ${name}`).check()
    await page.getByRole('button', { name: 'Cancel selected' }).click()
    await page.getByRole('button', { name: 'Cancel the calls' }).click()
    await page.getByText('2 calls cancelled.').waitFor()
    await row(page, 'Ann').getByText('Cancelled').waitFor()

    await page.getByRole('button', { name: 'What to do with the call with Zoe' }).click()
    await page.getByRole('menuitem', { name: 'Erase personal data' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Erase for good' }).isDisabled()).toBe(true)
    await page.getByLabel('Type erase to confirm').fill('erase')
    await page.getByRole('button', { name: 'Erase for good' }).click()
    await page.getByText('The call was erased').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => row(page, 'Zoe').count()).toBe(0)
    expect((await callsOf(org)).map((each) => each.call_id)).not.toContain(gone)
  })

  it('a file is checked row by row, its good rows are called once, also when it is sent again', async () => {
    const big = await signedOrganisation(t)
    const text =
      '\uFEFFcontact_number;contact_name;order\r\n+15005550001;Maya;"A;1"\r\n+150;Bo;\r\n+1 500-555-0008;=Jo;\r\n'
    for (const time of ['first', 'again'] as const) {
      const opened = await open('/calls/bulk', big.cookies.owner)
      const { page } = opened
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'calls.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
      await row(page, 'Number: too short. 8 more digits.').waitFor()
      if (time === 'first') {
        await expectSoundScreen(opened, () => page.getByText('1 with faults, left out').waitFor())
      }
      await page.getByRole('button', { name: 'Place 2 calls' }).click()
      await page.getByText('All rows were sent. 2 of 2 sent').waitFor()
      if (time === 'again') await page.getByText('2 of them had been placed before').waitFor()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download the results' }).click(),
      ])
      const lines = readFileSync(await file.path(), 'utf8').split('\r\n')
      expect(lines[1]).toMatch(/^2,\+15005550001,Maya,placed( before)?,call_[0-9a-f]{32},$/)
      expect(lines[2]).toContain('faulty')
      expect(lines[3]).toContain("+15005550008,'=Jo,placed")
      expect(await callsOf(big)).toHaveLength(2)
    }
  })

  it('a viewer looks and is told why there is no more', async () => {
    const { page } = await open('/calls', org.cookies.viewer)
    await row(page, 'Maya Rao').first().waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'New call' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Maya Rao' }).first().click()
    await page.getByRole('heading', { name: 'Call with Maya Rao' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Erase' }).count()).toBe(0)
    for (const path of ['/calls/new', '/calls/bulk']) {
      await page.goto(`${origin}${path}`)
      await page.getByText('Your role may look, but not call').waitFor()
    }
    await page.goto(`${origin}/calls/call_${'0'.repeat(32)}`)
    await page.getByText('There is no call here').waitFor()
  })
})
