import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Organisation, type TestApp, testClock } from '../app.ts'
import { sharing, sharingOf } from '../sharing/shared.ts'
import { colourSchemes, startChromium, viewports, whyNoChromium } from './chromium.ts'

const reason = whyNoChromium()
const clock = testClock()
let t: TestApp
let s: ReturnType<typeof sharingOf>
let org: Organisation
let browser: Browser
let origin: string
let url: string

beforeAll(async () => {
  if (reason) return
  t = await createTestApp({ workers: {}, clock })
  s = sharingOf(t, clock)
  origin = await t.app.listen({ host: '127.0.0.1', port: 0 })
  org = await t.organisation({
    ...sharing('Lakeside Dental'),
    branches: [{ name: 'Main' }],
    windows: [{ branch: 'Main', session: 'Morning', ai_slots: 50 }],
    agents: [{ name: 'Asha', number: '+15005550000', branch: 'Main', greeting: 'Hello {{user_name}}, Asha here.' }],
  })
  const links = await s.link(org, (await s.call(org, { user_name: 'Maya Rao' })).call_id)
  url = here(links.detailsUrl)
  // The recording is rendered when it is first asked for.
  await fetch(here(links.recordingUrl))
  browser = await startChromium()
}, 240_000)

const here = (link: string) => link.replace('http://127.0.0.1:3000', origin)

/** A page of its own; `strayed` holds whatever it asked for elsewhere, `broken` what it complained about. */
async function open(address: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: viewports.desktop, ...options })
  afterAll(() => context.close())
  const page = await context.newPage()
  const strayed: string[] = []
  const broken: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) strayed.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') broken.push(message.text())
  })
  page.on('pageerror', (error) => broken.push(String(error)))
  const response = await page.goto(address)
  return { page, strayed, broken, status: response?.status() }
}

const ready = (page: Page) => page.locator('.total', { hasText: 'of ' }).waitFor()
const secondsOf = (page: Page) => page.evaluate(() => document.querySelector('audio')?.currentTime ?? -1)
const violations = async (page: Page) =>
  (await new AxeBuilder({ page }).setLegacyMode().analyze()).violations.map((each) => each.id)
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe.skipIf(reason)(`the page of a shared call${reason ? ` (skipped: ${reason})` : ''}`, () => {
  for (const [device, viewport] of Object.entries(viewports)) {
    for (const colorScheme of colourSchemes) {
      it(`has no fault axe knows, no sideways scroll and no request elsewhere: ${device}, ${colorScheme}`, async () => {
        const { page, strayed, broken, status } = await open(url, { viewport, colorScheme })
        expect(status).toBe(200)
        await ready(page)
        await page.locator('.bars.drawn path').first().waitFor({ state: 'attached' })
        expect(await violations(page)).toEqual([])
        expect(await overflow(page)).toBe(0)
        // And in the middle of the talk.
        await page
          .getByRole('link', { name: /^Play from/ })
          .nth(2)
          .click()
        await page.locator('.lines [aria-current]').waitFor()
        expect(await violations(page)).toEqual([])
        expect([strayed, broken]).toEqual([[], []])
      })

      it(`refuses kindly and without a fault: ${device}, ${colorScheme}`, async () => {
        const { page, strayed, status } = await open(`${url}x`, { viewport, colorScheme })
        expect(status).toBe(404)
        await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('This link does not work')
        expect(await violations(page)).toEqual([])
        expect(await overflow(page)).toBe(0)
        expect(strayed).toEqual([])
      })
    }
  }

  it('plays and pauses, follows the sound in the transcript, and seeks when a line is clicked', async () => {
    const { page } = await open(url)
    await ready(page)
    await page.getByRole('button', { name: 'Play' }).click()
    await expect.poll(() => secondsOf(page), { timeout: 15_000 }).toBeGreaterThan(0.2)
    await expect.poll(() => page.locator('.lines [aria-current]').count(), { timeout: 15_000 }).toBe(1)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Play' }).waitFor()

    const line = page.locator('.lines li').nth(3)
    const at = Number(await line.getAttribute('data-at'))
    expect(at).toBeGreaterThan(1)
    await line.locator('.said').click({ position: { x: 5, y: 5 } })
    await expect.poll(() => secondsOf(page), { timeout: 15_000 }).toBeGreaterThanOrEqual(at)
    await expect.poll(() => line.getAttribute('aria-current'), { timeout: 15_000 }).toBe('true')
    // It goes on by itself: the next line becomes the current one.
    const next = page.locator('.lines li').nth(4)
    await expect.poll(() => next.getAttribute('aria-current'), { timeout: 40_000, interval: 200 }).toBe('true')
    await expect.poll(() => line.getAttribute('aria-current')).toBeNull()
  })

  it('works by keyboard alone', async () => {
    const { page } = await open(url)
    await ready(page)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Play')
    await page.keyboard.press('Tab')
    const slider = page.getByRole('slider', { name: 'Position in the recording' })
    expect(await slider.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowRight')
    expect(await secondsOf(page)).toBeCloseTo(5, 1)
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^0:05 of \d+:\d\d$/)
    await page.keyboard.press('ArrowLeft')
    expect(await secondsOf(page)).toBeCloseTo(0, 1)
    await page.keyboard.press('End')
    await expect.poll(() => secondsOf(page)).toBeGreaterThan(6)
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Play' }).waitFor()
    const link = page.getByRole('link', { name: /^Play from/ }).nth(3)
    await link.focus()
    await page.keyboard.press('Enter')
    const at = Number(await page.locator('.lines li').nth(3).getAttribute('data-at'))
    await expect.poll(() => secondsOf(page)).toBeGreaterThanOrEqual(at)
  })

  it('works without script: the browser’s own player, and lines that lead into the recording', async () => {
    const { page } = await open(url, { javaScriptEnabled: false })
    expect(await page.locator('audio[controls]').isVisible()).toBe(true)
    expect(await page.locator('.player').isVisible()).toBe(false)
    expect(
      await page
        .getByRole('link', { name: /^Play from/ })
        .nth(1)
        .getAttribute('href'),
    ).toMatch(/#t=\d/)
  })

  it('prints summary and transcript without the player', async () => {
    const { page } = await open(url)
    await ready(page)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.player').isVisible()).toBe(false)
    expect(await page.locator('.lines li').first().isVisible()).toBe(true)
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(1_000)
  })

  it('runs nothing that strangers wrote', async () => {
    const evil = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
    const { call_id } = await s.call(org, { user_name: evil })
    const { page, strayed } = await open(here((await s.link(org, call_id)).detailsUrl))
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(`Call with ${evil}`)
    expect(await page.title()).toContain('Call with <img')
    expect(await page.locator('img').count()).toBe(0)
    expect(strayed).toEqual([])
  })

  it('says that a link has expired', async () => {
    const timed = await t.organisation(sharing('Timed', 'hour'))
    const { detailsUrl } = await s.link(timed, (await s.call(timed)).call_id)
    clock.advance(3_600_000)
    const { page, status } = await open(here(detailsUrl))
    expect(status).toBe(410)
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('This link has expired')
  })
})
