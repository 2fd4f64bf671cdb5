import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { atEnd } from '../at-end.ts'
import { whyMissing } from '../debian-packages.ts'

// The shell draws the same pages with a quarter less processor time; a whole browser will do where only that is there.
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const
const installed = () => programs.find((program) => existsSync(program))

/** Why there is no browser to test with; null when there is one. */
export function whyNoChromium(): string | null {
  const reason = whyMissing(['chromium-headless-shell'], [programs[0]])
  return installed() ? null : reason
}

/** One browser for the file; closed at its end. */
export async function startChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: installed() as string,
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
