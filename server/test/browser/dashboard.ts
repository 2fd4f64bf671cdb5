import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { atEnd } from '../at-end.ts'
import { colourSchemes, viewports } from './chromium.ts'

export type Opened = {
  page: Page
  /** What the page asked for elsewhere, and what it complained about: both should stay empty. */
  strayed: string[]
  broken: string[]
}

type Visit = { origin: string; path: string; cookie?: string } & BrowserContextOptions

/** A browser of its own for one visit, signed in with the cookie of an API session. */
export async function visit(browser: Browser, { origin, path, cookie, ...options }: Visit): Promise<Opened> {
  const context = await browser.newContext({ viewport: viewports.desktop, reducedMotion: 'reduce', ...options })
  atEnd(() => context.close())
  if (cookie) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: origin }])
  }
  const page = await context.newPage()
  const strayed: string[] = []
  const broken: string[] = []
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(`${origin}/`) || /^(data|blob):/.test(request.url())
    if (!isOwn) strayed.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') broken.push(message.text())
  })
  page.on('pageerror', (error) => broken.push(String(error)))
  await page.goto(`${origin}${path}`)
  return { page, strayed, broken }
}

/** Another theme is the same page in other colours: there only those are looked at again. */
const violations = async (page: Page, only: string[] = [], within = 'html') => {
  // Listing what is right takes longer than finding what is wrong.
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .include(within)
  const found = await (only.length > 0 ? axe.withRules(only) : axe).analyze()
  return found.violations.map((each) => `${each.id}: ${each.nodes[0]?.html ?? ''}`)
}
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

const both = [
  ['desktop', 'light'],
  ['phone', 'dark'],
] as const
const all = colourSchemes.flatMap((scheme) =>
  (['desktop', 'phone'] as const).map((device) => [device, scheme] as const),
)
// Each theme and each size once; every pair in `npm run test:long`.
const pairs = process.env.PARLEY_TEST_SHELF === 'long' ? all : both

/** The page has changed over when this is done: colours half of one theme and half of the other are nobody's fault. */
async function changeScheme(page: Page, colorScheme: (typeof colourSchemes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
}

/**
 * What holds on every screen: no fault axe knows in either theme, no sideways scroll on a phone of 360 px, nothing asked
 * for elsewhere, nothing complained about. `ready` waits for the screen's content. One visit for all of it.
 */
export async function expectSoundScreen({ page, strayed, broken }: Opened, ready: (page: Page) => Promise<unknown>) {
  await ready(page)
  for (const [device, colorScheme] of pairs) {
    await changeScheme(page, colorScheme)
    await page.setViewportSize(viewports[device])
    await ready(page)
    const rules = colorScheme === 'dark' && pairs === both ? ['color-contrast'] : []
    expect(await violations(page, rules), `axe: ${device}, ${colorScheme}`).toEqual([])
    expect(await overflow(page), `sideways scroll: ${device}, ${colorScheme}`).toBe(0)
  }
  await page.setViewportSize(viewports.desktop)
  expect({ strayed, broken }).toEqual({ strayed: [], broken: [] })
}

/** What lies behind a dialog is dimmed on purpose, so only the dialog is looked at. */
export async function expectSoundDialog({ page, broken }: Opened, ready: () => Promise<unknown>): Promise<void> {
  for (const [device, colorScheme] of both) {
    await changeScheme(page, colorScheme)
    await page.setViewportSize(viewports[device])
    await ready()
    expect(await violations(page, [], '[role=dialog]'), `axe: ${device}, ${colorScheme}`).toEqual([])
    expect(await overflow(page), `sideways scroll: ${device}, ${colorScheme}`).toBe(0)
  }
  await page.setViewportSize(viewports.desktop)
  expect(broken).toEqual([])
}
