import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../app.ts'
import { makeEvents, type Signed, signedOrganisation, webhookSettings } from '../dashboard.ts'
import { createBody, post, tokenOf } from '../hooks/hook.ts'
import { answering, type Receiver, startReceiver } from '../receiver.ts'
import { startChromium, whyNoChromium } from './chromium.ts'
import { expectSoundScreen, visit } from './dashboard.ts'

const reason = whyNoChromium()
const evil = '<img src=x onerror="document.title=\'owned\'">'
let t: TestApp
let org: Signed
let browser: Browser
let origin: string
let receiver: Receiver

beforeAll(async () => {
  if (reason) return
  // A first retry soon, the others late: what fails waits to be looked at.
  const settings = {
    ...(await webhookSettings()),
    PARLEY_WEBHOOK_RETRY_DELAYS: '10ms,10m',
    PARLEY_ROLES: 'api,webhooks',
  }
  t = await createTestApp({ settings, workers: {} })
  origin = await t.app.listen({ host: '127.0.0.1', port: 0 })
  org = await signedOrganisation(t, { organisation: { name: 'Lakeside Dental', plan: 'base', credits: 50 } }, [
    'owner',
    'viewer',
  ])
  receiver = await startReceiver()
  browser = await startChromium()
}, 240_000)

const open = (path: string, cookie = org.cookies.owner) => visit(browser, { origin, path, cookie })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const isFocused = (page: Page, name: string) =>
  expect.poll(() => button(page, name).evaluate((element) => element === document.activeElement)).toBe(true)
const secretIn = async (page: Page, label: string) =>
  (await page.getByRole('region', { name: label, exact: true }).textContent())?.trim() ?? ''

describe.skipIf(reason)(`what programs need${reason ? ` (skipped: ${reason})` : ''}`, () => {
  it('API keys: made, shown once, counted, used, revoked', async () => {
    const opened = await open('/keys')
    const { page } = opened
    await page.getByText('1 of 5 in use').waitFor()
    await button(page, 'New key').click()
    await expectSoundScreen(opened, () => dialog(page, 'New API key').waitFor())
    await button(page, 'Make the key').click()
    await page.getByText('Give the key a name.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
    await page.getByLabel('Name').fill('Website')
    await button(page, 'Read only').click()
    await button(page, 'Make the key').click()
    const key = await secretIn(page, 'API key')
    expect(key).toMatch(/^pk_/)
    await page.keyboard.press('Escape')
    expect(await dialog(page, 'Key “Website” is ready').isVisible()).toBe(true)
    await button(page, 'I saved it').click()
    await isFocused(page, 'New key')
    expect(await page.content()).not.toContain(key)
    await page.getByText('2 of 5 in use').waitFor()
    expect((await t.send(key, 'GET', '/v1/calls')).statusCode).toBe(200)
    expect((await t.send(key, 'POST', '/v1/calls', {})).statusCode).toBe(403)
    await button(page, 'Revoke Website').click()
    await button(page, 'Revoke').click()
    await page.getByText('1 of 5 in use').waitFor()
    await page.getByText('Revoked', { exact: true }).waitFor()
    expect((await t.send(key, 'GET', '/v1/calls')).statusCode).toBe(401)
    await expectSoundScreen(await open('/keys'), (each) => each.getByText('Ended').first().waitFor())
  })

  it('the inbound hook: a request appears by itself, a new URL ends the old one, signing gives its secret', async () => {
    const opened = await open('/hook')
    const { page } = opened
    await page.getByText('Nothing has come in yet').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    const call = (await post(t, tokenOf(org), createBody(org))).json().data.call_id
    const row = page.getByRole('row').filter({ hasText: 'Accepted · 201' })
    await expect
      .poll(() => row.getByRole('link', { name: 'Open the call' }).getAttribute('href'))
      .toBe(`/calls/${call}`)
    await page.getByText('1 of 1,000 requests').waitFor()
    await post(t, tokenOf(org), createBody(org, { contact_number: '12' }))
    await page.getByText('Refused · 400').waitFor()
    await expectSoundScreen(opened, (each) => each.getByText('Refused · 400').waitFor())
    await page.getByLabel('Result').selectOption('refused')
    await expect.poll(() => row.count()).toBe(0)
    await expect.poll(() => new URL(page.url()).searchParams.get('result')).toBe('refused')

    await button(page, 'Make a new URL').first().click()
    const confirm = dialog(page, 'Make a new URL?')
    await expect.poll(() => confirm.getByRole('button', { name: 'Make a new URL' }).isDisabled()).toBe(true)
    await confirm.getByLabel('Type new URL to confirm').fill('new URL')
    await confirm.getByRole('button', { name: 'Make a new URL' }).click()
    const url = await secretIn(page, 'hook URL')
    await button(page, 'I saved it').click()
    expect((await post(t, tokenOf(org), createBody(org))).statusCode).toBe(401)
    expect((await post(t, url.split('/').at(-1) ?? '', createBody(org))).statusCode).toBe(201)
    expect(await secretIn(page, 'curl 1')).toContain(`'${url}'`)

    await button(page, 'Switch on').click()
    await dialog(page, 'Switch signing on?').getByRole('button', { name: 'Switch on' }).click()
    expect(await secretIn(page, 'signing secret')).toMatch(/^ins_/)
    await button(page, 'I saved it').click()
    await button(page, 'Switch off').waitFor()
    expect((await post(t, url.split('/').at(-1) ?? '', createBody(org))).statusCode).toBe(401)
  })

  it('an endpoint: refused with the reason, made with its secret once, tried out; an attempt that fails appears by itself', async () => {
    const { page } = await open('/webhooks')
    await page.getByText('No endpoint yet').waitFor()
    await button(page, 'New endpoint').first().click()
    await page.getByRole('textbox', { name: 'URL' }).fill('http://example.com/hook')
    await page.getByText('This must begin with https://').waitFor()
    await page.getByRole('textbox', { name: 'URL' }).fill('https://user:pass@example.com/hook')
    await button(page, 'Create the endpoint').click()
    await expect.poll(() => page.getByRole('textbox', { name: 'URL' }).getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
    await page.getByLabel('Only these').click()
    await page.getByText('Example of call.completed').click()
    await page.getByRole('region', { name: 'example of call.completed' }).waitFor()
    await button(page, 'Create the endpoint').click()
    expect(await secretIn(page, 'signing secret')).toMatch(/^whsec_/)
    await button(page, 'I saved it').click()
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/webhooks\/whe_/)

    receiver.behave(answering(500, evil))
    await button(page, 'Send a test event').click()
    await button(page, 'Send').click()
    await page.getByText('HTTP 500').waitFor()
    expect(await secretIn(page, 'answer')).toBe(evil)
    await page.getByText('What was sent').click()
    expect(await secretIn(page, 'request headers')).toContain('x-webhook-signature: v1=•••')
    await button(page, 'Close').last().click()
    await isFocused(page, 'Send a test event')

    await page.getByText('Live', { exact: true }).waitFor()
    await makeEvents(t, org.organisationId)
    await page.getByText('Retrying').first().waitFor()
    await page.getByText('2 of 50 failures in a row').waitFor()
    await page.getByLabel('State').selectOption('succeeded')
    await page.getByText('Nothing fits these filters.').waitFor()
    await page.getByLabel('State').selectOption('')
    await page.getByRole('link', { name: 'call.completed' }).click()

    await page.getByRole('heading', { name: 'Attempt 2' }).waitFor()
    await page.getByText(/\(in 9 min \d+ s\)/).waitFor()
    expect(await secretIn(page, 'answer to attempt 2')).toBe(evil)
    expect([await page.locator('img').count(), await page.title()]).toEqual([0, 'Delivery of call.completed · Parley'])
    expect(await secretIn(page, 'request body')).toContain('"event_type": "call.completed"')
    receiver.behave(answering(200, 'thanks'))
    await button(page, 'Resend').click()
    await page.getByRole('heading', { name: 'Attempt 3' }).waitFor()
    await page.getByText('The receiver answered with success.').waitFor()
  })

  it('these screens are sound in both themes and on a phone', async () => {
    const endpoint = (await org.as.owner('GET', '/endpoints')).json().data[0].endpoint_id
    const delivery = (await org.as.owner('GET', '/deliveries')).json().data[0].delivery_id
    await expectSoundScreen(await open(`/webhooks/${endpoint}`), (page) =>
      page.getByText('call.completed').first().waitFor(),
    )
    await expectSoundScreen(await open(`/webhooks/deliveries/${delivery}`), (page) =>
      page.getByRole('region', { name: 'request body' }).waitFor(),
    )
  })

  it('switched off after fifty failures: switched on with one click, and what was missed is recovered', async () => {
    const [{ endpoint_id }] = (await org.as.owner('GET', '/endpoints')).json().data
    receiver.behave(answering(503))
    await makeEvents(t, org.organisationId, 30)
    const opened = await open('/webhooks')
    const { page } = opened
    await page.getByText('Switched off after 50 failed attempts in a row', { exact: true }).waitFor({ timeout: 60_000 })
    await page
      .getByText(/Switched off after 50 failed attempts in a row\. Last: answered with an error \(503\)/)
      .waitFor()
    await page.getByText('1 of 1 endpoint of your plan in use').waitFor()
    await expectSoundScreen(opened, (each) => button(each, 'Switch on').waitFor())
    receiver.behave(answering(200))
    await button(page, 'Switch on and recover').click()
    await page.getByText('30 deliveries were missed since then.').waitFor()
    await button(page, 'Send 30 again').click()
    await page.getByText('30 of 30 sent again').waitFor({ timeout: 60_000 })
    await page.getByText('No failures in a row').waitFor()
    const missed = async () =>
      (await org.as.owner('GET', `/deliveries?endpoint_id=${endpoint_id}&status=held`)).json().data.length
    await expect.poll(missed).toBe(0)
  })

  it('a new secret waits until it is activated; an endpoint is deleted by typing its name', async () => {
    const [{ endpoint_id, url }] = (await org.as.owner('GET', '/endpoints')).json().data
    const { page } = await open(`/webhooks/${endpoint_id}`)
    await button(page, 'Make a new secret').click()
    await dialog(page, 'Make a new signing secret').getByRole('button', { name: 'Make a new secret' }).click()
    expect(await secretIn(page, 'signing secret')).toMatch(/^whsec_/)
    await button(page, 'I saved it').click()
    await button(page, 'Activate the new secret').click()
    await expect.poll(() => page.getByText('A new signing secret waits').count()).toBe(0)
    await button(page, 'Edit').click()
    await page.getByLabel('Description').fill('CRM')
    await button(page, 'Save').click()
    await page.getByRole('heading', { level: 1, name: 'CRM' }).waitFor()
    await button(page, 'Delete').click()
    const { host } = new URL(url)
    await page.getByLabel(`Type ${host} to confirm`).fill(host)
    await dialog(page, 'Delete the endpoint?').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No endpoint yet').waitFor()
  })

  it('a viewer looks and is told who may change things', async () => {
    for (const [path, what] of [
      ['/keys', 'make and revoke keys'],
      ['/hook', 'change the hook'],
      ['/webhooks', 'add and change endpoints'],
    ] as const) {
      const { page } = await open(path, org.cookies.viewer)
      await page.getByText(`Only owners and admins can ${what}.`).waitFor()
      await expect.poll(() => page.getByRole('button', { name: /^(New|Make|Switch|Revoke)/ }).count()).toBe(0)
    }
  })

  it('the signature checker names the mistake, and sends nothing anywhere', async () => {
    const opened = await open('/webhooks/signature')
    const { page } = opened
    await page.getByText('Live', { exact: true }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const secret = 'whsec_0123456789abcdefghijklmnopqrstuvwxyz'
    const body = '{"event_id":"evt_1"}'
    const sign = (key: string) =>
      page.evaluate(
        async ([k = '', text = '']) => {
          const bytes = new TextEncoder()
          const hmac = { name: 'HMAC', hash: 'SHA-256' }
          const imported = await crypto.subtle.importKey('raw', bytes.encode(k), hmac, false, ['sign'])
          const digest = await crypto.subtle.sign('HMAC', imported, bytes.encode(text))
          return `v1=${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
        },
        [key, `1763197200.${body}`],
      )
    const check = async (signature: string) => {
      await page.getByLabel('Headers').fill(`X-Webhook-Timestamp: 1763197200\nX-Webhook-Signature: ${signature}`)
      await button(page, 'Check the signature').click()
    }
    await page.getByLabel('Secret').fill(secret)
    await page.getByLabel('Raw body').fill(body)
    await check(await sign(secret.slice('whsec_'.length)))
    await page.getByText('The secret was used without its prefix.').waitFor()
    await check(await sign(secret))
    await page.getByText('The signature is right').waitFor()
    await page.getByRole('tab', { name: 'Ruby' }).click()
    expect(await secretIn(page, 'Ruby code')).toContain('OpenSSL::HMAC')
    expect(asked.filter((url) => !url.includes('/assets/'))).toEqual([])
    await expectSoundScreen(opened, (each) => each.getByText('The signature is right').waitFor())
  })
})
