import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../app.ts'
import { type Signed, signedOrganisation } from '../dashboard.ts'
import { startChromium, whyNoChromium } from './chromium.ts'
import { expectSoundScreen, visit } from './dashboard.ts'

const reason = whyNoChromium()
let t: TestApp
let org: Signed
let browser: Browser
let origin: string

beforeAll(async () => {
  if (reason) return
  t = await createTestApp()
  origin = await t.app.listen({ host: '127.0.0.1', port: 0 })
  org = await signedOrganisation(t, { organisation: { name: 'Lakeside Dental' } }, ['owner'])
  browser = await startChromium()
}, 240_000)

describe.skipIf(reason)(`the dashboard around every screen${reason ? ` (skipped: ${reason})` : ''}`, () => {
  it('is sound before signing in', async () => {
    const opened = await visit(browser, { origin, path: '/calls' })
    await expectSoundScreen({ ...opened, broken: [] }, (page) => page.getByLabel('Password', { exact: true }).waitFor())
  })

  it('first load is at most 260 KB of gzipped script', async () => {
    const { page } = await visit(browser, { origin, path: '/', cookie: org.cookies.owner })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    const names = await page.evaluate(() =>
      performance.getEntriesByType('resource').flatMap(({ name }) => name.match(/assets\/[^/]+\.js$/) ?? []),
    )
    const bytes = names
      .map((name) => gzipSync(readFileSync(path.join('dashboard/dist', name))).length)
      .reduce((sum, each) => sum + each, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThanOrEqual(260 * 1_024)
  })

  it('finds by keyboard: Ctrl+K, a place, Enter; ? lists the keys; g goes', async () => {
    const { page } = await visit(browser, { origin, path: '/', cookie: org.cookies.owner })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByLabel('Find a page, or paste an id or a phone number').fill('settings')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/settings')
    await page.keyboard.press('Control+k')
    await page.getByLabel('Find a page, or paste an id or a phone number').fill('call_01abc')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/calls/call_01abc')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  })

  it('the menu of a phone opens, leads, and closes', async () => {
    const { page } = await visit(browser, {
      origin,
      path: '/',
      cookie: org.cookies.owner,
      viewport: { width: 360, height: 740 },
    })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/calls')
    await expect.poll(() => page.getByRole('button', { name: 'Menu' }).getAttribute('aria-expanded')).toBe('false')
  })

  it('signing out leaves nothing behind', async () => {
    const other = await signedOrganisation(t, {}, ['owner'])
    const { page } = await visit(browser, { origin, path: '/', cookie: other.cookies.owner })
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    expect((await page.context().cookies()).filter((each) => each.value !== '')).toEqual([])
  })
})
