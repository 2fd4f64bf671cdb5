import { type Browser, chromium } from 'playwright-core'
import { atEnd } from '../at-end.ts'
import { whyMissing } from '../debian-packages.ts'

const executablePath = '/usr/bin/chromium'

/** Why there is no browser to test with; null when there is one. */
export const whyNoChromium = (): string | null => whyMissing(['chromium'], [executablePath])

/** One browser for the file; closed at its end. */
export async function startChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
  atEnd(() => browser.close())
  return browser
}

export const viewports = { desktop: { width: 1_280, height: 900 }, phone: { width: 360, height: 740 } } as const
export const colourSchemes = ['light', 'dark'] as const
