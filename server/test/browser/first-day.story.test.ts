import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../app.ts'
import { apiAs, type Signed, signedOrganisation, webhookSettings } from '../dashboard.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { startChromium, whyNoChromium } from './chromium.ts'
import { visit } from './dashboard.ts'

const reason = whyNoChromium()
let t: TestApp
let org: Signed
let browser: Browser
let origin: string
let receiver: Receiver

beforeAll(async () => {
  if (reason) return
  const settings = { ...(await webhookSettings()), PARLEY_SIMULATOR_SPEED: '20' }
  t = await createTestApp({ workers: {}, settings })
  origin = await t.app.listen({ host: '127.0.0.1', port: 0 })
  const empty = { organisation: { name: 'Lakeside Dental', credits: 50 }, phone_numbers: [], agents: [], api_keys: [] }
  org = await signedOrganisation(t, { ...empty, branches: [{ name: 'Main' }] }, ['owner'])
  receiver = await startReceiver()
  browser = await startChromium()
}, 240_000)

describe.skipIf(reason)(`the first day${reason ? ` (skipped: ${reason})` : ''}`, () => {
  it('new user → agent → key → test call watched live → transcript played → webhook attempt seen → appointment in the week view', async () => {
    const { page, strayed, broken } = await visit(browser, { origin, path: '/', cookie: org.cookies.owner })
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const go = (name: string) =>
      page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name, exact: true }).click()
    await page.getByText('0 of 6 done').waitFor()

    await go('Agents & numbers')
    await button('Add a number').click()
    await page.getByRole('textbox', { name: 'Number', exact: true }).fill('+15005550000')
    await button('Add the number').click()
    await page.getByRole('cell', { name: '+15005550000', exact: true }).waitFor()
    await page.getByRole('link', { name: 'New agent' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Asha')
    await page.getByLabel('Branch').selectOption({ label: 'Main' })
    await button('Create the agent').click()
    await page.getByRole('heading', { name: 'Asha', level: 1 }).waitFor()

    await go('API keys')
    await button('New key').first().click()
    await page.getByLabel('Name').fill('Website')
    await button('Make the key').click()
    const key = (await page.getByRole('region', { name: 'API key', exact: true }).textContent())?.trim() ?? ''
    await button('I saved it').click()
    expect((await t.send(key, 'GET', '/v1/calls')).statusCode).toBe(200)

    await go('Webhooks')
    await button('New endpoint').first().click()
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
    await button('Create the endpoint').click()
    await button('I saved it').click()

    await go('Calendar')
    await button('Add the first window').click()
    const form = page.getByRole('dialog', { name: 'Add a weekly window' })
    for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']) {
      const choice = form.getByRole('checkbox', { name: day })
      if ((await choice.count()) > 0 && !(await choice.isChecked())) await form.getByText(day, { exact: true }).click()
    }
    await form.getByRole('button', { name: /^Add \d windows?$/ }).click()
    await page
      .getByRole('button', { name: /Morning, .* booked/ })
      .first()
      .waitFor()

    await go('Calls')
    await page.getByRole('link', { name: 'New call' }).first().click()
    await page.getByLabel('Phone number').fill('+15005550001')
    await page.getByLabel('Name', { exact: true }).fill('Maya Rao')
    await button('Call now').click()
    await page.getByRole('heading', { name: 'Call with Maya Rao' }).waitFor()
    await page.locator('.line').first().waitFor({ timeout: 60_000 })
    await page.getByText('Appointment booked').first().waitFor({ timeout: 60_000 })

    await button('Play').click({ timeout: 60_000 })
    const seconds = () => page.evaluate(() => document.querySelector('audio')?.currentTime ?? 0)
    await expect.poll(seconds, { timeout: 60_000 }).toBeGreaterThan(0.2)
    await button('Pause').click()

    await page.getByRole('tab', { name: /Webhooks/ }).click()
    await page.getByText('call.completed').first().waitFor()
    await page.getByText('Delivered').first().waitFor()
    expect(receiver.received.length).toBeGreaterThan(0)

    const { data } = (await apiAs(t, org.cookies.owner)('GET', '/v1/appointments')).json()
    await go('Calendar')
    const booked = page.getByRole('button', { name: /, 1 of \d+ booked/ })
    if ((await booked.count()) === 0) await page.goto(`${origin}/calendar?week=${data[0].date}`)
    await booked.first().click()
    await page.getByRole('dialog').getByText('Maya Rao').waitFor()

    await page.goto(`${origin}/`)
    await page.getByRole('heading', { name: 'Needs attention', exact: true }).waitFor()
    // All six steps are done: the card that counted them is gone.
    await expect.poll(() => page.getByRole('heading', { name: 'Get started' }).count()).toBe(0)
    expect({ strayed, broken }).toEqual({ strayed: [], broken: [] })
  })
})
